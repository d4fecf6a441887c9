"""The topics of a table: `<root>/<version>/<table>/<kind>`; under `result` there is one topic for each match."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from referee.errors import BadInput

VERSION = 1
"""The version of the documents. New fields and facts may be added to it; a change of meaning needs a new version."""
_TABLE = re.compile(r"[a-z0-9-]{1,32}")
_MATCH = re.compile(r"[1-9][0-9]{0,14}", re.ASCII)
HALL = "_hall"
"""What stands in place of a table in the topic under which the hall says whether it is connected. No table can have
this name."""
_ROOT = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")
FIRST, SECOND = "a", "b"
"""The letters of two connected halls: the broker of the first one waits for the connection, the other one opens it."""


class Kind(enum.StrEnum):
    """The kinds of messages of a table; each has a topic of its own."""

    ONLINE = "online"
    """Whether the table is connected; retained. If the connection breaks, the broker sends it for the table."""
    STATE = "state"
    """The whole state; retained."""
    EVENT = "event"
    """An event: one message for every row of the journal."""
    RESULT = "result"
    """The result of one match, under a topic with the number of the match; retained."""
    HEALTH = "health"
    """The state of the machine and the program; retained."""
    PICTURE = "picture"
    """A picture of the table as JPEG, on demand."""
    DO = "do"
    """A command to the table."""
    DESK = "desk"
    """What the director's desk of the hall tells the table: the time of the round, what became of a call; retained."""
    CALL = "call"
    """Whether the table calls the director; retained."""

    @property
    def is_retained(self) -> bool:
        """Whether the broker keeps the last message for clients that subscribe later."""
        return self in (Kind.ONLINE, Kind.STATE, Kind.RESULT, Kind.HEALTH, Kind.DESK, Kind.CALL)

    @property
    def is_from_hall(self) -> bool:
        """Whether the hall sends such messages to the table; the table sends all others."""
        return self in (Kind.DO, Kind.DESK)


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a topic; `match` is None except for results."""

    table: str
    kind: Kind
    match: int | None = None


def table_id(text: str) -> str:
    """Return `text` if it can be the name of a table in topics; otherwise raise BadInput."""
    if not _TABLE.fullmatch(text):
        raise BadInput(f"expected 1 to 32 of the characters a-z, 0-9 and -, got {text!r}")
    return text


def root_topic(text: str) -> str:
    """Return `text` if it can be the topic under which all tables are; otherwise raise BadInput."""
    if not _ROOT.fullmatch(text) or len(text) > 100:
        raise BadInput(f"expected a topic such as referee or club/rummy, got {text!r}")
    return text


def topic(root: str, table: str, kind: Kind, match: int | None = None) -> str:
    """Return the topic of a table for a kind of message; for results, the topic of the given match."""
    return f"{root}/{VERSION}/{table}/{kind.value}" + ("" if match is None else f"/{match}")


def hall_topic(root: str) -> str:
    """Return the topic under which the hall says whether it is connected."""
    return f"{root}/{VERSION}/{HALL}/{Kind.ONLINE.value}"


def subscription(root: str) -> str:
    """Return the filter that subscribes to all topics of all tables."""
    return f"{root}/{VERSION}/+/#"


def address_of(root: str, found: str) -> Address:
    """Return the parts of a topic; raises BadInput if it is not one of a table."""
    head = f"{root}/{VERSION}/"
    table, slash, rest = found.removeprefix(head).partition("/")
    kind, _, match = rest.partition("/")
    known = found.startswith(head) and slash and kind in [*Kind]
    if not known or (rest != kind and not (kind == Kind.RESULT and _MATCH.fullmatch(match))):
        raise BadInput(f"expected a topic {head}TABLE/KIND, got {found!r:.100}")
    return Address(table_id(table), Kind(kind), int(match) if match else None)


def is_of_other_hall(table: str) -> bool:
    """Return whether a table seems to stand in the other of two halls, by its name here, such as `b-table-1`."""
    return table.startswith((f"{FIRST}-", f"{SECOND}-"))
