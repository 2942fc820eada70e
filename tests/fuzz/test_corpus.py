"""Every input that fuzzing has kept is read or refused with a named error, and so is each with a few bytes changed."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.targets import CORPUS, LONGEST, TARGETS, holds

KEPT = {target: sorted((CORPUS / target).iterdir()) for target in TARGETS}


@pytest.mark.parametrize(
    "file", [file for files in KEPT.values() for file in files], ids=lambda file: f"{file.parent.name}-{file.name}"
)
def test_what_fuzzing_has_kept_holds(file: Path) -> None:
    holds(file.parent.name, file.read_bytes())


def test_every_target_has_a_corpus_and_every_corpus_a_target() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)
    assert all(len(files) >= 3 and all(file.stat().st_size <= LONGEST for file in files) for files in KEPT.values())


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_input_with_changed_bytes_holds(target: str, data: st.DataObject) -> None:
    changed = bytearray(data.draw(st.sampled_from(KEPT[target])).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(changed)))
        changed[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    holds(target, bytes(changed))
