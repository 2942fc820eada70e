"""Fuzzing by coverage: looks for bytes that break what reads a stranger's data (tests/fuzz/targets.py), with Atheris.

tools/fuzzing.py [--seconds 60] [TARGET ...]

Each target runs in a process of its own. It begins with the corpus in tests/fuzz/corpus/TARGET and keeps what reaches new
code in build/fuzz/TARGET, where the next run finds it. Bytes that break a target stand in tests/fuzz/corpus/TARGET
afterwards, so that `make test` fails until the target is repaired; then the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("decoders", "records", "links", "boards", "proofs")
SLOWEST = 20  # seconds that one input may take
MEMORY = 2048  # megabytes


def run(target: str, seconds: int) -> bool:
    """Fuzz one target; False if something broke it."""
    corpus, found = ROOT / "tests" / "fuzz" / "corpus" / target, ROOT / "build" / "fuzz" / target
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, "--inside", target, str(found), str(corpus), f"-artifact_prefix={corpus}/"]
    command += [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", f"-rss_limit_mb={MEMORY}", "-max_len=20000", "-verbosity=0"]
    before = set(corpus.iterdir())
    paths = os.pathsep.join([str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])])
    status = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}).returncode
    for file in sorted(set(corpus.iterdir()) - before):
        print(f"{target}: broken by {file.relative_to(ROOT)}")
    print(f"{target}: {'holds' if status == 0 else f'ended with {status}'}, {len(list(found.iterdir()))} inputs kept", flush=True)
    return status == 0


def inside(target: str, arguments: list[str]) -> None:
    """In the process of one target: libFuzzer with our code instrumented."""
    import atheris

    with atheris.instrument_imports(include=["bridgehead"], exclude=["bridgehead.core.numba_kit"]):
        from fuzz.targets import holds, registry

        registry.specs()  # the games too, which are imported at their first use
    atheris.Setup([target, *arguments], lambda data: holds(target, data))
    atheris.Fuzz()


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("targets", nargs="*", choices=[*NAMES, []], default=NAMES, metavar="TARGET")
    wanted.add_argument("--seconds", type=int, default=60, help="for each target (%(default)s)")
    asked = wanted.parse_args()
    held = [run(target, asked.seconds) for target in asked.targets]
    sys.exit(not all(held))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[3:])
    else:
        main()
