"""Print the sentences that a language lacks, as lines for its catalogues: the key and the English sentence.

tools/languages.py LANGUAGE        exit status: 0 none is lacking, 1 some are
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def lacking(english: Path, language: str) -> dict[str, str]:
    """The English sentences of one folder whose keys the language lacks."""
    theirs = english.with_name(f"{language}.toml")
    known = tomllib.loads(theirs.read_text("utf-8")) if theirs.exists() else {}
    return {key: text for key, text in tomllib.loads(english.read_text("utf-8")).items() if key not in known}


def main(language: str) -> int:
    found = False
    for english in sorted(path for folder in ("src", "examples") for path in (ROOT / folder).rglob("languages/en.toml")):
        if missing := lacking(english, language):
            found = True
            print(f"# {english.with_name(f'{language}.toml').relative_to(ROOT)}")
            print("\n".join(f"{json.dumps(key)} = {json.dumps(text, ensure_ascii=False)}" for key, text in missing.items()))
    return int(found)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
