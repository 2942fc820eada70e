"""Passkeys: another way for a profile's key to get to another device, where the page has https or is on localhost.

A passkey signs a challenge of the server, and its device shows the page the passkey's user handle: 32 random bytes that the page
drew when it added the passkey. The server keeps the credential's id, its public key, and the profile's key sealed under the
handle (AES-256-GCM). It keeps no handle, so its database opens no sealed key. A handle alone opens nothing either: the server
hands out a key only for a signature of the passkey. The handle could instead have been the profile's key itself. Then
whoever reads a device's passkeys would have the profile without a signature, and a removed passkey would still hold its key.

The server cannot seal a new key for passkeys whose handles it does not know. So a new key of the profile removes its passkeys
(`Profiles.renew`), and the person adds them again. As with a link, the server sees a key for the time of a request.

A challenge is a random number, the time at which it expires, and a MAC that binds both to the purpose, the site and, when a
passkey is added, the profile. All processes over a store know the key of the MAC. The first use of a challenge stores it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import is_installed, needs
from bridgehead.server.connections.rate_limits import ip
from bridgehead.server.messages.people import PasskeyAdded, PasskeyUsed, ShownPasskey
from bridgehead.server.people.profiles import NoProfile, Profiles
from bridgehead.server.storage.event_log import Conflict
from bridgehead.server.tables.stored_seats import decode_base64, digest, encode_base64

if TYPE_CHECKING:
    from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
    from webauthn.registration.verify_registration_response import VerifiedRegistration

EXTRA = "passkeys"
MOST = 20  # passkeys of one profile
PATIENCE = 300  # seconds for which a challenge may be answered
NONCE, UNTIL = 16, 8  # bytes of a challenge before its MAC
ADD = "insert into passkey values (?, ?, ?, ?, ?, ?, ?)"
Purpose = Literal["add", "use"]
T = TypeVar("T")


class Site(NamedTuple):
    """The page that asks. origin: as its browser says it; host: its name, which is the id of the relying party."""

    origin: str
    host: str


class ClientData(msgspec.Struct):
    """The part of a browser's client data that has the challenge."""

    challenge: str


def refusal(origin: str) -> str:
    """Why a page of this origin has no passkeys: the end of a sentence's key, "" if it has them."""
    if not is_installed(EXTRA):
        return "passkey_extra"
    parts = urlsplit(origin)
    host = parts.hostname or ""
    named = bool(host) and ip(host) is None and (parts.scheme == "https" or host == "localhost" or host.endswith(".localhost"))
    return "" if named else "passkey_https"


def site_of(origin: str) -> Site:
    """The site of an origin that the middleware has compared with the request's host. Errors: BridgeheadError."""
    if why := refusal(origin):
        raise BridgeheadError(f"server:error.{why}")
    return Site(origin, urlsplit(origin).hostname or "")


class Passkeys:
    """The passkeys of a store."""

    def __init__(self, profiles: Profiles) -> None:
        self.profiles, self.store, self.now = profiles, profiles.store, time.time
        self._secret = hashlib.sha512(b"bridgehead passkeys\0" + self.store.key).digest()

    async def of_profile(self, profile: str) -> list[ShownPasskey]:
        """The passkeys of a profile, the newest first. Errors: StorageError."""
        query = "select id, host, since from passkey where profile = ? order by since desc, id"
        return [ShownPasskey(*row) for row in await asyncio.to_thread(self.store.read, query, profile)]

    def challenge(self, purpose: Purpose, site: Site, profile: str = "") -> bytes:
        """A fresh challenge for one use. profile: the id of the one that gets the passkey."""
        begun = secrets.token_bytes(NONCE) + (int(self.now()) + PATIENCE).to_bytes(UNTIL, "big")
        return begun + self._mac(begun, purpose, site, profile)

    async def add(self, site: Site, asked: PasskeyAdded) -> str:
        """Store a new passkey of the profile with this key; the profile's id. Errors: BridgeheadError, StorageError."""
        found = await self.profiles.of_key(asked.key)
        challenge = await self._spend(asked.client, "add", site, found.id)
        if len(await self.of_profile(found.id)) >= MOST:
            raise BridgeheadError("server:error.passkey_many", most=MOST)
        made = await asyncio.to_thread(_checked, lambda: _registered(site, challenge, asked))
        name = encode_base64(made.credential_id)
        public, sealed = encode_base64(made.credential_public_key), _sealed(asked.key, decode_base64(asked.handle), name)
        try:
            await self.store.write((ADD, (name, found.id, site.host, self.now(), public, sealed, made.sign_count)))
        except Conflict:
            raise BridgeheadError("server:error.passkey_known") from None
        return found.id

    async def use(self, site: Site, asked: PasskeyUsed) -> str:
        """The key of the profile whose passkey signs the challenge. Errors: BridgeheadError, StorageError."""
        challenge = await self._spend(asked.client, "use", site)
        query = "select profile, public, sealed, count from passkey where id = ? and host = ?"
        rows = await asyncio.to_thread(self.store.read, query, asked.id, site.host)
        if not rows:
            raise BridgeheadError("server:error.passkey_unknown")
        profile, public, sealed, count = rows[0]
        shown = await asyncio.to_thread(_checked, lambda: _authenticated(site, challenge, asked, decode_base64(public), count))
        key = _opened(sealed, decode_base64(asked.handle), asked.id)
        try:
            found = await self.profiles.of_key(key)
        except NoProfile:
            found = None
        if found is None or found.id != profile:
            raise BridgeheadError("server:error.passkey_unknown")
        if shown.new_sign_count != count:
            await self.store.write(("update passkey set count = ? where id = ?", (shown.new_sign_count, asked.id)))
        return key

    async def remove(self, key: str, name: str) -> str:
        """Remove a passkey from the profile with this key; the profile's id. Errors: NoProfile, StorageError."""
        found = await self.profiles.of_key(key)
        await self.store.write(("delete from passkey where id = ? and profile = ?", (name, found.id)))
        return found.id

    def _mac(self, begun: bytes, purpose: Purpose, site: Site, profile: str) -> bytes:
        return hmac.digest(self._secret, begun + f"{purpose}\n{site.origin}\n{profile}".encode(), "sha256")

    async def _spend(self, client: str, purpose: Purpose, site: Site, profile: str = "") -> bytes:
        """The challenge in a browser's client data, which is used up now. Errors: BridgeheadError, StorageError."""
        try:
            challenge = decode_base64(msgspec.json.decode(decode_base64(client), type=ClientData).challenge)
        except (msgspec.MsgspecError, ValueError) as error:
            raise BridgeheadError("server:error.passkey_wrong") from error
        begun, mac = challenge[: NONCE + UNTIL], challenge[NONCE + UNTIL :]
        if not hmac.compare_digest(mac, self._mac(begun, purpose, site, profile)):
            raise BridgeheadError("server:error.passkey_wrong")
        until = int.from_bytes(begun[NONCE:], "big")
        if until < self.now():
            raise BridgeheadError("server:error.passkey_late")
        forget = "delete from challenge where until < ?", (self.now(),)
        try:
            await self.store.write(forget, ("insert into challenge values (?, ?)", (digest(encode_base64(challenge)), until)))
        except Conflict:
            raise BridgeheadError("server:error.passkey_late") from None
        return challenge


def _sealed(key: str, handle: bytes, name: str) -> str:
    nonce = secrets.token_bytes(12)
    return encode_base64(nonce + AESGCM(handle).encrypt(nonce, key.encode(), name.encode()))


def _opened(sealed: str, handle: bytes, name: str) -> str:
    whole = decode_base64(sealed)
    try:
        return AESGCM(handle).decrypt(whole[:12], whole[12:], name.encode()).decode()
    except InvalidTag:
        raise BridgeheadError("server:error.passkey_wrong") from None


def _checked(verify: Callable[[], T]) -> T:
    try:
        return verify()
    except Exception as error:  # bytes of a stranger fail in many ways
        raise BridgeheadError("server:error.passkey_wrong") from error


def _registered(site: Site, challenge: bytes, asked: PasskeyAdded) -> VerifiedRegistration:
    with needs(EXTRA):
        from webauthn import verify_registration_response
        from webauthn.helpers.structs import AuthenticatorAttestationResponse, RegistrationCredential
    response = AuthenticatorAttestationResponse(decode_base64(asked.client), decode_base64(asked.attestation))
    made = verify_registration_response(
        credential=RegistrationCredential(asked.id, decode_base64(asked.id), response), expected_challenge=challenge,
        expected_rp_id=site.host, expected_origin=site.origin, require_user_verification=True,
    )  # fmt: skip
    if encode_base64(made.credential_id) != asked.id:
        raise ValueError(asked.id)
    return made


def _authenticated(
    site: Site, challenge: bytes, asked: PasskeyUsed, public: bytes, count: int
) -> VerifiedAuthentication:  # fmt: skip
    with needs(EXTRA):
        from webauthn import verify_authentication_response
        from webauthn.helpers.structs import AuthenticationCredential, AuthenticatorAssertionResponse
    response = AuthenticatorAssertionResponse(
        decode_base64(asked.client),
        decode_base64(asked.authenticator),
        decode_base64(asked.signature),
        decode_base64(asked.handle),
    )
    return verify_authentication_response(
        credential=AuthenticationCredential(asked.id, decode_base64(asked.id), response), expected_challenge=challenge,
        expected_rp_id=site.host, expected_origin=site.origin, credential_public_key=public,
        credential_current_sign_count=count, require_user_verification=True,
    )  # fmt: skip
