"""Encodes documents as JSON, and decodes messages from a broker, with strict checks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.club.protocol.documents import (
    Command,
    Desk,
    DirectorCall,
    Document,
    Event,
    Health,
    MatchResult,
    Online,
    Snapshot,
)
from referee.club.protocol.topics import VERSION, Kind
from referee.errors import BadInput
from referee.journal.codec import PLAIN, Schema, codec_of

LONGEST = 64 * 1024
"""The largest document in bytes; documents of a table have less than half of that."""
LONGEST_PICTURE = 2 * 1024 * 1024
"""The largest picture in bytes. Chosen by hand: a JPEG of width `PICTURE_PX` has several hundred kilobytes."""
DEEPEST = 16
"""How deeply lists and objects may be nested. Chosen by hand, more than any document needs."""
_JPEG = b"\xff\xd8\xff"

DOCUMENTS: Mapping[Kind, type[Any]] = {
    Kind.ONLINE: Online,
    Kind.STATE: Snapshot,
    Kind.EVENT: Event,
    Kind.RESULT: MatchResult,
    Kind.HEALTH: Health,
    Kind.DO: Command,
    Kind.DESK: Desk,
    Kind.CALL: DirectorCall,
}
_KINDS = {document: kind for kind, document in DOCUMENTS.items()}


class BadMessage(BadInput):
    """A message that is not valid for its topic. The text says why; `old` is True if its version is another one."""

    def __init__(self, told: str, *, old: bool = False) -> None:
        super().__init__(told)
        self.old = old


def kind_of(document: Document) -> Kind:
    """Return the kind of topic for a document."""
    return _KINDS[type(document)]


def encode_document(document: Document) -> bytes:
    """Return a document as JSON in UTF-8."""
    body = codec_of(type(document), PLAIN).write(document)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def decode_document(kind: Kind, payload: bytes) -> Document:
    """Return the document in a message under a topic of this kind; raises BadMessage if it is not valid.

    An empty message, which says that a retained one was deleted, is not valid either.
    """
    cls = DOCUMENTS.get(kind)
    if cls is None:
        raise BadMessage(f"expected a document, got a message of the kind {kind}")
    if len(payload) > LONGEST:
        raise BadMessage(f"expected at most {LONGEST} bytes, got {len(payload)}")
    try:
        body = json.loads(payload.decode(), object_pairs_hook=_object, parse_constant=_no_number)
        _check_depth(body)
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"expected JSON, got something else ({error!s:.100})") from None
    if isinstance(body, dict) and body.get("version") != VERSION:
        raise BadMessage(f"expected version {VERSION}, got {body.get('version')!r:.20}", old=True)
    try:
        document: Document = codec_of(cls, PLAIN).read(body)
    except BadInput as error:
        raise BadMessage(str(error)) from None
    return document


def picture(payload: bytes) -> bytes:
    """Return the picture in a message, unchanged; raises BadMessage if it is not a JPEG, or is too large."""
    if len(payload) > LONGEST_PICTURE or not payload.startswith(_JPEG):
        raise BadMessage(f"expected a JPEG of at most {LONGEST_PICTURE} bytes, got {len(payload)} bytes")
    return payload


def schema_of(kind: Kind) -> Schema:
    """Return the JSON schema for one kind of documents."""
    cls = DOCUMENTS[kind]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{cls.__name__}, version {VERSION}",
        "description": (cls.__doc__ or "").strip().partition("\n")[0],
        **codec_of(cls, PLAIN).schema,
    }


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name twice in one object")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _check_depth(body: Any) -> None:
    level = [body]
    for _ in range(DEEPEST):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return
    raise ValueError(f"more than {DEEPEST} lists and objects within one another")
