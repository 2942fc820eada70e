"""Short studies of house rules: their progress, their reports, and what one address may ask for."""

import html
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.server.http import reports
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.messages.lab import LabLight, LabReport
from bridgehead.workshop.lab import quick
from bridgehead.workshop.lab.plan import Duel, Strength
from server.live import PATIENCE, ROOMY, Live, Serve

WISH = {"game": "forty_bridges"}


def plan_here(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let plans of studies and requests of searches be made in this process, where a test has made them small."""
    ask = own.app.state.films.ask

    async def ask_here(work: Callable[..., Any], *given: Any, **more: Any) -> Any:
        return work(*given) if work in (reports.make_plan, reports.make_request) else await ask(work, *given, **more)

    monkeypatch.setattr(own.app.state.films, "ask", ask_here)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies of a few random games, in a worker that compiles nothing; it goes by the plan that it is given."""
    monkeypatch.setattr(reports, "WorkerPool", lambda count, deadline, compiled: WorkerPool(count, deadline))
    monkeypatch.setattr(quick, "STRENGTHS", (("random", 6),))
    monkeypatch.setattr(quick, "DUEL", Duel("greedy", "random", 1))
    monkeypatch.setattr(quick, "LOOKS", 0)
    monkeypatch.setattr(quick, "READINGS", 1)


def done(own: Live, key: str, way: str = "labs") -> dict[str, Any]:
    """The answer to a study. way: where it is asked for."""
    until = time.monotonic() + 12 * PATIENCE  # it may have to be compiled first
    while True:
        told: dict[str, Any] = own.http.get(f"/api/{way}/{key}").json()
        if told.get("state") == "done":
            return told
        assert "error" not in told and time.monotonic() < until, told
        time.sleep(0.2)


@pytest.mark.long
def test_a_study_of_house_rules_ends_in_a_report_that_loads_nothing(tmp_path: Path, serve: Serve, small: None) -> None:
    own = serve(ROOMY._replace(labs=10_000))
    assert own.http.get("/api/labs").json() == {"reports": [], "going": []}
    begun = own.http.post("/api/labs", json=WISH)
    assert begun.status_code == 202
    other = own.http.post("/api/labs", json={**WISH, "options": {"threefold": "none"}})
    assert other.status_code == 400, "one address has one study at a time"
    told = done(own, begun.json()["key"])
    assert sorted(each["number"] for each in told["lights"]) == list(range(1, 13))
    page = own.http.get(told["report"])
    assert page.status_code == 200 and "random" in page.text and "<script" not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script" not in policy
    assert page.headers["x-frame-options"] == "DENY" and "127.0.0.1:8000" not in page.text
    assert "unsafe-inline" not in own.http.get("/lab").headers["content-security-policy"]
    (kept,) = own.http.get("/api/labs").json()["reports"]
    assert (kept["game"], kept["key"]) == ("forty_bridges", begun.json()["key"])
    assert set(kept["verdict"]) == set(languages())
    for language in languages():
        told_in = own.http.get(f"{told['report']}?lang={language}").text
        assert f'<html lang="{language}">' in told_in and kept["verdict"][language] in html.unescape(told_in)
    assert "Zwölf Fragen" in own.http.get(told["report"], headers={"accept-language": "de-DE"}).text
    found = own.ask("/api/labs/find", WISH)["report"]
    assert found["key"] == kept["key"] and kept["figures"] == []
    assert [each["kind"] for each in found["figures"]][-1:] == ["turns"] and found["figures"][-1]["games"] == 6
    assert own.ask("/api/labs/find", {**WISH, "options": {"quietLimit": 20}}) == {"report": None}
    again = own.http.post("/api/labs", json=WISH).json()["key"]
    assert again == kept["key"] and not own.app.state.labs.going, "the same rules have the same report"
    assert sorted(each.name for each in (tmp_path / "lab" / again).iterdir()) == sorted(
        [*map(reports.file_name, languages()), "told.json"]
    )


def test_what_cannot_be_studied_is_refused(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    own = serve(ROOMY._replace(labs=6))
    wrong = own.http.post("/api/labs", json={**WISH, "options": {"no such": 1}})
    assert wrong.status_code == 400 and "no such" in wrong.json()["error"]
    for path in ("/api/labs/" + "0" * 32, "/lab/" + "0" * 32, "/lab/..%2f..%2fetc"):
        assert own.http.get(path).status_code == 404
    monkeypatch.setattr(reports, "is_installed", lambda extra: False)
    missing = own.http.post("/api/labs", json=WISH, headers={"accept-language": "de"})
    assert missing.status_code == 400 and "nicht installiert" in missing.json()["error"]
    codes = [own.http.post("/api/labs", json=WISH).status_code for _ in range(8)]
    assert codes[-1] == 429


def test_of_many_reports_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "KEPT", 3)
    labs = reports.Labs(tmp_path)
    for i in range(5):
        folder = tmp_path / f"{i:032}"
        (folder / "parts").mkdir(parents=True)
        (folder / "report.html").write_text("<p>")
        told = LabReport(folder.name, "barricade", "Barricade", {}, i, {}, [LabLight(1, "good")])
        (folder / "told.json").write_bytes(msgspec.json.encode(told))
        time.sleep(0.02)
        labs.tidy(folder)
    assert [each.made for each in labs.reports()] == [4, 3, 2]
    assert not (tmp_path / f"{4:032}" / "parts").exists()
    old = tmp_path / f"{3:032}" / "told.json"
    old.write_bytes(old.read_bytes().replace(b'"verdict":{}', b'"verdict":"Fine."'))
    assert [each.verdict for each in labs.reports()] == [{}, {"en": "Fine."}, {}], "as an older release wrote it"
    assert labs.report(f"{3:032}", "de") == old.with_name("report.html")
    old.write_text("damaged")
    assert [each.made for each in labs.reports()] == [4, 2]


def test_a_study_cut_short_is_the_study_of_what_was_played() -> None:
    strengths, duels = (Strength("random", 1020), Strength("greedy", 5)), (Duel("greedy", "random", 1),)
    told = quick.plan_short_study(registry.game("forty_bridges"))
    told = msgspec.structs.replace(told, strengths=strengths, duels=duels, looks=0, readings=6)
    results = quick.Results(told)
    assert quick._lights(results)[0] == [], "nobody has played"
    parts = [next(part for part in results.parts if (part.kind, part.which) == ("games", which)) for which in (0, 1)]
    results.keep(parts[0], quick_rows(parts[0], results))
    short, played = quick.shorten_run(results), parts[0].size
    assert (
        0 < played < 1020
        and short.plan.strengths == (Strength("random", played),)
        and short.plan.duels == ()
        and short.plan.readings == 0
    )
    assert not short.missing and len(short.rows("games", 0)) == played
    assert quick._lights(results)[0] == [], "what random games alone tell does not last"
    results.keep(parts[1], quick_rows(parts[1], results))
    assert [number for number, _ in quick._lights(results)[0]] == list(range(1, 13)), "both have played"


def quick_rows(part: Any, results: Any) -> Any:
    """Rows of nothing, as many as a part has."""
    return np.zeros(part.size, results._type(part.arm, part.kind))
