"""The pin map: what is refused, with which words, and what follows from it."""

import tomllib
from dataclasses import fields
from typing import Any

import pytest
from gpiozero.pins.pi import PiBoardInfo

from referee.devices.wiring.header import BOARDS, HEADER, PHYSICAL, nearest_ground
from referee.devices.wiring.pins import EVERYONE, MEANINGS, PAUSE, Duty, PinMap, example
from referee.errors import BadInput


def test_the_default_map_has_all_parts_no_conflict_and_needs_no_advice() -> None:
    pins = PinMap.from_table({})
    assert pins == PinMap()
    assert pins.contacts == ("button-1", "button-2", "button-3", "button-4", PAUSE)
    assert [len(pins.lines_for(duty)) for duty in Duty] == [5, 8, 5, 1, 0]
    assert len({line.bcm for line in pins.lines}) == len(pins.lines)
    assert pins.advice() == ()


def test_the_default_map_leaves_room_for_either_display() -> None:
    for display in ("tm1637", "oled"):
        assert len(PinMap.from_table({"display": display}).lines_for(Duty.DISPLAY)) == 2


def test_physical_pins_are_those_of_the_forty_pin_header() -> None:
    """A few known by heart: SDA, the first UART line, the last pin."""
    assert (PHYSICAL[2], PHYSICAL[14], PHYSICAL[21]) == (3, 8, 40)
    assert len(PHYSICAL) == 28
    assert [pin.number for pin in HEADER if pin.ground] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert (nearest_ground(4), nearest_ground(21), nearest_ground(18)) == (9, 39, 14)


def test_the_map_reads_what_the_example_says() -> None:
    """The commented file, uncommented, is the default map, and explains every key."""
    lines = [line.removeprefix("#") for line in example().splitlines() if not line.startswith("# ")]
    assert PinMap.from_table(tomllib.loads("\n".join(lines))["panel"]) == PinMap()
    assert list(MEANINGS) == [item.name for item in fields(PinMap)]


def test_one_button_may_serve_everybody() -> None:
    pins = PinMap.from_table({"turn_buttons": 5, "player_lamps": [], "bar": False, "pause_button": False})
    assert pins.contacts == (EVERYONE,)
    assert pins.seat_of(EVERYONE) is None
    assert [line.name for line in pins.lines_for(Duty.LAMP)] == ["red", "amber", "green", "draw"]


def test_buttons_know_their_seats() -> None:
    pins = PinMap()
    assert [pins.seat_of(contact) for contact in pins.contacts] == [0, 1, 2, 3, None]


def test_parts_that_are_not_there_have_no_line() -> None:
    table = {"buzzer": False, "red_lamp": False, "bar": []}
    names = [line.name for line in PinMap.from_table(table).lines]
    assert "buzzer" not in names
    assert "red" not in names
    assert "bar-1" not in names
    assert "buzzer" not in [line.name for line in PinMap.from_table({"buzzer_kind": "none"}).lines]


BAD: list[Any] = [
    pytest.param({"red_lmap": 5}, "red_lmap: expected a key of the panel, found `red_lmap`; did you mean `red_lamp`?",
                 id="unknown key"),
    pytest.param({"xyzzy": 5}, "found `xyzzy`; known are kind, board,", id="unknown key, nothing near"),
    pytest.param({"red_lamp": 24}, "red_lamp: expected each pin once, found GPIO24 (pin 18) for red, which amber_lamp "
                 "uses by default for amber", id="used twice, once by default"),
    pytest.param({"amber_lamp": 23}, "amber_lamp: expected each pin once, found GPIO23 (pin 16) for amber, which "
                 "red_lamp uses by default for red", id="the given key is blamed, not the default"),
    pytest.param({"red_lamp": 3, "green_lamp": 3}, "green_lamp: expected each pin once, found GPIO3 (pin 5) for "
                 "green, which red_lamp uses for red", id="used twice"),
    pytest.param({"turn_buttons": [5, 6, 5]}, "for button-3, which turn_buttons uses for button-1", id="in one list"),
    pytest.param({"red_lamp": 28}, "red_lamp: expected a GPIO on the 40-pin header (2 to 27), found 28",
                 id="not on the header"),
    pytest.param({"red_lamp": -1}, "on the 40-pin header (2 to 27), found -1", id="negative"),
    pytest.param({"red_lamp": 0}, "red_lamp: expected a free pin, found GPIO0, which serves the ID", id="EEPROM"),
    pytest.param({"display": "oled", "red_lamp": 2}, "red_lamp: expected each pin once, found GPIO2 (pin 3) for red, "
                 "which display uses for sda", id="I2C is the display's"),
    pytest.param({"red_lamp": "23"}, "red_lamp: expected a GPIO number, found '23'", id="text"),
    pytest.param({"red_lamp": True}, "red_lamp: expected a GPIO number, found True", id="true"),
    pytest.param({"bar": [12, 16.5, 20, 21, 26]}, "bar: expected a GPIO number, found 16.5", id="fraction"),
    pytest.param({"bar": [12, 16]}, "bar: expected 5 to 10 GPIO numbers, found 2", id="short bar"),
    pytest.param({"turn_buttons": [5, 6, 13, 19, 2]}, "turn_buttons: expected 1 to 4 GPIO numbers, found 5",
                 id="five players"),
    pytest.param({"turn_buttons": []}, "turn_buttons: expected at least one end-turn button, found none",
                 id="no button"),
    pytest.param({"board": "pi5"}, "board: expected one of auto, 2b,", id="unknown board"),
    pytest.param({"board": "5"}, "found '5'", id="board's number alone"),
    pytest.param({"board": 5}, "found 5", id="board as a number"),
    pytest.param({"board": "4B"}, "found '4B'; did you mean '4b'?", id="board in capitals"),
    pytest.param({"buzzer_kind": "passive"}, "buzzer_kind: expected one of tonal, active, none, found 'passive'",
                 id="kind of buzzer"),
    pytest.param({"display": []}, "display: expected one of none, tm1637, oled, found []", id="display"),
    pytest.param({"display_address": 0x27}, "display_address: expected 0x3c or 0x3d, found 39", id="address"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "message"), BAD)
def test_a_wrong_map_is_refused_in_one_line_that_says_where(table: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as refused:
        PinMap.from_table(table, "referee.toml [panel]")
    assert message in str(refused.value)
    assert str(refused.value).startswith("referee.toml [panel] ")
    assert "\n" not in str(refused.value)


def test_where_may_be_told_for_each_key() -> None:
    with pytest.raises(BadInput, match=r"^a\.toml, line 7, \[panel\] bar: expected"):
        PinMap.from_table({"bar": 3}, lambda key: f"a.toml, line 7, [panel] {key}")


def test_no_button_is_needed_where_no_pin_is_used() -> None:
    assert PinMap.from_table({"kind": "none", "turn_buttons": []}).contacts == (PAUSE,)


@pytest.mark.parametrize(
    ("table", "advice"),
    [
        pytest.param({"red_lamp": 7}, "GPIO7 (pin 26) is pulled up while the Pi starts: red may glimmer", id="lamp"),
        pytest.param({"buzzer": 8, "buzzer_kind": "active"}, "buzzer sounds until", id="active buzzer"),
        pytest.param({"red_lamp": 2}, "GPIO2 (pin 3) has 1.8 kilohm to 3.3 V", id="I2C pin"),
        pytest.param({"red_lamp": 14}, "GPIO14 (pin 8) is the serial console's", id="console"),
        pytest.param({"buzzer": 11}, "tones from software; GPIO12, GPIO13, GPIO18, GPIO19 could", id="tones"),
    ],
)
def test_what_works_but_should_be_known_is_told(table: dict[str, Any], advice: str) -> None:
    assert len([line for line in PinMap.from_table(table).advice() if advice in line]) == 1


def test_interfaces_that_must_stay_switched_off_are_named_with_the_lines_on_their_pins() -> None:
    off = {name: [line.name for line in lines] for name, lines in PinMap().to_be_off().items()}
    assert off == {"SPI": ["player-4", "draw"], "1-Wire": ["button-pause"]}
    digits = PinMap(display="tm1637", pause_button=None).to_be_off()
    assert [line.name for line in digits["SPI"]] == ["player-4", "draw", "clk", "dio"]
    assert "1-Wire" not in digits


def test_every_board_that_gpiozero_knows_with_this_header_may_be_named() -> None:
    for kind in range(0x40):  # in a revision code the type of board has eight bits
        board = PiBoardInfo.from_revision(0xC03001 | kind << 4)
        name = board.model.lower().replace(" ", "")
        if name != "???":
            assert (name in BOARDS) == ("J8" in board.headers), name
            assert PinMap.from_table({"board": name} if name in BOARDS else {})
