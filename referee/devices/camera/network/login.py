"""Login at a camera with user and password: basic and digest, as in RFC 7617 and RFC 7616.

Nothing is sent before the camera asks for it. If the camera offers both ways, the password itself is never sent.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from urllib.request import parse_http_list, parse_keqv_list

HASHES = {"MD5": "md5", "SHA-256": "sha256"}
"""Ordered from the weakest to the strongest."""


class Login:
    """Answers the challenges of one camera. After the first answer, all later requests carry an answer at once."""

    def __init__(self, user: str, password: str, nonce: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        self._user, self._password, self._new_nonce = user, password, nonce
        self._digest: Mapping[str, str] | None = None
        self._basic = False
        self._count = 0

    @property
    def readable(self) -> bool:
        """Whether the password itself is sent."""
        return self._basic

    def take_challenge(self, offers: Sequence[str], *, sent: bool) -> bool:
        """Take a camera's challenges; return whether trying again may help.

        `sent` says whether an answer has been sent already. If so, that answer was wrong, unless the camera says that
        only its nonce was stale.
        """
        digests = [found for offer in offers if (found := _digest_of(offer)) is not None]
        basic = any(offer.split(" ", 1)[0].lower() == "basic" for offer in offers)
        stale = any(found.get("stale", "").lower() == "true" for found in digests)
        if not self._user or not (digests or basic) or (sent and not stale):
            return False
        names = list(HASHES)
        self._digest = max(digests, key=lambda one: names.index(_hash_of(one) or ""), default=None)
        self._basic = self._digest is None
        self._count = 0
        return True

    def header(self, method: str, target: str) -> str | None:
        """Return the header to send with a request; None while the camera has not asked for one."""
        if self._basic:
            pair = f"{self._user}:{self._password}".encode()
            return "Basic " + base64.b64encode(pair).decode("ascii")
        if self._digest is None:
            return None
        self._count += 1
        return _answer(self._digest, self._user, self._password, method, target, self._count, self._new_nonce())


def _digest_of(offer: str) -> dict[str, str] | None:
    """Return the values of a digest challenge that can be answered; None for any other."""
    kind, _, rest = offer.partition(" ")
    if kind.lower() != "digest":
        return None
    try:
        found = {key.lower(): value for key, value in parse_keqv_list(parse_http_list(rest)).items()}
    except (ValueError, IndexError):
        return None
    ways = [way.strip().lower() for way in found.get("qop", "auth").split(",")]
    return found if "nonce" in found and _hash_of(found) is not None and "auth" in ways else None


def _hash_of(found: Mapping[str, str]) -> str | None:
    name = found.get("algorithm", "MD5").upper().removesuffix("-SESS")
    return name if name in HASHES else None


def _answer(asked: Mapping[str, str], user: str, password: str, method: str, target: str, count: int, own: str) -> str:
    """Return the header that answers a digest challenge (RFC 7616).

    `asked`: the values of the challenge, with `nonce` and usually `realm`, `qop` and `algorithm`.
    `user`: the name of the user.
    `password`: the password; only its hash is sent.
    `method`: the method of the request, such as GET.
    `target`: the path and query of the request.
    `count`: the number of this answer to the challenge, from 1; a camera may refuse a number that it has already
        received.
    `own`: a nonce of our own.
    """
    kind = HASHES[_hash_of(asked) or "MD5"]
    realm, nonce = asked.get("realm", ""), asked["nonce"]

    def digest(text: str) -> str:
        return hashlib.new(kind, text.encode(), usedforsecurity=False).hexdigest()

    secret = digest(f"{user}:{realm}:{password}")
    if asked.get("algorithm", "").upper().endswith("-SESS"):
        secret = digest(f"{secret}:{nonce}:{own}")
    what = digest(f"{method}:{target}")
    parts = {"username": user, "realm": realm, "nonce": nonce, "uri": target}
    bare = {}
    if "qop" in asked:
        parts |= {"response": digest(f"{secret}:{nonce}:{count:08x}:{own}:auth:{what}"), "cnonce": own}
        bare = {"qop": "auth", "nc": f"{count:08x}"}
    else:
        parts |= {"response": digest(f"{secret}:{nonce}:{what}")}
        if asked.get("algorithm", "").upper().endswith("-SESS"):
            parts |= {"cnonce": own}
    parts |= {"opaque": asked["opaque"]} if "opaque" in asked else {}
    bare |= {"algorithm": asked["algorithm"]} if "algorithm" in asked else {}
    quoted = [f'{key}="{_escape(value)}"' for key, value in parts.items()]
    return "Digest " + ", ".join([*quoted, *(f"{key}={value}" for key, value in bare.items())])


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
