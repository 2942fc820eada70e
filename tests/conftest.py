"""Fixtures of all tests: rules run uncompiled unless a test starts a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
sys.path.insert(0, str(Path(__file__).parent))
