"""HTTP answers other than 200, with a sentence of the server in any language."""

from __future__ import annotations

from starlette.exceptions import HTTPException

from bridgehead.core.phrases import Phrase, sentence


class HttpError(HTTPException):
    """A request that is refused: its status, and a sentence by its key."""

    def __init__(self, status: int, key: str | Phrase, **params: object) -> None:
        self.phrase = key if isinstance(key, Phrase) else Phrase(f"server:error.{key}", params)
        super().__init__(status, sentence(self.phrase))
