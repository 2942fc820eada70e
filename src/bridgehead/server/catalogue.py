"""The server's sentences in all languages, and the language that a request asks for."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import HTTPConnection

from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, languages

WORDS = catalogue(Path(__file__).parent)


def own(phrase: Phrase) -> Phrase:
    """A phrase of the server as one that is found from everywhere: its key is "server:KEY"."""
    return Phrase(f"server:{phrase.key}", phrase.params)


def language(request: HTTPConnection) -> str:
    """The language that a request asks for, in its query or by the header; English if it is none of ours."""
    asked = request.query_params.get("lang", request.headers.get("accept-language", "")[:2])
    return asked if asked in languages() else ENGLISH
