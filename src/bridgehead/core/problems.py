"""All problems of a drawn board at once, found by the game's own checks."""

from __future__ import annotations

from typing import Any

from bridgehead.core import options as house
from bridgehead.core.editing import Problem
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import Spec

MOST = 12


def refusal(spec: Spec, rules: dict[str, Any]) -> BridgeheadError | None:
    """The error that the game's checks of these house rules raise; None if they pass.

    Making the law can still fail (a board with too many paths); starting the game reports that.
    """
    try:
        options = house.build(spec, "", rules)
        spec.options.check(options, spec.board.load(options))
    except BridgeheadError as error:
        return error
    return None


def problems(spec: Spec, draft: Any) -> list[Problem]:
    """The problems of a draft, at most MOST of them.

    A check stops at the first problem. So we name it, take its cause out of the draft, and check again.
    """
    found: list[Problem] = []
    editor, rest = spec.editor, draft
    while rest is not None and len(found) < MOST:
        error = refusal(spec, editor.rules(rest))
        if error is None:
            break
        problem, rest = editor.named(rest, error)
        if problem not in found:
            found.append(problem)
    return found
