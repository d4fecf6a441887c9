"""The topics of a table: `<root>/<version>/<table>/<kind>`, and below `result` one for each match."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from referee.errors import BadInput

VERSION = 1
"""Of the documents. Fields and facts may be added to a version; whatever changes its meaning is the next one."""
_TABLE = re.compile(r"[a-z0-9-]{1,32}")
_MATCH = re.compile(r"[1-9][0-9]{0,14}", re.ASCII)
_ROOT = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")


class Kind(enum.StrEnum):
    """What is told under a topic."""

    ONLINE = "online"
    """Whether the table is there; retained, and the broker's last word for a table that is not."""
    STATE = "state"
    """The whole state; retained."""
    EVENT = "event"
    """What happened: one message for every row of the journal."""
    RESULT = "result"
    """The result of one match, under a topic with the number of the match; retained."""
    HEALTH = "health"
    """How the box itself is; retained."""
    PICTURE = "picture"
    """A picture of the table as JPEG, on demand."""
    DO = "do"
    """What the table is asked to do: the only topic that a table reads."""

    @property
    def is_retained(self) -> bool:
        """Whether the broker keeps the last message for those who come later."""
        return self in (Kind.ONLINE, Kind.STATE, Kind.RESULT, Kind.HEALTH)


@dataclass(frozen=True, slots=True)
class Address:
    """What a topic says of its messages; `match` where it is that of a result."""

    table: str
    kind: Kind
    match: int | None = None


def table_id(text: str) -> str:
    """The name of a table in topics; raises BadInput for what cannot be one."""
    if not _TABLE.fullmatch(text):
        raise BadInput(f"expected 1 to 32 of the characters a-z, 0-9 and -, got {text!r}")
    return text


def root_topic(text: str) -> str:
    """The topic below which all tables are; raises BadInput for what cannot be one."""
    if not _ROOT.fullmatch(text) or len(text) > 100:
        raise BadInput(f"expected a topic such as referee or club/rummy, got {text!r}")
    return text


def topic(root: str, table: str, kind: Kind, match: int | None = None) -> str:
    """The topic of one kind of message of one table; of a result that of one match."""
    return f"{root}/{VERSION}/{table}/{kind.value}" + ("" if match is None else f"/{match}")


def subscription(root: str) -> str:
    """What a reader of all tables asks the broker for."""
    return f"{root}/{VERSION}/+/#"


def address_of(root: str, found: str) -> Address:
    """Whose message came under this topic, and of what kind; raises BadInput for a topic that is none of ours."""
    head = f"{root}/{VERSION}/"
    table, slash, rest = found.removeprefix(head).partition("/")
    kind, _, match = rest.partition("/")
    known = found.startswith(head) and slash and kind in [*Kind]
    if not known or (rest != kind and not (kind == Kind.RESULT and _MATCH.fullmatch(match))):
        raise BadInput(f"expected a topic {head}TABLE/KIND, got {found!r:.100}")
    return Address(table_id(table), Kind(kind), int(match) if match else None)
