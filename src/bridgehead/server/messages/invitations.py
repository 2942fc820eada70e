"""Inviting people: how other devices reach this server."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class NetworkWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/network`.

    secret: of the page that the command opened, or the code on its terminal; open: or close; ask: for such a code instead.
    """

    secret: Annotated[str, Meta(max_length=64)] = ""
    open: bool = True
    ask: bool = False


class QrWish(msgspec.Struct, forbid_unknown_fields=True):
    """A text to draw as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=1500)]


class NetworkState(msgspec.Struct, omit_defaults=True):
    """How other devices reach this server.

    base: the address that the server has reached itself, "" if there is none; command: starts the server for the whole network
    ("" for pages of other devices); opens: the page that the command opened can open the network; asks: so can another page of
    this machine, with a code that the command shows on its terminal.
    """

    base: str
    command: str
    opens: bool
    asks: bool = False
