"""What a table sends to a broker: topics, documents, and the facts of what happened.

Pure: nothing here knows a broker, a file or a clock. `docs/club.md` describes it for those who read it, and
`schemas/` holds a JSON schema of every document.
"""

from __future__ import annotations

from referee.club.protocol.coding import BadMessage, decode_document, encode_document
from referee.club.protocol.documents import Command, Do, Document, Event, Health, MatchResult, Online, Player, Snapshot
from referee.club.protocol.facts import Fact
from referee.club.protocol.making import facts_of, snapshot_of
from referee.club.protocol.told import Told
from referee.club.protocol.topics import VERSION, Address, Kind, address_of, subscription, table_id, topic

__all__ = [
    "VERSION",
    "Address",
    "BadMessage",
    "Command",
    "Do",
    "Document",
    "Event",
    "Fact",
    "Health",
    "Kind",
    "MatchResult",
    "Online",
    "Player",
    "Snapshot",
    "Told",
    "address_of",
    "decode_document",
    "encode_document",
    "facts_of",
    "snapshot_of",
    "subscription",
    "table_id",
    "topic",
]
