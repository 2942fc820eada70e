"""What docs/lookup/promises.md promises: today's code reads the files of every version since 0.2.0 and finds the same in them.

`server/test_formats.py` opens the stores among these files. Where a file fails here, the code is put right and the file stays.
"""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bridgehead
import in_node
from bridgehead.core import link, record
from bridgehead.core.version import __version__
from bridgehead.fairness import proof, receipt
from programs import program

ROOT = Path(__file__).parents[1]
KEPT = Path(__file__).parent / "kept"
VERSIONS = sorted(path.name for path in KEPT.iterdir())
PARTS = {
    "boards.json",
    "messages.json",
    "names.json",
    "proofs",
    "proofs.json",
    "receipt.json",
    "records",
    "records.json",
    "requests.json",
    "store",
}
OTHER_SOURCES = "fairness:finding.sources"  # a proof names the sources of its day, and says where others are installed

keep = program("keep")
Signature = dict[str, str] | None  # as of `keep.signature_of`


def read(version: str, name: str) -> Any:
    return json.loads((KEPT / version / name).read_text("utf-8"))


def kept(name: str) -> list[tuple[str, str]]:
    """Each version with each entry of its file of that name."""
    return [(version, entry) for version in VERSIONS for entry in read(version, name)]


def test_every_version_since_the_promise_has_its_files() -> None:
    released = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(set(released) - {"0.1.0"}) == VERSIONS and __version__ in VERSIONS
    for version in VERSIONS:
        assert {path.name for path in (KEPT / version).iterdir()} == PARTS, version


def test_every_promise_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "lookup" / "promises.md").read_text("utf-8")
    tests = "".join(file.read_text("utf-8") for file in Path(__file__).parent.rglob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", page)
    assert len(named) > 6 and all(f"def {name}(" in tests for name in named)
    files = re.findall(r"`(?:tests/)?(\w+/test_\w+\.py|test_\w+\.py)`", page)
    assert files and all((Path(__file__).parent / name).exists() for name in files)


# Records and links


@pytest.mark.parametrize(("version", "name"), kept("records.json"))
def test_a_record_and_its_link_give_the_same_game(version: str, name: str) -> None:
    says, text = read(version, "records.json")[name], (KEPT / version / "records" / f"{name}.txt").read_text("utf-8")
    for match, names in (record.load(text), link.read(says["link"])):
        assert keep.describe(match) == {key: each for key, each in says.items() if key != "link"}
        assert record.dump(match, names) == text


def test_the_records_have_all_games_house_rules_own_boards_a_study_and_an_end_by_people() -> None:
    for version in VERSIONS:
        matches = [
            record.load((KEPT / version / "records" / f"{name}.txt").read_text("utf-8"))[0]
            for name in read(version, "records.json")
        ]
        for name in ("barricade", "burning_bridges", "forty_bridges", "front_lines"):
            options = [match.game.options for match in matches if match.game.spec.id == name]
            assert len(set(map(str, options))) >= 3, name
        assert any(match.remarks for match in matches) and any(match.ended for match in matches)


@pytest.mark.parametrize(("version", "game"), kept("boards.json"))
def test_an_own_board_is_played_on(version: str, game: str) -> None:
    assert bridgehead.game(game, board=read(version, "boards.json")[game]["board"], seats=2).start().legal


@pytest.mark.wide
@pytest.mark.parametrize("version", VERSIONS)
def test_a_page_opens_a_link_to_a_board(version: str, tmp_path: Path) -> None:
    program = """
    globalThis.window = globalThis;
    globalThis.document = { documentElement: { lang: "en", dataset: {} } };
    globalThis.fetch = async () => ({ json: async () => ({}) }); // words
    const { unpack } = await import("./base/link_codec.js");
    const found = {};
    for (const [name, each] of Object.entries(given)) found[name] = await unpack(each.link);
    console.log(JSON.stringify(found));
    """
    says = read(version, "boards.json")
    assert in_node.run(tmp_path, program, says) == {name: each["board"] for name, each in says.items()}


# Proofs and receipts


@pytest.mark.parametrize(("version", "name"), kept("proofs.json"))
def test_a_proof_gives_the_same_findings(version: str, name: str) -> None:
    told = proof.read((KEPT / version / "proofs" / name).read_bytes())
    assert any(actor == proof.BACK for actor, _ in told.log), "a decision was taken back"  # type: ignore[union-attr]
    findings = [[each.verdict, each.phrase.key] for each in proof.verify(told)]
    assert [each for each in findings if each[1] != OTHER_SOURCES] == read(version, "proofs.json")[name]


def test_there_is_a_proof_of_each_level() -> None:
    for version in VERSIONS:
        told = [proof.read(file.read_bytes()) for file in (KEPT / version / "proofs").iterdir()]
        assert {era.level for each in told for era in each.eras} == {1, 2}  # type: ignore[union-attr]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_receipt_still_holds(version: str) -> None:
    assert receipt.read((KEPT / version / "receipt.json").read_bytes()).holds


# The names of the API


def broken_names(old: dict[str, Signature], new: dict[str, Signature]) -> Iterator[str]:
    """What a program written for the old names can no longer do."""
    for name, before in old.items():
        now = new.get(name)
        if name not in new:
            yield f"{name} is gone"
        elif (before is None) != (now is None):
            yield f"{name} is called otherwise"
        elif before is not None and now is not None:
            yield from (f"{name}: {what}" for what in _broken_calls(before, now))


def _broken_calls(before: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    places = [name for name, kind in now.items() if kind.startswith("positional")]
    old_places = [name for name, kind in before.items() if kind.startswith("positional")]
    if places[: len(old_places)] != old_places:
        yield "parameters by place changed"
    for name, kind in before.items():
        there = now.get(name) or ("keyword?" if kind.startswith("keyword") and "**" in now.values() else "")
        if not there and kind not in ("*", "**"):
            yield f"{name} is gone"
        elif kind in ("*", "**") and kind not in now.values():
            yield f"{kind} is gone"
        elif kind.endswith("?") and not there.endswith("?"):
            yield f"{name} has to be given"
    for name, kind in now.items():
        if name not in before and kind in ("positional", "keyword"):
            yield f"{name} has to be given"


@pytest.mark.parametrize("version", VERSIONS)
def test_every_public_name_is_there_and_is_called_as_before(version: str) -> None:
    """Before a release has its tag, `tools/keep.py names` writes its names again; afterwards a name stays."""
    assert list(broken_names(read(version, "names.json"), keep.public_names())) == []


def test_a_name_that_goes_or_asks_for_more_is_noticed() -> None:
    old: dict[str, Signature] = {"f": {"a": "positional", "b": "positional?", "c": "keyword?"}, "value": None}
    fine: list[Any] = [old["f"], {**(old["f"] or {}), "d": "keyword?"}, {"a": "positional", "b": "positional?", "more": "**"}]
    for new in fine:
        assert list(broken_names(old, {"f": new, "value": None, "g": None})) == []
    wrong: list[Any] = [None, {"a": "positional"}, {"b": "positional?", "a": "positional", "c": "keyword?"},
                        {**(old["f"] or {}), "d": "keyword"}, {**(old["f"] or {}), "c": "keyword"}]  # fmt: skip
    for new in wrong:
        assert list(broken_names(old, {"f": new, "value": None})), new
    assert list(broken_names(old, {"f": old["f"]})) == ["value is gone"]


# The protocol


class Widening:
    """Does a schema accept whatever another one accepts? Both are JSON schemas of msgspec, with named parts.

    ignoring: values may have fields that the wider one does not know, and texts that it does not list, as programs at a server's
    tables have to ignore both.
    """

    def __init__(self, wide: dict[str, Any], narrow: dict[str, Any], ignoring: bool) -> None:
        self.wide, self.narrow, self.ignoring = wide, narrow, ignoring
        self.found: dict[tuple[int, int], bool] = {}  # of parts that are compared or being compared: schemas name one another

    def covers(self, wide: Any, narrow: Any) -> bool:
        wide, narrow = self._named(wide, self.wide), self._named(narrow, self.narrow)
        pair = id(wide), id(narrow)
        if pair not in self.found:
            self.found[pair] = True
            self.found[pair] = self._compare(wide, narrow)
        return self.found[pair]

    def _compare(self, wide: Any, narrow: Any) -> bool:
        if "anyOf" in narrow:
            return all(self.covers(wide, each) for each in self._known(narrow["anyOf"], wide))
        if "anyOf" in wide:
            return any(self.covers(each, narrow) for each in wide["anyOf"])
        if not self._plain(wide, narrow):
            return False
        if wide.get("type") == "object":
            return self._objects(wide, narrow)
        if wide.get("type") == "array":
            return self._arrays(wide, narrow)
        return True

    @staticmethod
    def _named(each: Any, parts: dict[str, Any]) -> Any:
        while "$ref" in each:
            each = parts[each["$ref"].rpartition("/")[2]]
        return each

    def _known(self, options: list[Any], wide: Any) -> list[Any]:
        """Without the messages of other tags, if those are ignored."""
        if not self.ignoring:
            return options
        tags = {self._tag(each, self.wide) for each in wide.get("anyOf", [wide])}
        return [each for each in options if not (tag := self._tag(each, self.narrow)) or tag in tags]

    def _tag(self, each: Any, parts: dict[str, Any]) -> str:
        return "".join(self._named(each, parts).get("properties", {}).get("t", {}).get("enum", []))

    def _plain(self, wide: Any, narrow: Any) -> bool:
        """Types, listed values and limits."""
        if "type" in wide and wide["type"] != narrow.get("type") and (wide["type"], narrow.get("type")) != ("number", "integer"):
            return False
        if "enum" in wide and not self.ignoring and not set(narrow.get("enum", [None])) <= set(wide["enum"]):
            return False
        least, most = (
            ("minimum", "exclusiveMinimum", "minLength", "minItems"),
            ("maximum", "exclusiveMaximum", "maxLength", "maxItems"),
        )
        loose = all(name not in wide or narrow.get(name, float("-inf")) >= wide[name] for name in least)
        loose = loose and all(name not in wide or narrow.get(name, float("inf")) <= wide[name] for name in most)
        return self.ignoring or (loose and wide.get("pattern") in (None, narrow.get("pattern")))

    def _objects(self, wide: Any, narrow: Any) -> bool:
        fields, more = wide.get("properties", {}), wide.get("additionalProperties", {})
        if not set(wide.get("required", [])) <= set(narrow.get("required", [])):
            return False
        for name, each in narrow.get("properties", {}).items():
            if name not in fields and more is False and not self.ignoring:
                return False
            if name in fields and not self.covers(fields[name], each):
                return False
        inner, outer = narrow.get("additionalProperties"), more
        return not (isinstance(inner, dict) and isinstance(outer, dict)) or self.covers(outer, inner)

    def _arrays(self, wide: Any, narrow: Any) -> bool:
        places = zip(wide.get("prefixItems", []), narrow.get("prefixItems", []), strict=False)
        if len(wide.get("prefixItems", [])) != len(narrow.get("prefixItems", [])) or not all(
            self.covers(*each) for each in places
        ):
            return False
        outer, inner = wide.get("items"), narrow.get("items")
        return not (isinstance(outer, dict) and isinstance(inner, dict)) or self.covers(outer, inner)


def accepts(wide: dict[str, Any], narrow: dict[str, Any], name: str, ignoring: bool = False) -> bool:
    at = {"$ref": f"#/{name}"}
    return Widening(wide, narrow, ignoring).covers(at, at)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_server_understands_every_message_of_an_older_program_and_that_program_the_servers(version: str) -> None:
    old, new = read(version, "messages.json"), keep.messages()
    assert accepts(new, old, "ClientMessage")
    assert accepts(old, new, "ServerMessage", ignoring=True)


def broken_requests(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """The requests of an older program that are gone, refused, or answered with less than before."""
    olds, news = ({name[1:]: each for name, each in there.items() if name.startswith("#")} for there in (old, new))
    for name in old:
        if name.startswith("#"):
            continue
        if name not in new:
            yield f"{name} is gone"
            continue
        before, now = old[name], new[name]
        if "body" in now and not Widening(news, olds, False).covers(now["body"], before.get("body", {})):
            yield f"{name}: body"
        if "answer" in before and not Widening(olds, news, True).covers(before["answer"], now.get("answer", {})):
            yield f"{name}: answer"


@pytest.mark.parametrize("version", VERSIONS)
def test_every_request_is_answered_as_before(version: str) -> None:
    assert list(broken_requests(read(version, "requests.json"), keep.requests())) == []


def changed(schema: dict[str, Any], part: str, **fields: Any) -> dict[str, Any]:
    """The schemas with other keys at one part."""
    other = copy.deepcopy(schema)
    other[part] |= fields
    return other


def test_a_message_or_request_that_an_older_program_does_not_know_is_noticed() -> None:
    now = keep.messages()
    act, ack = now["PlayAction"], now["Ack"]
    assert accepts(now, now, "ClientMessage") and accepts(now, now, "ServerMessage", ignoring=True)
    more = {"properties": {**act["properties"], "x": {"type": "string"}}}
    assert accepts(changed(now, "PlayAction", **more), now, "ClientMessage")
    for wrong in ({"required": [*act["required"], "x"], **more}, {"properties": {"t": act["properties"]["t"]}},
                  {"properties": {**act["properties"], "a": {"type": "string"}}}):  # fmt: skip
        assert not accepts(changed(now, "PlayAction", **wrong), now, "ClientMessage"), wrong
    told = {"properties": {**ack["properties"], "x": {"type": "string"}}, "required": [*ack["required"], "x"]}
    assert accepts(now, changed(now, "Ack", **told), "ServerMessage", ignoring=True)
    for wrong in ({"required": ["t"]}, {"properties": {**ack["properties"], "v": {"type": "string"}}}):
        assert not accepts(now, changed(now, "Ack", **wrong), "ServerMessage", ignoring=True), wrong
    asked = keep.requests()
    gone = {name: each for name, each in asked.items() if name != "POST /api/tables"}
    assert list(broken_requests(asked, asked)) == [] and list(broken_requests(asked, gone)) == ["POST /api/tables is gone"]
    asks = changed(asked, "#NewTable", required=["game", "captcha"])
    assert "POST /api/tables: body" in list(broken_requests(asked, asks))
    assert "POST /api/tables: answer" in list(broken_requests(asked, changed(asked, "#CreatedTable", required=[])))
