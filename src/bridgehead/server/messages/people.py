"""People: profiles and their games, passkeys, blocks, reports to the host, rating lists."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.server.messages.client import TableId, Token
from bridgehead.server.messages.server import Sentence

CredentialId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,1400}\\Z")]  # of a passkey, in base64 for addresses
CredentialPart = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,12000}\\Z")]  # bytes from an authenticator, likewise
ProfileKey = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}\\Z")]  # 32 random bytes, in base64 for addresses
OptionalKey = Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{43})?\\Z")]  # "": without a profile
Livery = Literal["a", "b", "c", "d", "e", "f", "g"]
ComplaintReason = Literal["chat", "name", "stalling", "cheating", "other"]
End = Literal["won", "lost", "drawn"]


class ProfileAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of requests about one's own profile: its key."""

    key: ProfileKey


class ProfileWish(ProfileAsked, forbid_unknown_fields=True):
    """A profile to make or to change. colour: a livery (`tokens.css`); picture: the number of its picture."""

    name: Annotated[str, Meta(max_length=32)]
    colour: Livery = "a"
    picture: Annotated[int, Meta(ge=0, lt=1000)] = 0


class ProfileRenewal(ProfileAsked, forbid_unknown_fields=True):
    """A new key for a profile. The old one ends, on all devices."""

    fresh: ProfileKey


class PasskeyAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The key of a profile whose passkeys are asked about; "": to sign in with one."""

    key: Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{43})?\\Z")] = ""


class PasskeyAdded(ProfileAsked, forbid_unknown_fields=True):
    """A new passkey, as a browser has made it, in base64 for addresses.

    handle: the user handle, which the page has drawn; id: of the credential; client: the client data.
    """

    handle: ProfileKey
    id: CredentialId
    client: CredentialPart
    attestation: CredentialPart


class PasskeyUsed(msgspec.Struct, forbid_unknown_fields=True):
    """The answer of a passkey to a challenge, in base64 for addresses. authenticator: the authenticator data."""

    handle: ProfileKey
    id: CredentialId
    client: CredentialPart
    authenticator: CredentialPart
    signature: CredentialPart


class PasskeyRemoval(ProfileAsked, forbid_unknown_fields=True):
    """A passkey to remove from a profile."""

    id: CredentialId


class ProfileSeats(ProfileAsked, forbid_unknown_fields=True):
    """Seats of a table, by their tokens, that the person with this profile plays.

    browser: a random text that the browser keeps. The server stores what follows from it and the table's id.
    """

    table: TableId
    tokens: Annotated[list[Token], Meta(min_length=1, max_length=8)]
    browser: OptionalKey = ""


class BlockWish(ProfileAsked, forbid_unknown_fields=True):
    """Block another profile, or end that. profile: "" only asks for those that are blocked."""

    profile: Annotated[str, Meta(pattern="^[A-Z]{0,22}\\Z")] = ""
    blocked: bool = True


class ComplaintWish(msgspec.Struct, forbid_unknown_fields=True):
    """A report to the host about the person at a seat, by somebody who has another seat there."""

    tokens: Annotated[list[Token], Meta(min_length=1, max_length=8)]
    about: Annotated[int, Meta(ge=0, le=15)]
    reason: ComplaintReason
    text: Annotated[str, Meta(max_length=300)] = ""


class ProfileRating(msgspec.Struct):
    """A rating for one game, number of seats and house rules. spread: the true one is this near with 95 %; rated: games."""

    game: str
    title: str
    seats: int
    rules: Sentence
    rating: int
    spread: int
    provisional: bool
    rated: int


class PlayedGame(msgspec.Struct):
    """A game of a profile. seats: those of the profile; with: the names of the others; token: plays its seats, while it runs.

    result: "won", "lost", "drawn", or "" while it runs; unrated: why it counts for no rating, "" if it does.
    """

    table: str
    game: str
    title: str
    since: float
    others: list[str]
    result: Literal["", "won", "lost", "drawn"] = ""
    unrated: Sentence = ""
    token: str = ""
    turn: bool = False


class Tally(msgspec.Struct):
    """Finished games of a profile, by game and strongest opponent. against: a level, or "person".

    counted: the number of games whose luck is known; luck: how many wins their draws gave, together.
    """

    game: str
    title: str
    against: str
    games: int
    won: int
    drawn: int
    counted: int
    luck: float


class LuckCounted(msgspec.Struct):
    """The counting of luck. left: finished games in which it is not known yet; going: some are being counted now."""

    left: int
    going: bool


class PublicProfile(msgspec.Struct):
    """What everybody sees of a profile."""

    id: str
    name: str
    colour: str
    picture: int
    ratings: list[ProfileRating]


class OwnProfile(PublicProfile):
    """A profile for its owner: also its games, the newest first, and how they ended."""

    since: float
    games: list[PlayedGame]
    tallies: list[Tally]


class ShownPasskey(msgspec.Struct):
    """A passkey of a profile. id: of the credential; host: the site for which it was made; since: Unix seconds."""

    id: str
    host: str
    since: float


class PasskeyList(msgspec.Struct):
    """The passkeys of a profile, the newest first. refused: why this page has no passkeys, in words; "" if it has them."""

    refused: str
    passkeys: list[ShownPasskey]


class PasskeyChallenge(msgspec.Struct):
    """What a page asks a passkey to sign. known: ids of the passkeys that the profile has there; name: of the profile."""

    challenge: str
    host: str
    name: str
    known: list[str]


class BlockedProfile(msgspec.Struct):
    """A profile that somebody has blocked."""

    id: str
    name: str


class BlockList(msgspec.Struct):
    """The profiles that a profile has blocked, the newest first."""

    blocks: list[BlockedProfile]


class ComplaintMade(msgspec.Struct):
    """A report to the host was stored. lines: of the chat that went with it."""

    lines: int


class SeatsTaken(msgspec.Struct):
    """The seats of a table that belong to a profile now, and a token that plays them."""

    seats: list[int]
    token: str


class RatedPlayer(msgspec.Struct):
    """A line of a rating list. profile: its id, "" for a level of the computer, which is then named by `level`."""

    name: str
    profile: str
    level: str
    rating: int
    spread: int
    provisional: bool
    rated: int


class RatingList(msgspec.Struct):
    """The ratings for one number of seats and house rules of a game, the best first."""

    seats: int
    rules: Sentence
    players: list[RatedPlayer]


class RatingLists(msgspec.Struct):
    """All rating lists of a game, those with most games first."""

    lists: list[RatingList]
