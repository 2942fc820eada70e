"""Compiled rules for tests that run plain: one process a game, which does all compiled work of a test run.

Most of the time to compile a loop goes into the rules that it calls. In one process they are compiled once for all loops.
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import traceback
from typing import Any


class CompiledProcess:
    """A process with compiled rules that calls functions of test modules."""

    def __init__(self) -> None:
        env = {**os.environ, "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(
            [sys.executable, __file__], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, module: str, function: str, *given: Any) -> Any:
        """What the function returns there. Arguments and answer travel as JSON; an error there fails the test."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([module, function, given]) + "\n")
        self._process.stdin.flush()
        answer, error = json.loads(self._process.stdout.readline() or '[null, "the process with compiled rules has ended"]')
        assert not error, error
        return answer

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


def main() -> None:
    """Answer calls, one a line, until standard input ends."""
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        for line in sys.stdin:
            module, function, given = json.loads(line)
            answer, error = None, ""
            try:
                answer = getattr(importlib.import_module(module), function)(*given)
            except BaseException:
                error = traceback.format_exc()
            print(json.dumps([answer, error]), file=answers, flush=True)


if __name__ == "__main__":
    main()
