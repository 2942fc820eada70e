"""The games that come with Bridgehead, a folder each. Called, it is `bridgehead.games()`, whose name it takes when imported."""

import sys
from types import ModuleType


class _Games(ModuleType):
    def __call__(self) -> list[str]:
        """The ids of the installed games."""
        from bridgehead.core import registry

        return list(registry.specs())


sys.modules[__name__].__class__ = _Games
