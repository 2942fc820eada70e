"""All problems of a drawn board at once, found by the game's own checks."""

from __future__ import annotations

from typing import Any

from bridgehead.core import options as house
from bridgehead.core.editing import Problem
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import Spec

MOST = 12  # most problems shown at once


def refusal(spec: Spec, rules: dict[str, Any]) -> BridgeheadError | None:
    """The error with which the game's checks refuse these house rules; None if they pass.

    Some errors appear only when the law is made, such as a board with too many ways. Starting the game reports those.
    """
    try:
        options = house.build(spec, "", rules)
        spec.options.check(options, spec.board.load(options))
    except BridgeheadError as error:
        return error
    return None


def problems(spec: Spec, draft: Any) -> list[Problem]:
    """Everything that is wrong with a draft, as far as one pass can find it.

    The checks stop at the first error. So the editor names it and mends a copy of the draft, then the copy is checked.
    """
    editor, rest = spec.editor, draft
    found = [*editor.list_excesses(draft)]
    while rest is not None and len(found) < MOST:
        error = refusal(spec, editor.rules(rest))
        if error is None:
            break
        problem, rest = editor.explain_error(rest, error)
        if problem not in found:
            found.append(problem)
    return found
