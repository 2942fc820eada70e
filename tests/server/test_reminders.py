"""Reminders: with a real SMTP server, and a push service that decrypts. At most one a turn, off by one click."""

from __future__ import annotations

import base64
import email
import email.policy
import json
import os
import re
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import pytest
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import languages
from bridgehead.server.connections.mail import Mailer, is_address, mailer
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.rooms.correspondence import LATE, SOON
from bridgehead.server.tables.days_off import DAY
from server.live import Live, Serve
from server.servers import free_port
from server.test_correspondence import Passes, all_come, look, replies, slow, take
from waiting import wait_for


class Post:
    """An SMTP server that keeps all mail. Addresses at nowhere.example do not exist; with `broken` it takes nothing for now."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.broken = False
        self.controller = Controller(self, "127.0.0.1", free_port())  # type: ignore[no-untyped-call]
        self.controller.start()  # type: ignore[no-untyped-call]

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.broken:
            return "451 later"
        if address.endswith("nowhere.example"):
            return "550 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        found = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        self.mails.append(found)
        return "250 OK"

    def text(self, n: int) -> str:
        """The text of a mail, once it has come."""
        wait_for(lambda: len(self.mails) > n)
        return str(self.mails[n].get_content())


class PushService:
    """A push service, and a browser with a subscription to it."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def subscription(self) -> str:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _text(point), "auth": _text(self.auth)}
        url = f"http://127.0.0.1:{self.server.server_port}/push/some-browser"
        return json.dumps({"endpoint": url, "expirationTime": None, "keys": keys})

    def message(self, n: int) -> Any:
        """What the browser reads of a message, once it has come."""
        wait_for(lambda: len(self.got) > n)
        return json.loads(http_ece.decrypt(self.got[n][1], private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.fixture
def post() -> Iterator[Post]:
    running = Post()
    yield running
    running.controller.stop()  # type: ignore[no-untyped-call]


@pytest.fixture
def push() -> Iterator[PushService]:
    running = PushService()
    yield running
    running.server.shutdown()


@pytest.fixture
def own(serve: Serve, post: Post) -> Live:
    port = post.controller.port
    return serve(hooks=Webhooks(anywhere=True), mail=mailer(f"smtp://127.0.0.1:{port}", "games@club.example"))


def switch(live: Live, lang: str = "en", **wish: Any) -> Any:
    return live.http.post(f"/api/reminders?lang={lang}", json=wish)


def seat(table: dict[str, Any], number: int) -> dict[str, Any]:
    return {"table": table["table"], "tokens": [table["tokens"][number]]}


def agreed(live: Live, post: Post, table: dict[str, Any], number: int = 0, lang: str = "en", **wish: Any) -> str:
    """Reminders by mail to which the owner has agreed; their id."""
    before = len(post.mails)
    made = switch(live, lang, kind="mail", target="ada@club.example", tables=[seat(table, number)], **wish).json()
    assert made["state"] == "asked", made
    link = re.search(r"/reminder/on/\S+", post.text(before))
    assert link and live.http.post(link[0]).status_code == 200
    return str(made["id"])


def test_a_mail_comes_once_a_turn_and_a_link_in_it_ends_them(own: Live, post: Post, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    agreed(own, post, table)
    passes(SOON + 1)
    look(own)
    text = post.text(1)
    assert "40 Bridges, with Blue: play until 20" in text and f"/t/{table['table']}" in text
    mail = post.mails[1]
    assert (
        mail["subject"] == "Bridgehead: It is your turn"
        and mail["to"] == "ada@club.example"
        and mail["from"] == "games@club.example"
    )
    passes(LATE)
    look(own)
    page = own.page(table, 0, 1)
    assert len(post.mails) == 2, "never more than one a turn"
    first = replies(())[0]
    page.act(first)
    page.act(replies((first,))[0])
    page.socket.close()
    passes(SOON + 1)
    look(own)
    again = post.text(2)
    link = re.search(r"/reminder/off/\S+", again)
    assert link and "List-Unsubscribe" in post.mails[2] and link[0] in post.mails[2]["list-unsubscribe"]
    assert "Shall these reminders end" in own.http.get(link[0]).text and own.store.read("select * from reminder")
    assert "These reminders are off" in own.http.post(link[0]).text
    assert not own.store.read("select * from reminder") and not own.store.read("select * from reminded_turn")


def test_a_mail_program_ends_them_by_one_click_too(own: Live, post: Post, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    made = agreed(own, post, table)
    answer = own.http.post(f"/reminder/off/{made}", content="List-Unsubscribe=One-Click")
    assert answer.status_code == 200
    passes(SOON + 1)
    look(own)
    assert switch(own, id=made).json()["state"] == "off"


def test_nobody_is_reminded_who_has_not_agreed(own: Live, post: Post, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    made = switch(own, kind="mail", target="ada@club.example", tables=[seat(table, 0)]).json()
    post.text(0)
    for proof in ("", "0" * 32, made["id"]):
        for ask in (own.http.get, own.http.post):
            assert "no longer valid" in ask(f"/reminder/on/{made['id']}.{proof}").text
    again = switch(own, kind="mail", target="ada@club.example")
    assert again.status_code == 400 and "a short while ago" in again.json()["error"]
    passes(SOON + 1)
    look(own)
    wait_for(lambda: own.store.read("select at from wake")[0][0] > 0)
    assert len(post.mails) == 1


def test_a_program_that_follows_the_links_of_a_mail_agrees_to_nothing(own: Live, post: Post) -> None:
    made = switch(own, kind="mail", target="ada@club.example").json()
    link = re.search(r"/reminder/on/\S+", post.text(0))
    assert link
    for method in ("GET", "HEAD", "GET"):
        own.http.request(method, link[0])
    page = own.http.get(link[0])
    assert '<form method="post"' in page.text and "Yes, remind me" in page.text
    assert "Ja, erinnere mich" in own.http.get(link[0], headers={"accept-language": "de"}).text
    assert switch(own, id=made["id"]).json()["state"] == "asked"
    own.http.get(f"/reminder/off/{made['id']}")
    assert "are on" in own.http.post(link[0]).text
    assert switch(own, id=made["id"]).json()["state"] == "on"


SPELLINGS = ["Ada.L@Gmail.com", "adal@gmail.com", "a.d.a.l+games@googlemail.com", "ADAL+@gmail.com.", "adal@GMAIL.COM"]


@pytest.mark.parametrize("spellings", [SPELLINGS, ["ada@club.example", "ADA@club.example", "Ada+x+y@Club.example."]])
def test_a_mailbox_gets_one_mail_an_hour_however_it_is_spelt(own: Live, post: Post, spellings: list[str]) -> None:
    first = switch(own, kind="mail", target=spellings[0])
    assert first.status_code == 200
    switch(own, id=first.json()["id"], off=True)  # no fresh start
    for spelling in spellings:
        assert switch(own, kind="mail", target=spelling).status_code == 400, spelling
    assert switch(own, kind="mail", target="a.da@club.example").status_code == 200, "dots count elsewhere"
    post.text(1)
    assert len(post.mails) == 2 and spellings[0].lower() not in str(own.store.read("select * from asked")).lower()
    assert switch(own, kind="mail", target="\uff41da@club.example").status_code == 400, "no full-width letters"


def test_a_mailbox_gets_three_first_mails_a_day_and_another_one_the_next(
    own: Live, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, answers = 1e9, []
    monkeypatch.setattr("bridgehead.server.rooms.reminders.time.time", lambda: now)
    for hours in (0, 0.9, 1.1, 2.2, 3.3, 20, 24.1):
        now = 1e9 + hours * 3600
        answers.append(switch(own, kind="mail", target="ada@club.example").status_code)
    assert answers == [200, 400, 200, 200, 400, 400, 200]


def test_one_address_cannot_send_mail_to_many(own: Live, post: Post) -> None:
    answers = [switch(own, kind="mail", target=f"p{n}@club.example").status_code for n in range(8)]
    assert answers == [200] * 5 + [400] * 3


@pytest.mark.parametrize("language", languages())
def test_a_discreet_mail_names_neither_game_nor_people_and_speaks_the_language(
    own: Live,
    post: Post,
    passes: Passes,
    language: str,
) -> None:
    table = slow(own)
    all_come(own, table)
    agreed(own, post, table, lang=language, discreet=True)
    passes(SOON + 1)
    look(own)
    text = post.text(1) + str(post.mails[1]["subject"])
    assert "40 Bridges" not in text and "Blue" not in text and table["table"] not in text and "/games" in text
    assert ("It is your turn" in text) == (language == "en")


def test_a_push_message_is_encrypted_for_the_browser_and_signed_by_the_host(own: Live, push: PushService, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    made = switch(own, kind="push", target=push.subscription, tables=[seat(table, 0), seat(table, 1)]).json()
    assert made["state"] == "on" and made["address"] == ""
    passes(SOON + 1)
    look(own)
    message = push.message(0)
    assert message["url"] == f"/t/{table['table']}" and "40 Bridges, with Blue" in message["body"]
    headers, body = push.got[0]
    assert headers["content-encoding"] == "aes128gcm" and b"Blue" not in body
    signed = re.fullmatch(r"vapid t=(\S+),k=(\S+)", headers["authorization"])
    assert signed and signed[2] == own.http.get("/api/reminders").json()["push"]
    assert Vapid02.verify(headers["authorization"])
    switch(own, id=made["id"], discreet=True)
    page = own.page(table, 0)
    page.act(replies(())[0])
    page.socket.close()
    passes(SOON + 1)
    look(own)
    assert push.message(1) == {"title": "It is your turn", "body": "A game waits for you.", "url": "/games", "tag": "games"}


def test_a_push_service_that_is_gone_ends_the_reminder_and_one_that_fails_is_told(
    own: Live,
    push: PushService,
    passes: Passes,
) -> None:
    table = slow(own)
    all_come(own, table)
    made = switch(own, kind="push", target=push.subscription, tables=[seat(table, 0), seat(table, 1)]).json()
    push.status = 500
    passes(SOON + 1)
    look(own)
    wait_for(lambda: switch(own, id=made["id"]).json()["problem"])
    assert switch(own, id=made["id"]).json()["problem"] == "The last push message could not be sent. The next one is tried again."
    push.status = 410
    page = own.page(table, 0)
    page.act(replies(())[0])
    page.socket.close()
    passes(SOON + 1)
    look(own)
    wait_for(lambda: switch(own, id=made["id"]).json()["state"] == "off")
    assert own.page(table).view["outcome"] is None


def test_mail_that_bounces_and_a_mail_server_that_is_away_are_told(own: Live, post: Post, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    made = switch(own, kind="mail", target="ada@nowhere.example").json()
    wait_for(lambda: switch(own, id=made["id"]).json()["state"] == "refused")
    assert "does not exist" in switch(own, id=made["id"]).json()["problem"]
    kept = agreed(own, post, table)
    post.broken = True
    passes(SOON + 1)
    look(own)
    wait_for(lambda: "could not be sent" in switch(own, id=kept).json()["problem"])
    assert switch(own, id=kept).json()["state"] == "on"


def test_who_is_at_the_table_is_reminded_late_and_who_has_days_off_is_not(own: Live, push: PushService, passes: Passes) -> None:
    table, other = slow(own), slow(own)
    all_come(own, other)
    both = [seat(table, 0), seat(other, 0)]
    assert switch(own, kind="push", target=push.subscription, tables=both).status_code == 200
    page = own.page(table, 0, 1)
    page.until(lambda view: view["clock"]["running"] == 0)
    assert take(own, other, 7, 0) == ""
    passes(SOON + 1)
    look(own)
    passes(LATE)
    look(own)
    assert push.message(0)["url"] == f"/t/{table['table']}"
    passes(7 * DAY)
    look(own)
    assert push.message(1)["url"] == f"/t/{other['table']}"


def test_who_has_lost_the_seat_is_not_reminded(own: Live, push: PushService, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    stranger = {"table": table["table"], "tokens": ["x" * 32]}
    assert switch(own, kind="push", target=push.subscription, tables=[stranger, seat(table, 0)]).status_code == 200
    assert own.store.read("select seat from reminded") == [(0,)]
    page = own.page(table, 0)
    page.say(t="seat", k="1" * 32, seat=0, do="computer", level="random")
    page.until(lambda view: view["seats"][0]["kind"] == "computer" and view["actor"] == 1)
    page.socket.close()
    passes(SOON + 1)
    look(own)
    wait_for(lambda: not own.app.state.manager.rooms)
    assert not push.got


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "mail", "target": "no address"}, {"kind": "mail", "target": "a@b.example\r\nBcc: c@d.example"}, {"kind": "mail"},
        {"kind": "push", "target": "{}"}, {"kind": "push", "target": "[" * 900}, {"kind": "pigeon"},
        {"kind": "push", "target": '{"endpoint": "https://push.example/x", "keys": {"p256dh": "no", "auth": "key"}}'},
        {"kind": "push", "target": '{"endpoint": "ftp://push.example/x", "keys": {"p256dh": "no", "auth": "key"}}'},
    ],
)  # fmt: skip
def test_what_cannot_be_reached_is_refused_in_words(own: Live, wish: dict[str, Any]) -> None:
    answer = switch(own, **wish)
    assert answer.status_code == 400 and answer.json()["error"]
    assert not own.store.read("select * from reminder")


def test_no_push_message_goes_into_the_servers_own_network(serve: Serve, push: PushService) -> None:
    live = serve()
    for url in (json.loads(push.subscription)["endpoint"], "https://127.0.0.1/push", "http://push.example/x"):
        target = json.dumps({**json.loads(push.subscription), "endpoint": url})
        assert switch(live, kind="push", target=target).status_code == 400, url
    assert switch(live, kind="mail", target="ada@club.example").json()["error"] == "This server sends no mail."


@pytest.mark.parametrize("keys", [{"auth": ""}, {"auth": "AAAA"}, {"auth": "A"}, {"p256dh": ""}, {"p256dh": "AAAA"}])
def test_a_subscription_without_whole_keys_is_refused(own: Live, push: PushService, keys: dict[str, str]) -> None:
    subscription = json.loads(push.subscription)
    target = json.dumps({**subscription, "keys": {**subscription["keys"], **keys}})
    answer = switch(own, kind="push", target=target)
    assert answer.status_code == 400 and answer.json()["error"]
    assert not own.store.read("select * from reminder")


def test_the_settings_of_mail_are_read_with_care() -> None:
    found = mailer("smtp://me:p%40ss@mail.example", "games@club.example")
    assert found == Mailer("mail.example", 587, False, False, "me", "p@ss", "games@club.example")
    assert mailer("smtps://mail.example", "games@club.example") == Mailer(
        "mail.example", 465, True, False, "", "", "games@club.example"
    )
    assert mailer("", "") is None
    for url, sender in (("mail.example", "a@b.example"), ("smtp://mail.example:x", "a@b.example"), ("smtp://mail.example", "")):
        with pytest.raises(BridgeheadError):
            mailer(url, sender)
    assert not any(map(is_address, ("", "a", "a@b", "a@b@c.de", "a b@c.de", "a@c.de\n", "@c.de", "<a@c.de>")))
