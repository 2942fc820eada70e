"""Write docs/lookup/protocol.schema.json from the structs of the server; `--check` only checks that it is up to date."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bridgehead.server.messages import schema

FILE = Path(__file__).parents[1] / "docs" / "lookup" / "protocol.schema.json"


def text() -> str:
    """The expected content of the file."""
    return json.dumps(schema.socket(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if FILE.exists() and FILE.read_text("utf-8") == text() else "docs/lookup/protocol.schema.json is out of date")
    FILE.write_text(text(), "utf-8")
    print(f"{FILE}: {len(text())} characters")
