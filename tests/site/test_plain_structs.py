"""The stand-in for msgspec gives the same bytes, values and errors as msgspec."""

import difflib
import os
import subprocess
import sys
from pathlib import Path

from bridgehead.site.sources import PLAIN

HERE = Path(__file__).parent


def printed(*given: str) -> list[str]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "0"}
    script = [sys.executable, HERE / "both_ways.py", *given]
    return subprocess.run(script, env=environment, capture_output=True, text=True, check=True, timeout=300).stdout.splitlines()


def test_messages_scenes_options_and_errors_are_the_same_without_msgspec() -> None:
    real, plain = printed(), printed(str(PLAIN))
    differences = [line[:300] for line in difflib.unified_diff(real, plain, lineterm="", n=0)] if real != plain else []
    assert not differences[:20] and len(real) > 12_000


def test_the_host_of_the_site_needs_the_standard_library_and_plain_packages_only() -> None:
    script = [sys.executable, HERE / "without_packages.py", str(PLAIN)]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
