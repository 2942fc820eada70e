"""A process that makes no machine code cannot be made to run any, and those that it starts can still make theirs."""

import subprocess
import sys

import pytest

SCRIPT = """
import mmap, subprocess, sys
from bridgehead.server.jobs.memory_protection import deny_new_code

def makes_code():
    try:
        mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()
    except PermissionError:
        return False
    return True

before, denied = makes_code(), deny_new_code()
child = subprocess.run([sys.executable, "-c", "import mmap; mmap.mmap(-1, 4096, prot=7)"], stderr=subprocess.DEVNULL).returncode
print(before, denied, makes_code(), child == 0)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a setting of Linux")
def test_a_process_denies_itself_new_machine_code_and_its_children_make_theirs() -> None:
    told = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout.split()
    if told[1] == "False":
        pytest.skip("Linux older than 6.6")
    assert told == ["True", "True", "False", "True"]
