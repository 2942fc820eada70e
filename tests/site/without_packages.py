"""Loads the host as the worker does: without packages that have machine code, or that only a server needs."""

import sys

ABSENT = {"numpy", "numba", "llvmlite", "starlette", "uvicorn", "prometheus_client", "jinja2", "apsw", "cryptography", "segno"}
ABSENT |= {"confusable_homoglyphs"}


class Absent:
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Absent())  # type: ignore[arg-type]

from bridgehead.players import advice, analysis, report  # noqa: E402, F401
from bridgehead.site import host  # noqa: E402

host.prepare()
