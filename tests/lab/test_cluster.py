"""The same job on Ray: equal to the serial run, also when a worker is killed in the middle; what is refused."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridgehead.core.errors import OptionError
from bridgehead.workshop.lab.cluster import TLS, check, on_ray
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish


def descendants(pid: int) -> Iterator[int]:
    """Processes below one, by Linux's /proc."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from descendants(child)


def at_work() -> list[int]:
    """Ray's workers of this test that make a part just now: Ray writes it over their command line."""
    found = []
    for pid in descendants(os.getpid()):
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:  # it ended meanwhile
            continue
        if line.startswith(b"ray::") and b"lab_part" in line:
            found.append(pid)
    return found


@pytest.mark.long  # in other processes, without Ray: test_known.py
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds workers by /proc")
def test_two_workers_of_ray_make_the_same_rows_also_when_one_is_killed_in_the_middle(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    told = check_plan(
        Plan("forty_bridges", "", (Arm("as written"),), (Strength("random", 4),), (Duel("greedy", "random", 30),), seed=7)
    )
    whole = finish(Results(told))
    over = Results(told, tmp_path)
    making = over.run(on_ray("local", 2))
    next(making)
    deadline = time.monotonic() + 600
    while not (busy := at_work()):
        assert time.monotonic() < deadline, "nobody makes anything"
        time.sleep(0.002)
    os.kill(busy[0], signal.SIGKILL)
    assert over.missing, "it was killed in the middle"
    for _ in making:
        pass
    assert not over.missing
    for kind in ("games", "duels"):
        assert over.rows(kind, 0).tobytes() == whole.rows(kind, 0).tobytes()


def test_a_cluster_is_joined_only_where_nobody_else_can_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """T25: who reaches Ray's ports runs code there."""
    for name in ("RAY_USE_TLS", *TLS):
        monkeypatch.delenv(name, raising=False)
    for fine in ("local", "127.0.0.1:6379", "[::1]:6379", "localhost:6379"):
        check(fine)
    for wrong in ("http://127.0.0.1:8265", "10.0.0.1", "ray://127.0.0.1:10001", "auto", ""):
        with pytest.raises(OptionError, match="HOST:PORT"):
            check(wrong)
    with pytest.raises(OptionError, match="TLS"):
        check("10.0.0.1:6379")
    monkeypatch.setenv("RAY_USE_TLS", "1")
    with pytest.raises(OptionError, match="RAY_TLS_SERVER_KEY"):
        check("10.0.0.1:6379")
    for name in TLS:
        monkeypatch.setenv(name, "file.pem")
    check("10.0.0.1:6379")
    check("[fd00::1]:6379")
    with pytest.raises(OptionError, match="public"):
        check("8.8.8.8:6379")
