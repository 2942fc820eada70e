"""Denies a process new machine code: memory that was written can never be run, so an overflow cannot bring its own code.

Only workers with compiled rules make machine code. All other processes of the server call `deny_new_code`.
"""

from __future__ import annotations

import sys

SET_MDWE = 65  # prctl's PR_SET_MDWE, since Linux 6.3
REFUSE_EXEC_GAIN, NO_INHERIT = 1, 2  # its flags; the second, since Linux 6.6, leaves the processes that this one starts alone


def deny_new_code() -> bool:
    """Forbid this process to make machine code at run time, but not those that it starts. False where the system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes  # only here: a site has neither processes nor this call

    return bool(ctypes.CDLL(None).prctl(SET_MDWE, REFUSE_EXEC_GAIN | NO_INHERIT, 0, 0, 0) == 0)
