"""Inviting people: how other devices reach this server."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class NetworkWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/network`. secret: only the page that the command opened has it; open: or close."""

    secret: Annotated[str, Meta(max_length=64)]
    open: bool = True


class QrWish(msgspec.Struct, forbid_unknown_fields=True):
    """A text to draw as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=1500)]


class NetworkState(msgspec.Struct):
    """How other devices reach this server.

    base: the address that the server has reached itself, "" if there is none; command: starts the server for the whole network
    ("" for pages of other devices); opens: the page that the command opened can open the network.
    """

    base: str
    command: str
    opens: bool
