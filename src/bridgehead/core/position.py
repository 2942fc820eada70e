"""The import name of `Position`, which is defined beside `Game`: each of them refers to the other."""

from bridgehead.core.game import Position as Position
