"""Home Assistant discovery: one message that describes the table, sent again whenever Home Assistant has started.

The message describes a whole device, see https://www.home-assistant.io/integrations/mqtt
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from typing import Any

from referee.club.mqtt.line import Message
from referee.club.protocol import Command, Do, Kind, encode_document, topic
from referee.game.notice import Notice
from referee.i18n import Wording

PREFIX = "homeassistant"
STATUS = f"{PREFIX}/status"
"""The topic under which Home Assistant announces that it has started."""
BORN = b"online"
LONGEST_WAIT_S = 5.0
"""The longest random delay before the description is sent again, in seconds, as there may be many tables. By hand."""
TICK_S = 5.0
"""Seconds between two states while a player's time runs down: Home Assistant shows the last value and does not count
down itself. Chosen by hand."""
SEATS = 4


def discovery(root: str, table: str, program: str, words: Wording, allowed: Collection[str]) -> Message:
    """Return the message that describes the table to Home Assistant.

    The device has sensors for the clock, whose turn it is, the verdict, open questions and troubles. It has a button
    to look again if `allowed`, the commands that the settings allow, contains that.
    """
    node = node_id(root, table)
    state = topic(root, table, Kind.STATE)

    def common(key: str, platform: str) -> dict[str, Any]:
        entity_id = re.sub(r"[^a-z0-9_]", "_", f"{node}_{key}".lower())
        return {
            "platform": platform,
            "unique_id": f"{node}-{key}",
            "default_entity_id": f"{platform}.{entity_id}",
            "name": words(Notice(f"club.{key}")),
        }

    def entity(key: str, platform: str, template: str, **more: Any) -> dict[str, Any]:
        return {**common(key, platform), "value_template": template, **more}

    components = {
        "clock": entity("clock", "sensor", _CLOCK, unit_of_measurement="s", device_class="duration"),
        "time_up_at": entity("time_up_at", "sensor", _TIME_UP, device_class="timestamp"),
        "turn": entity("turn", "sensor", _turn(words), icon="mdi:account-clock"),
        "verdict": entity("verdict", "sensor", _verdict(words), icon="mdi:gavel"),
        "questions": entity(
            "questions", "sensor", "{{ value_json.question | count }}", icon="mdi:help-circle-outline"
        ),
        "troubles": entity(
            "troubles", "binary_sensor", _TROUBLES, device_class="problem", entity_category="diagnostic"
        ),
    }
    # To remove a component that was described before, Home Assistant must get it with its platform only.
    components["look_again"] = {"platform": "button"}
    if Do.LOOK.value in allowed:
        components["look_again"] |= {
            **common("look_again", "button"),
            "icon": "mdi:camera-retake-outline",
            "command_topic": topic(root, table, Kind.DO),
            "payload_press": encode_document(Command(Do.LOOK)).decode(),
            "qos": 1,
        }
    device = {"identifiers": [node], "name": words(Notice("club.device", table=table)), "sw_version": program}
    body = {
        "device": device,
        "origin": {"name": "referee", "sw_version": program},
        "availability": {"topic": topic(root, table, Kind.ONLINE), "value_template": _ONLINE},
        "state_topic": state,
        "components": components,
    }
    return Message(config_topic(root, table), json.dumps(body, ensure_ascii=False).encode(), retain=True)


def node_id(root: str, table: str) -> str:
    """Return the table's id in Home Assistant. It contains the root topic, as tables of two clubs may share a name."""
    name = root
    if not re.fullmatch(r"[a-z0-9]+", root):
        plain = re.sub(r"[^A-Za-z0-9]", "_", root)
        name = f"{plain}_{hashlib.sha256(root.encode()).hexdigest()[:6]}"  # so a/b and a_b have different ids
    return f"{name}-{table}"


def config_topic(root: str, table: str) -> str:
    """Return the topic of the table's description."""
    return f"{PREFIX}/device/{node_id(root, table)}/config"


def config_topics(root: str, table: str) -> tuple[str, ...]:
    """Return all topics that may have a description of this table: the current one, and that of older versions."""
    return tuple(dict.fromkeys((config_topic(root, table), f"{PREFIX}/device/referee-{table}/config")))


def describes(payload: bytes, root: str, table: str) -> bool:
    """Return whether a description is of this table, and not of a table with the same name in another club."""
    try:
        told = json.loads(payload)
    except ValueError:
        return False
    return isinstance(told, dict) and told.get("state_topic") == topic(root, table, Kind.STATE)


_ONLINE = "{{ 'online' if value_json.online else 'offline' }}"
_TROUBLES = "{{ 'ON' if value_json.troubles else 'OFF' }}"
_HAS_CLOCK = "value_json.clock and value_json.clock.left is not none"
_CLOCK = f"{{{{ value_json.clock.left | round(0) if {_HAS_CLOCK} else None }}}}"
_TIME_UP = (
    f"{{{{ (as_datetime(value_json.wall) + timedelta(seconds=value_json.clock.left)).isoformat() "
    f"if {_HAS_CLOCK} and value_json.clock.running else None }}}}"
)


def _turn(words: Wording) -> str:
    seats = json.dumps(
        [words(Notice("words.player_name", number=seat + 1)) for seat in range(SEATS)], ensure_ascii=False
    )
    nobody = json.dumps("-")
    return (
        f"{{% set seat = value_json.current %}}{{{{ {nobody} if seat is none else "
        f"(value_json.players[seat].name or {seats}[seat]) }}}}"
    )


def _verdict(words: Wording) -> str:
    accepted, refused, none = (
        json.dumps(words(Notice(f"club.{key}")), ensure_ascii=False) for key in ("accepted", "not_accepted", "none")
    )
    return (
        f"{{% set verdict = value_json.verdict %}}{{{{ {none} if verdict is none else "
        f"({accepted} if verdict.accepted else {refused}) }}}}"
    )
