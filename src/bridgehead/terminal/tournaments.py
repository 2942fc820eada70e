"""Tournaments in the terminal: where one is, and its standings and games as text."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bridgehead.core.errors import OptionError
from bridgehead.terminal.words import t

PAUSE = 1.0  # seconds between two looks


class TournamentPlace(NamedTuple):
    """A server's address, and perhaps a tournament there with the token of its host."""

    server: str
    tournament: str
    host: str


def parse_tournament_link(link: str) -> TournamentPlace:
    """The place that an address or the link of a tournament names. Errors: OptionError."""
    parts = urlsplit(link)
    found = re.fullmatch(r"/(?:tournament/([A-Z]{22}))?", parts.path or "/")
    if parts.scheme not in ("http", "https") or not parts.netloc or not found:
        raise OptionError("terminal:error.no_tournament_link", "URL", link=repr(link[:80]))
    host = re.fullmatch(r"h=([A-Za-z0-9_-]{1,64})", parts.fragment)
    return TournamentPlace(f"{parts.scheme}://{parts.netloc}", found[1] or "", host[1] if host else "")


def run(
    server: Any,
    place: TournamentPlace,
    game: str,
    name: str,
    wish: dict[str, Any],
    levels: Iterable[str],
    start: bool,
    wait: bool,
) -> dict[str, Any]:  # fmt: skip
    """Open a tournament if a game is named, enter levels, start it, wait for its end. Returns what the server tells of it.

    server: a `bridgehead.client.Host`. Errors: those of its requests.
    """
    number, host = place.tournament, place.host
    if game:
        made = server.open_tournament(game, name or t("tournament.name"), **wish)
        number, host = made["id"], made["host"]
        print(t("tournament.made", link=f"{place.server}/tournament/{number}"))
        print(t("tournament.hosted", link=f"{place.server}/tournament/{number}#h={host}"))
    for i, level in enumerate(levels, 1):
        server.enter(number, f"{level} {i}", level, host)
    if start:
        server.change_tournament(number, "start", host)
    found: dict[str, Any] = server.tournament(number)
    while wait and found["state"] != "over":
        time.sleep(PAUSE)
        found = server.tournament(number)
    return found


def show_standings(found: dict[str, Any]) -> str:
    """The standings, and the games of the last round."""
    names, breaks = [each["name"] for each in found["people"]], [each for each in found["tie_breaks"] if each != "lot"]
    heads = [t(f"tournament.{each}") for each in ("who", "points", "games", *breaks)]
    rows = [["#", *heads]]
    for line in found["lines"]:
        values = [line["points"], line["games"], *line["breaks"]]
        rows.append([str(line["place"]), names[line["entrant"]], *map(_number, values)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        place, name, *numbers = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join([place, name.strip().ljust(widths[1]), *numbers]))
    games = []
    for game in found["games"]:
        if game["round"] == found["round"]:
            who, points = " - ".join(names[each] for each in game["seats"]), ":".join(map(_number, game["points"]))
            games.append(f"{game['round']}  {who}  {points}".rstrip())
    state = t(f"tournament.{found['state']}", round=found["round"])
    return "\n".join([f"{found['name']}: {state}", "", *lines, "", *games]).rstrip()


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
