"""The `bridgehead` command in the process of the caller, which has imported most of what it needs."""

import contextlib
import io
import json
import os
import sys
from typing import Any, NamedTuple
from unittest import mock


class Shown(NamedTuple):
    """What a command printed and ended with, under the names of `subprocess.CompletedProcess`."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: object, typed: str = "", **env: str) -> Shown:
    """Run a command, with what is typed at its prompts. env: more of the environment."""
    from bridgehead import cli

    out, errors, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "160", **env}),
        mock.patch.object(sys, "argv", ["bridgehead", *map(str, words)]),
        mock.patch.object(sys, "stdin", io.StringIO(typed)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
    ):
        try:
            cli.main()
        except SystemExit as end:
            code = int(end.code or 0)
    return Shown(code, out.getvalue(), errors.getvalue())


def main() -> None:
    """Run the commands that a line of JSON on standard input lists, as (words, typed); print what they show as JSON."""
    asked: list[tuple[list[str], str]] = json.loads(sys.stdin.readline())
    shown: list[Any] = [run(*words, typed=typed, COLUMNS="400") for words, typed in asked]
    print(json.dumps(shown))


if __name__ == "__main__":
    main()
