"""How Home Assistant finds the table: one message that describes it, sent anew whenever Home Assistant has started.

The message is of the kind that describes a whole device: https://www.home-assistant.io/integrations/mqtt
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from referee.club import Command, Do, Kind, encoded, topic
from referee.devices.broker.line import Message
from referee.game.notice import Notice
from referee.messages import Wording

PREFIX = "homeassistant"
STATUS = f"{PREFIX}/status"
"""Where it tells that it has started."""
BORN = b"online"
LONGEST_WAIT_S = 5.0
"""After that the table is described anew, at a moment of its own within this time: there may be twenty tables."""
TICK_S = 5.0
"""So often it is told what the clock has left: it shows what it was told last, and counts nothing down."""
SEATS = 4


def discovery(root: str, table: str, program: str, words: Wording, allowed: Collection[str]) -> Message:
    """The table: its clock, whose turn it is, the verdict, doubts and troubles, and a button where that is allowed."""
    name = f"referee-{table}"
    state = topic(root, table, Kind.STATE)

    def entity(key: str, platform: str, template: str, **more: Any) -> dict[str, Any]:
        own = {"platform": platform, "unique_id": f"{name}-{key}", "name": words(Notice(f"club.{key}"))}
        return {**own, "value_template": template, **more}

    components = {
        "clock": entity("clock", "sensor", _CLOCK, unit_of_measurement="s", device_class="duration"),
        "time_up_at": entity("time_up_at", "sensor", _TIME_UP, device_class="timestamp"),
        "turn": entity("turn", "sensor", _turn(words)),
        "verdict": entity("verdict", "sensor", _verdict(words)),
        "questions": entity("questions", "sensor", "{{ value_json.question | count }}"),
        "troubles": entity("troubles", "binary_sensor", _TROUBLES, device_class="problem"),
    }
    # A part that was once described is forgotten only where it is named with nothing but its platform.
    components["look_again"] = {"platform": "button"}
    if Do.LOOK.value in allowed:
        components["look_again"] |= {
            "unique_id": f"{name}-look_again",
            "name": words(Notice("club.look_again")),
            "command_topic": topic(root, table, Kind.DO),
            "payload_press": encoded(Command(Do.LOOK)).decode(),
            "qos": 1,
        }
    device = {"identifiers": [name], "name": words(Notice("club.device", table=table)), "sw_version": program}
    body = {
        "device": device,
        "origin": {"name": "referee", "sw_version": program},
        "availability": {"topic": topic(root, table, Kind.ONLINE), "value_template": _ONLINE},
        "state_topic": state,
        "components": components,
    }
    return Message(config_topic(table), json.dumps(body, ensure_ascii=False).encode(), retain=True)


def config_topic(table: str) -> str:
    """Where the description goes."""
    return f"{PREFIX}/device/referee-{table}/config"


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
