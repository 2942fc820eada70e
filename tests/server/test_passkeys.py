"""Passkeys: another device gets a profile by a signature, and by nothing that is altered, replayed, late or somebody else's."""

from __future__ import annotations

import asyncio
import secrets
import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from bridgehead.core.phrases import languages
from bridgehead.server.catalogue import WORDS
from bridgehead.server.people import passkeys
from bridgehead.server.people.passkeys import MOST, PATIENCE
from bridgehead.server.storage.backup import put_back, save
from bridgehead.server.storage.sqlite import FILE, Store
from server.authenticator import PRESENT, Authenticator
from server.clubs import Person
from server.live import Live, Serve
from server.test_stores import opened

WRONG, UNKNOWN, LATE = "could not verify this passkey", "does not know this passkey", "has run out, or it was sent twice"


class Device:
    """A browser at `http://localhost` with a passkey."""

    def __init__(self, live: Live) -> None:
        self.live, self.host = live, live.host.replace("127.0.0.1", "localhost")
        self.passkey = Authenticator(f"http://{self.host}")

    def post(self, path: str, body: dict[str, Any], status: int = 200, origin: str = "") -> dict[str, Any]:
        headers = {"host": self.host, "origin": origin or f"http://{self.host}"}
        return self.live.ask(f"/api/profile/passkeys{path}", body, status, headers=headers)

    def challenge(self, key: str = "") -> str:
        return self.post("/challenge", {"key": key})["challenge"]

    def add(self, person: Person, status: int = 200, **more: Any) -> dict[str, Any]:
        challenge = more.pop("challenge", "") or self.challenge(person.key)
        return self.post("/add", {"key": person.key, **self.passkey.made(challenge, **more)}, status)

    def use(self, status: int = 200, change: dict[str, str] | None = None, **more: Any) -> str:
        """Sign in: the key, or the error. change: of the body."""
        challenge = more.pop("challenge", "") or self.challenge()
        answer = self.post("/use", {**self.passkey.shown(challenge, **more), **(change or {})}, status)
        return str(answer["key" if status == 200 else "error"])


def altered(text: str) -> str:
    """The same bytes but for one bit, in base64."""
    whole = bytearray(passkeys.decode_base64(text))
    whole[-1] ^= 1
    return passkeys.encode_base64(bytes(whole))


def test_another_device_signs_in_and_the_server_stores_no_key_and_no_handle(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    [shown] = device.add(ada)["passkeys"]
    assert shown["id"] == device.passkey.id and shown["host"] == "localhost" and abs(shown["since"] - time.time()) < 60
    assert device.use() == ada.key == device.use(), "with a new challenge each time"
    stored = str(own.store.read("select * from passkey"))
    assert device.passkey.id in stored
    assert all(each not in stored for each in (ada.key, passkeys.encode_base64(device.passkey.handle)))


def test_a_page_of_another_site_gets_no_signature_accepted(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    device.passkey.origin = "https://evil.example"
    assert WRONG in device.add(ada, 400)["error"]
    device.passkey.origin = f"http://{device.host}"
    device.add(ada)
    device.passkey.origin = "https://evil.example"
    assert WRONG in device.use(400)
    device.passkey.origin = f"http://{device.host}"
    device.passkey.host = "evil.example"
    assert WRONG in device.use(400)
    other = Authenticator(device.passkey.origin, "evil.example")
    challenge = device.challenge(ada.key)
    assert WRONG in device.post("/add", {"key": ada.key, **other.made(challenge)}, 400)["error"]
    assert device.post("/challenge", {"key": ""}, 403, origin="https://evil.example")["where"] == "Origin"


def test_a_challenge_is_for_one_use_for_a_time_for_one_purpose_and_one_profile(own: Live) -> None:
    ada, ben, device = Person(own, "Ada"), Person(own, "Ben"), Device(own)
    mine = device.challenge(ada.key)
    device.add(ada, challenge=mine)
    assert LATE in device.add(ada, 400, challenge=mine)["error"]
    used = device.challenge()
    device.use(challenge=used)
    assert LATE in device.use(400, challenge=used)
    for wrong in (
        device.challenge(ben.key),
        device.challenge(),
        passkeys.encode_base64(secrets.token_bytes(56)),
        altered(device.challenge(ada.key)),
    ):
        assert WRONG in device.add(ada, 400, challenge=wrong)["error"]
    assert WRONG in device.use(400, challenge=device.challenge(ada.key)), "a challenge to add one is none to sign in"
    service, kept = own.app.state.people.passkeys, device.challenge()
    service.now = lambda: time.time() + PATIENCE + 2
    assert LATE in device.use(400, challenge=kept)
    device.use()
    assert len(own.store.read("select * from challenge")) == 1, "used challenges are forgotten when nobody can send them again"


def test_a_failed_attempt_uses_the_challenge_up(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    device.add(ada)
    challenge = device.challenge()
    assert WRONG in device.use(400, challenge=challenge, flags=PRESENT)
    assert LATE in device.use(400, challenge=challenge)


def test_anything_altered_is_refused(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    assert WRONG in device.add(ada, 400, flags=PRESENT)["error"], "the device has to verify its person"
    assert WRONG in device.add(ada, 400, kind="webauthn.get")["error"]
    device.add(ada)
    assert WRONG in device.use(400, flags=PRESENT) and WRONG in device.use(400, kind="webauthn.create")
    shown = device.passkey.shown(device.challenge())
    for part in ("signature", "authenticator", "handle"):
        assert WRONG in device.use(400, change={part: altered(shown[part])})
    for part in ("client", "signature", "authenticator"):
        assert WRONG in device.use(400, change={part: "AA"})
    assert device.use() == ada.key


def test_nobody_signs_in_with_the_credential_of_another_person(own: Live) -> None:
    ada, eve, device, other = Person(own, "Ada"), Person(own, "Eve"), Device(own), Device(own)
    device.add(ada), other.add(eve)
    assert WRONG in other.use(400, change={"id": device.passkey.id}), "signed by Eve's device, with the id of Ada's passkey"
    stolen = passkeys.encode_base64(device.passkey.handle)
    assert WRONG in other.use(400, change={"id": device.passkey.id, "handle": stolen}), "the handle alone opens nothing"
    assert WRONG in other.use(400, change={"handle": stolen})
    other.passkey.raw = device.passkey.raw
    assert "in use already" in other.add(eve, 400)["error"]
    other.post("/remove", {"key": eve.key, "id": device.passkey.id})
    assert device.use() == ada.key, "only its profile removes a passkey"


def test_a_copied_authenticator_whose_counter_stands_behind_is_refused(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    device.add(ada)
    device.use()
    device.passkey.count = 0
    assert WRONG in device.use(400)


def test_a_removed_passkey_a_deleted_profile_and_a_new_key_end_it(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    device.add(ada)
    assert device.post("/remove", {"key": ada.key, "id": device.passkey.id})["passkeys"] == []
    assert UNKNOWN in device.use(400)
    device.add(ada)
    fresh = secrets.token_urlsafe(32)
    ada.ask("key", fresh=fresh)
    assert UNKNOWN in device.use(400)
    ada.key = fresh
    assert device.post("", {"key": fresh}) == {"refused": "", "passkeys": []}
    device.add(ada)
    assert device.use() == fresh
    ada.ask("delete")
    assert UNKNOWN in device.use(400) and own.store.read("select * from passkey") == []


def test_a_passkey_added_while_the_key_was_renewed_gives_nothing(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    device.add(ada)
    [row] = own.store.read("select * from passkey")
    ada.ask("key", fresh=secrets.token_urlsafe(32))
    asyncio.run_coroutine_threadsafe(own.store.write((passkeys.ADD, tuple(row))), own.loop).result()
    assert UNKNOWN in device.use(400)


def test_a_profile_has_so_many_passkeys_and_the_export_names_them_without_secrets(own: Live) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    device.add(ada)
    assert device.post("/challenge", {"key": ada.key})["known"] == [device.passkey.id]
    for _ in range(MOST - 1):
        device.passkey = Authenticator(device.passkey.origin)
        own.app.state.asked["claims"]._buckets.clear()
        device.add(ada)
    device.passkey = Authenticator(device.passkey.origin)
    own.app.state.asked["claims"]._buckets.clear()
    assert f"at most {MOST}" in device.add(ada, 400)["error"]
    whole = ada.ask("export")
    assert [sorted(each) for each in whole["passkeys"]] == [["host", "since"]] * MOST and ada.key not in str(whole)


@pytest.mark.parametrize(
    ("origin", "key"),
    [
        ("http://club.example", "passkey_https"), ("http://192.168.1.5:8000", "passkey_https"),
        ("https://192.168.1.5", "passkey_https"), ("https://[::1]", "passkey_https"), ("", "passkey_https"),
        ("https://club.example", ""), ("https://club.example:8443", ""), ("http://localhost:8000", ""),
    ],
)  # fmt: skip
def test_passkeys_need_https_and_a_name_or_localhost(origin: str, key: str) -> None:
    assert passkeys.refusal(origin) == key
    if not key:
        assert passkeys.site_of(origin) == (origin, origin.split("//")[1].split(":")[0])


def test_a_page_without_https_and_a_server_without_the_extra_say_so_in_every_language(
    own: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, device = Person(own, "Ada"), Device(own)
    plain = own.http.post("/api/profile/passkeys/challenge", json={"key": ""}, headers={"origin": own.url})
    assert plain.status_code == 400 and "begins with https" in plain.json()["error"]
    monkeypatch.setattr(passkeys, "is_installed", lambda extra: False)
    said = {device.post(f"?lang={lang}", {"key": ada.key})["refused"] for lang in languages()}
    assert said == {WORDS.text("error.passkey_extra", lang) for lang in languages()} and len(said) == len(languages())
    assert "not installed" in device.post("/challenge", {"key": ada.key}, 400)["error"]


def test_passkeys_survive_a_backup_and_come_to_a_file_of_the_release_before(tmp_path: Path) -> None:
    Store(tmp_path / FILE).close()
    connection = apsw.Connection(str(tmp_path / FILE))
    for name in ("passkey", "challenge"):
        connection.execute(f"drop table {name}")
    connection.close()
    first = Live(tmp_path)
    ada, device = Person(first, "Ada"), Device(first)
    device.add(ada)
    save(tmp_path / "copy", tmp_path)
    first.stop()
    put_back(tmp_path / "copy", tmp_path / "second")
    second = Live(tmp_path / "second")
    device.live, device.host = second, second.host.replace("127.0.0.1", "localhost")
    device.passkey.origin = f"http://{device.host}"
    assert device.use() == ada.key
    second.stop()


def test_both_databases_keep_passkeys(place: str, serve: Serve) -> None:
    own = serve(store=opened(place))
    ada, device = Person(own, "Ada"), Device(own)
    device.add(ada)
    assert device.use() == ada.key
    challenge = device.challenge()
    device.use(challenge=challenge)
    assert LATE in device.use(400, challenge=challenge)
    ada.ask("delete")
    assert UNKNOWN in device.use(400)
