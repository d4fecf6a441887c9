"""Two halls of one club, each with its own broker: settings and access list for the bridge between the brokers.

1. The broker of one hall connects to that of the other, as the user `BRIDGE`. Mosquitto's bridge does everything else;
   nothing of ours runs between the brokers.
2. A table keeps its name in its own hall. In the other hall its name begins with the letter of its hall, so that both
   halls may have a `table-1`: table-1 of hall b is b-table-1 in hall a.
3. What a table sends crosses in one direction, and commands in the other. No topic crosses in both directions, so no
   message can go round in a circle.
4. `desk` and `call` stay in the hall in which the table stands: its director comes, and sets the time of its round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.club.protocol import Kind, table_id
from referee.club.protocol.topics import FIRST, SECOND, VERSION, root_topic
from referee.errors import BadInput

BRIDGE = "other-hall"
"""The user as whom the broker of the other hall connects, and the name of the connection."""
TOLD = {Kind.ONLINE: 1, Kind.STATE: 0, Kind.EVENT: 1, Kind.RESULT: 1, Kind.HEALTH: 0, Kind.PICTURE: 0}
"""What crosses from a table to the other hall, with its QoS.

What has QoS 1 waits in the queue of a broker while the bridge is down. A state is replaced by the next one, so the
queue must not fill with states: they have QoS 0, and a bridge sends the retained ones again whenever it is connected.
"""
COMMANDS_QOS = 0
"""A command that could not cross must not arrive when the bridge is back after an hour, so it does not wait either.

The hall repeats `again` until the events have come, and `begin` once the table seems to have connected anew; so it
seems when the bridge is back, because `online` is sent again then.
"""
KEEPALIVE_S = 15
"""Seconds after which a bridge that answers nothing counts as down (after one and a half times that)."""
RESTART_S = (1, 30)
"""The first and the longest pause, in seconds, before the bridge is connected again."""
HELP = """
Two halls: the brokers are connected. After adding tables to either hall, tell both folders about it:
    referee hall --setup FOLDER --other-hall FOLDER
with the folder of the hall whose broker opens the connection first (the one with broker/other-hall.conf). Then do
step 1 again in both halls.
"""
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class OtherHall:
    """What the set-up of one hall knows of the other one."""

    connects: bool
    """Whether the broker of this hall opens the connection; if not, that of the other hall does."""
    host: str
    """The broker of the other hall."""
    topic: str
    tables: tuple[str, ...]
    """The tables of the other hall, by their names there."""
    password: str = field(repr=False)
    """The password of the bridge."""
    authority: str = field(repr=False)
    """The certificate of the other hall's authority, in PEM."""

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of this hall and of the other one."""
        return (SECOND, FIRST) if self.connects else (FIRST, SECOND)

    def state(self) -> dict[str, object]:
        """Return it as `club.json` stores it."""
        return {
            "connects": self.connects,
            "host": self.host,
            "topic": self.topic,
            "tables": list(self.tables),
            "password": self.password,
            "authority": self.authority,
        }

    @classmethod
    def of_state(cls, state: Mapping[str, object] | None) -> OtherHall | None:
        """Return what `state()` returned; None for None. Raises ValueError, TypeError or KeyError if it is invalid."""
        if state is None:
            return None
        tables = state["tables"]
        if not isinstance(tables, list):
            raise TypeError("tables")
        host = bridge_host(str(state["host"]))
        named = tuple(table_id(str(table)) for table in tables)
        password, authority = str(state["password"]), str(state["authority"])
        return cls(bool(state["connects"]), host, root_topic(str(state["topic"])), named, password, authority)


def bridge_host(host: str) -> str:
    """Return `host` if Mosquitto can connect a bridge to it; otherwise raise BadInput."""
    if not _HOST.fullmatch(host):
        raise BadInput(f"expected a name or an IPv4 address of the other hall's broker, found {host!r:.100}")
    return host


def bridge_settings(topic: str, tables: Sequence[str], other: OtherHall, folder: str) -> str:
    """Return the settings with which this hall's Mosquitto connects to the other hall's; `folder` has the certificate.

    `tables` are those of this hall. The version of the protocol is 3.1.1: in Mosquitto 2.0.11 a bridge with version 5
    loses what the other broker should keep for it while it is away.
    """
    first, longest = RESTART_S
    lines = [
        "# Mosquitto reads this from /etc/mosquitto/conf.d/: the bridge to the broker of the other hall.",
        f"connection {BRIDGE}",
        f"address {other.host}:8883",
        f"bridge_cafile {folder}/{BRIDGE}.pem",
        f"remote_username {BRIDGE}",
        f"remote_password {other.password}",
        f"remote_clientid {BRIDGE}",
        "bridge_protocol_version mqttv311",
        "cleansession false",
        f"keepalive_interval {KEEPALIVE_S}",
        f"restart_timeout {first} {longest}",
        "notifications_local_only true",
        "# Tables of this hall: what they send goes out, what the other hall asks comes in.",
        *_lines(topic, tables, other, outwards=True),
        "# Tables of the other hall: the other way round.",
        *_lines(topic, other.tables, other, outwards=False),
    ]
    return "\n".join(lines) + "\n"


def bridge_rights(topic: str, tables: Sequence[str], other: OtherHall) -> str:
    """Return what the bridge may do at the broker of this hall, whose tables are `tables`: only what it carries."""
    own, foreign = f"{topic}/{VERSION}/", f"{topic}/{VERSION}/{other.letters[1]}-"
    rights = [f"user {BRIDGE}"]
    for table in tables:
        rights += [f"topic read {own}{table}/{_place(kind)}" for kind in TOLD]
        rights.append(f"topic write {own}{table}/{Kind.DO.value}")
    for table in other.tables:
        rights += [f"topic write {foreign}{table}/{_place(kind)}" for kind in TOLD]
        rights.append(f"topic read {foreign}{table}/{Kind.DO.value}")
    return "\n".join(rights) + "\n"


def _lines(topic: str, tables: Sequence[str], other: OtherHall, *, outwards: bool) -> Iterator[str]:
    """Yield the topics of the tables of one hall: `topic PATTERN DIRECTION QOS LOCAL-PREFIX REMOTE-PREFIX`."""
    here, there = f"{topic}/{VERSION}/", f"{other.topic}/{VERSION}/"
    own, foreign = other.letters
    if outwards:
        prefixes, told, asked = f"{here} {there}{own}-", "out", "in"
    else:
        prefixes, told, asked = f"{here}{foreign}- {there}", "in", "out"
    for table in tables:
        for kind, qos in TOLD.items():
            yield f"topic {table}/{_place(kind)} {told} {qos} {prefixes}"
        yield f"topic {table}/{Kind.DO.value} {asked} {COMMANDS_QOS} {prefixes}"


def _place(kind: Kind) -> str:
    return f"{kind.value}/#" if kind is Kind.RESULT else kind.value
