"""The messages between tables and a hall: topics, documents, and the facts of events.

This package is pure: it uses no broker, file or clock. `docs/club.md` describes the messages for authors of other
programs, and `schemas/` has a JSON schema of every document.
"""

from __future__ import annotations

from referee.club.protocol.coding import BadMessage, decode_document, encode_document
from referee.club.protocol.documents import (
    CallAnswer,
    Calling,
    CallState,
    Command,
    Desk,
    DirectorCall,
    Do,
    Document,
    Event,
    Health,
    MatchResult,
    Online,
    Player,
    Reason,
    RoundTime,
    Snapshot,
)
from referee.club.protocol.facts import Fact
from referee.club.protocol.making import facts_of, snapshot_of
from referee.club.protocol.told import Told
from referee.club.protocol.topics import VERSION, Address, Kind, address_of, hall_topic, subscription, table_id, topic

__all__ = [
    "VERSION",
    "Address",
    "BadMessage",
    "CallAnswer",
    "CallState",
    "Calling",
    "Command",
    "Desk",
    "DirectorCall",
    "Do",
    "Document",
    "Event",
    "Fact",
    "Health",
    "Kind",
    "MatchResult",
    "Online",
    "Player",
    "Reason",
    "RoundTime",
    "Snapshot",
    "Told",
    "address_of",
    "decode_document",
    "encode_document",
    "facts_of",
    "hall_topic",
    "snapshot_of",
    "subscription",
    "table_id",
    "topic",
]
