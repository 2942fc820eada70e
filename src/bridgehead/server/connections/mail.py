"""Mail by the SMTP server of the host, sent in a thread."""

from __future__ import annotations

import email.policy
import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from bridgehead.core.errors import BridgeheadError

PATIENCE = 15.0  # seconds for a connection to the SMTP server
ALIASES = {"googlemail.com": "gmail.com"}  # hosts of the same mailboxes
DOTLESS = ("gmail.com",)  # hosts that ignore dots in the name of a mailbox
PORTS = {"smtp": 587, "smtps": 465}


class Undeliverable(Exception):
    """The SMTP server refuses this address for good."""


class Mailer(NamedTuple):
    """How mail is sent. secure: TLS from the beginning; plain: no TLS is needed, because the server is this machine."""

    host: str
    port: int
    secure: bool
    plain: bool
    user: str
    password: str
    sender: str

    def send(self, to: str, subject: str, text: str, headers: Mapping[str, str]) -> None:
        """In a thread: send a mail. Errors: Undeliverable; OSError and smtplib.SMTPException, which may pass."""
        mail = EmailMessage(policy=email.policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = self.sender, to, subject
        mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain=self.sender.rpartition("@")[2].rstrip(">"))
        mail["Auto-Submitted"] = "auto-generated"
        for name, value in headers.items():
            mail[name] = value
        mail.set_content(text)
        try:
            with self._connect() as server:
                server.send_message(mail)
        except smtplib.SMTPRecipientsRefused as error:
            code, _ = next(iter(error.recipients.values()))
            if code >= 500:
                raise Undeliverable(to) from None
            raise

    def _connect(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self.secure:
            server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=PATIENCE, context=context)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=PATIENCE)
        try:
            if not self.secure and not self.plain:
                server.starttls(context=context)
            if self.user:
                server.login(self.user, self.password)
        except BaseException:
            server.close()
            raise
        return server


def mailer(url: str, sender: str) -> Mailer | None:
    """The mailer of BRIDGEHEAD_SMTP and BRIDGEHEAD_MAIL_FROM; None without them. Errors: BridgeheadError."""
    if not url and not sender:
        return None
    parts = urlsplit(url)
    try:
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        port = 0
    if parts.scheme not in PORTS or not parts.hostname or not port:
        raise BridgeheadError("server:error.smtp", "BRIDGEHEAD_SMTP")
    if not is_address(sender):
        raise BridgeheadError("server:error.mail_from", "BRIDGEHEAD_MAIL_FROM")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    plain = parts.hostname in ("127.0.0.1", "localhost", "::1")
    return Mailer(parts.hostname, port, parts.scheme == "smtps", plain, user, password, sender)


def is_address(text: str) -> bool:
    """Does it look like one mail address? Only the mail that asks for consent shows whether it is one."""
    name, at, host = text.rpartition("@")
    plain = text.isascii() and text.isprintable() and not any(letter in ' ,;:<>()[]\\"' for letter in text)
    return plain and bool(name and at) and "@" not in name and "." in host.strip(".") and len(text) <= 254


def mailbox_of(address: str) -> str:
    """The mailbox of a mail address, for counting: many spellings reach one box.

    Case makes no difference anywhere that matters, nor does what follows a plus, nor dots at the providers that ignore them.
    """
    name, _, host = address.lower().rpartition("@")
    host = host.strip(".")
    host = ALIASES.get(host, host)
    box = name.split("+")[0] or name
    return f"{box.replace('.', '') or box if host in DOTLESS else box}@{host}"
