"""Tiles in doubt that change nothing need no answer."""

from dataclasses import replace

import pytest

from referee.game.doubt import Doubt
from referee.game.match.events import Ask, Lamp, Light, Pressed, Say, Seen, Show, Started, Unsure
from referee.game.match.immaterial_doubts import MOST, common_outcome
from referee.game.match.machine import OutOfOrder, apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.game.tiles import Tile
from referee.i18n import ENGLISH

TABLE = parse_table("R1 R2 R3 | K4 K5 K6")


def pressed(rules="rummikub", table=TABLE, opened=True):
    state, _ = apply(new_match(ruleset(rules)), Started(("Ann", "Ben"), 0.0))
    seats = tuple(replace(seat, opened=opened) for seat in state.seats)
    return apply(replace(state, table=table, seats=seats), Pressed(state.current, 5.0))[0]


def tile(text):
    return Tile.from_name(text)


def seen(text, number, index, *names):
    return Seen(parse_table(text), 6.0, unsure=(unsure(number, index, *names),))


def unsure(number, index, *names):
    return Unsure(number, index, tuple(None if name == "face-down" else tile(name) for name in names), Doubt("?"))


def faults(effects):
    (shown,) = (effect.verdict for effect in effects if isinstance(effect, Show))
    assert not shown.accepted
    return [ENGLISH(fault.notice) for fault in shown.faults]


def test_a_wrong_set_elsewhere_is_refused_though_a_tile_is_in_doubt():
    state = pressed()
    event = seen("R1 R2 R3 | K4 K5 K6 | B7 B8 B9 | O1 B5", 2, 1, "blue-8", "blue-3")
    after, effects = apply(state, event)
    assert after.phase is Phase.TURN
    assert after.current == 0
    assert after.table == TABLE
    assert faults(effects) == ["O1 B5 is not a set: a set has at least 3 tiles."]
    assert "O1 B5 is not a set: a set has at least 3 tiles." in [
        ENGLISH(effect.notice) for effect in effects if isinstance(effect, Say)
    ]
    assert Lamp(0, Light.REFUSED) in effects
    assert [effect for effect in effects if isinstance(effect, Ask)] == []


def test_a_set_that_is_wrong_whatever_one_of_its_tiles_is_names_only_the_others():
    after, effects = apply(pressed(), seen("R1 R2 R3 | K4 K5 K6 | B7 K9 O2", 2, 1, "black-9", "black-6"))
    assert after.phase is Phase.TURN
    assert faults(effects) == ["B7 ? O2 is not a set, whatever the unreadable tile is."]
    (shown,) = (effect.verdict for effect in effects if isinstance(effect, Show))
    assert shown.faults[0].tiles == (tile("blue-7"), tile("orange-2"))
    assert shown.laid == (tile("orange-2"), tile("blue-7"))


@pytest.mark.parametrize(
    ("text", "number", "index", "names"),
    [
        pytest.param("R1 R2 R3 | K4 K5 K6 | B7 B8 B9", 2, 1, ("blue-8", "blue-3"), id="it may be right"),
        pytest.param("R1 R2 R3 | K4 K5 K6 | B7 B8 B9", 2, 1, ("blue-3", "blue-8"), id="it may be right after all"),
        pytest.param("R1 R2 R3 | K4 K5 K6 | B7 B8 B3", 2, 2, ("blue-3", "blue-5"),
                     id="it would be right with a tile that is not even thought of"),
        pytest.param("R1 R2 R3 | K4 K5 K9", 1, 2, ("black-9", "black-6"), id="what is missing may lie there"),
        pytest.param("R1 R2 R3 | K4 K5 K6 | B7 K9", 2, 1, ("black-9", "face-down"), id="if a back, another fault"),
        pytest.param("R1 R2 R3 | K4 K5 K6 K7", 1, 3, ("black-7", "black-3"), id="accepted, but as another table"),
    ],
)  # fmt: skip
def test_otherwise_it_is_asked(text, number, index, names):
    state, event = pressed(), seen(text, number, index, *names)
    assert common_outcome(state, event, apply) is None
    with pytest.raises(OutOfOrder):
        apply(state, event)


def test_two_tiles_in_doubt_in_one_set_are_asked_about():
    two = (unsure(2, 0, "blue-7", "blue-1"), unsure(2, 1, "black-9", "black-6"))
    event = Seen(parse_table("R1 R2 R3 | K4 K5 K6 | B7 K9 O2"), 6.0, unsure=two)
    assert common_outcome(pressed(), event, apply) is None


def test_two_tiles_in_doubt_in_two_wrong_sets_are_not():
    two = (unsure(2, 0, "blue-7", "blue-1"), unsure(3, 1, "black-9", "black-6"))
    event = Seen(parse_table("R1 R2 R3 | K4 K5 K6 | B7 K9 | R12 K9"), 6.0, unsure=two)
    _, effects = apply(pressed(), event)
    assert faults(effects) == [
        "? K9 is not a set, whatever the unreadable tile is.",
        "R12 ? is not a set, whatever the unreadable tile is.",
    ]


def test_a_tile_that_may_be_the_missing_one_makes_nobody_guilty_of_that():
    _, effects = apply(pressed(), seen("R1 R2 R3 | K4 K5 | K8", 2, 0, "black-8", "black-3"))
    assert faults(effects) == ["K4 K5 is not a set: a set has at least 3 tiles."]


def test_a_back_parts_its_neighbours():
    one = seen("R1 R2 R3 | K4 K5 K6 | B7 K9 O2", 2, 1, "black-9", "face-down")
    assert common_outcome(pressed(), one, apply) is None  # whatever it is something is wrong, but not the same
    _, effects = apply(pressed(), seen("R1 R2 R3 | K4 K5 K6 | O1 O5 O9 | B7 K9", 3, 1, "black-9", "face-down"))
    assert faults(effects) == ["O1 O5 O9 is not a set: there are numbers missing."]


def test_too_many_readings_are_asked_about():
    names = [f"blue-{number}" for number in range(1, 10)]
    many = (unsure(2, 0, *names), unsure(2, 1, *names))
    assert len(names) ** 2 > MOST
    event = Seen(parse_table("R1 R2 R3 | K4 K5 K6 | B7 K9 | R12 K9"), 6.0, unsure=many)
    assert common_outcome(pressed(), event, apply) is None


def test_with_something_else_in_doubt_it_is_asked():
    event = replace(seen("R1 R2 R3 | K4 K5 K6 | O1 B5", 2, 1, "blue-5", "blue-3"), doubts=(Doubt("a cover"),))
    assert common_outcome(pressed(), event, apply) is None


def test_in_gin_it_is_the_same():
    state = replace(pressed("gin", ()), phase=Phase.LOOKING)
    event = seen("R1 | K4", 1, 0, "black-4", "black-6")
    after, effects = apply(state, event)
    assert after.phase is Phase.TURN
    assert Say(Notice("gin.one_tile_open", seen=2)) in effects
    assert common_outcome(state, seen("R1", 0, 0, "red-1", "red-7"), apply) is None


def test_a_hand_is_not_counted_while_other_tiles_are_missing():
    state = replace(pressed(), phase=Phase.COUNTING)
    event = seen("R1 | K4 K5 K6 | O1", 2, 0, "orange-1", "orange-7")
    assert common_outcome(state, event, apply) is None  # it may be one of those, though it does not look like them
