"""Types that are checked in several threads at once."""

import os
import subprocess
import sys

FIRST_USE = """
import sys, threading
import msgspec
from bridgehead.core.clauses import _File
from bridgehead.core.validation import ready
sys.setswitchinterval(1e-9)
data = {"clause": [{"id": "a", "text": "b", "status": "stated"}]}
start, done = threading.Barrier(16), []

def use():
    start.wait()
    done.append(msgspec.convert(data, ready(_File)).clause[0].id)

threads = [threading.Thread(target=use) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("".join(done))
"""


def test_a_type_may_be_used_first_by_many_threads_at_once() -> None:
    """Without `ready` this ends the process by a segmentation fault."""
    for _ in range(3):
        env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        done = subprocess.run([sys.executable, "-c", FIRST_USE], env=env, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, "a" * 16), done.stderr
