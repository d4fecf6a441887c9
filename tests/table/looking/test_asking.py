"""What is asked about before it is judged, and what is no longer after somebody has insisted."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.doubt import Doubt
from referee.game.gin.round import GinRound, Stage
from referee.game.match.events import Started
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.rulebooks import ruleset
from referee.i18n import ENGLISH
from referee.journal.rows import Setup
from referee.table.looking.doubts import NOTHING, Suspicions, as_confirmed, doubts_of, notices_of, reads_in_doubt
from referee.table.looking.look import Look
from referee.table.looking.table_watcher import RESTLESS
from referee.vision.change.absence import Lies, Place
from referee.vision.change.occlusion import Cover
from referee.vision.sighting import Quality, Read, Sighting

LAID = parse_table("R10 B10 K10 | B3 B4 B5")
HIDING = Cover(0.2, 0.9, 9000.0, (0,))
BESIDE = Cover(0.5, 0.5, 2000.0, ())


def state_of(rules="rummikub", phase=Phase.LOOKING):
    made, _ = apply(Setup(rules).state(), Started(("Anna", "Ben"), 0.0))
    return replace(made, table=LAID, phase=phase)


def look_of(text, *, doubtful=0, **more):
    table = parse_table(text)
    tiles = [tile for tiles in table for tile in tiles]
    reads = tuple(
        Read(tile, 1.0, i < doubtful, (("red-1", 0.4),), np.zeros((4, 2), np.float32), 0.0)
        for i, tile in enumerate(tiles)
    )
    sets, at = [], 0
    for part in table:
        sets.append(tuple(range(at, at + len(part))))
        at += len(part)
    quality = more.pop("quality", Quality())
    return Look(Sighting("rummikub", "markers", reads, tuple(sets), quality), None, **more)


def texts(look, state, waived=NOTHING):
    return [ENGLISH(told) for told in notices_of(doubts_of(look, state, waived)[0])]


def asked_again(look, state):
    """What is asked when nothing has changed and somebody insists."""
    return texts(look, state, doubts_of(look, state)[1])


def gone(lies, text="B5"):
    ((tile,),) = parse_table(text)
    return (Place(tile, lies),)


ALL = "R10 B10 K10 | B3 B4 B5"
LESS = "R10 B10 K10 | B3 B4"


def test_a_clear_look_is_judged_at_once():
    assert texts(look_of(ALL), state_of()) == []
    assert texts(look_of(ALL + " | K1 K2 K3"), state_of()) == []


def test_a_read_in_doubt_stays_in_doubt():
    look = look_of(ALL, doubtful=1)
    for waived in (NOTHING, Suspicions((BESIDE,), marker=True)):
        (doubt,), _ = doubts_of(look, state_of(), waived)
        assert doubt.read.tile == "red-10"
        (told,) = notices_of([doubt])
        assert ENGLISH(told) == "the red 10 in the picture: 10 or 1? (its number is not clear)"


@pytest.mark.parametrize("phase", [Phase.LOOKING, Phase.ASKING, Phase.TIME_UP, Phase.COUNTING])
def test_a_tile_that_is_gone_is_asked_about_where_a_hand_might_lie_over_it_unseen(phase):
    for look in (look_of(LESS), look_of(LESS, places=gone(Lies.UNTOLD))):
        assert texts(look, state_of(phase=phase)) == ["the blue 5, which lay there before"]
        assert asked_again(look, state_of(phase=phase)) == []


def test_a_tile_that_is_gone_is_judged_at_once_where_nothing_lies_over_its_place():
    look = look_of(LESS, places=gone(Lies.NOTHING))
    assert texts(look, state_of()) == []
    assert texts(look, state_of(phase=Phase.TIME_UP)) == []
    assert look.clear


def test_each_tile_that_is_gone_must_be_seen_gone():
    less = "R10 B10 K10 | B3"
    assert len(texts(look_of(less, places=gone(Lies.NOTHING)), state_of())) == 1
    both = gone(Lies.NOTHING) + gone(Lies.NOTHING, "B4")
    assert texts(look_of(less, places=both), state_of()) == []
    for other in (Lies.UNTOLD, Lies.SOMETHING):
        assert len(texts(look_of(less, places=gone(Lies.NOTHING) + gone(other, "B4")), state_of())) == 1


def test_one_of_two_places_of_a_tile_is_not_enough():
    twice = replace(state_of(), table=parse_table("B3 B4 B5 | B5 R5 K5"))
    less = "B3 B4 B5 | R5 K5"  # one of the two was moved, perhaps
    assert texts(look_of(less, places=gone(Lies.NOTHING) * 2), twice) == []
    look = look_of(less, places=gone(Lies.NOTHING) + gone(Lies.SOMETHING))
    assert texts(look, twice) == asked_again(look, twice) == ["the blue 5, which lay there before"]


def test_a_tile_over_whose_place_something_lies_is_never_called_gone():
    look = look_of(LESS, places=gone(Lies.SOMETHING))
    assert texts(look, state_of()) == asked_again(look, state_of()) == ["the blue 5, which lay there before"]
    assert not look.clear


def test_whoever_was_asked_about_something_else_is_asked_about_this_first():
    look, covered = look_of(LESS), look_of(ALL, covers=(BESIDE,))
    other = doubts_of(look_of("R10 B10 | B3 B4 B5"), state_of())[1]
    assert other.missing
    assert texts(look, state_of(), other) == ["the blue 5, which lay there before"]
    assert texts(covered, state_of(), other) == ["a covered spot in the middle"]
    assert texts(look, state_of(), Suspicions((BESIDE,), marker=True)) == ["the blue 5, which lay there before"]


def test_where_tiles_may_go_nobody_is_asked_for_them():
    assert texts(look_of(LESS), state_of(phase=Phase.CHECKING)) == []
    assert texts(look_of(LESS), gin(Stage.TAKING_BACK)) == []


def gin(stage):
    """Open tiles in the order of `ALL`, the blue 5 being the last one."""
    row = tuple(tile for tiles in LAID for tile in tiles)
    return replace(state_of(), rules=ruleset("gin"), gin=GinRound(stage, row))


@pytest.mark.parametrize("stage", [Stage.FIRST_OFFER, Stage.SECOND_OFFER, Stage.TURN])
def test_in_gin_the_last_open_tile_may_be_taken_unless_something_lies_in_its_place(stage):
    assert texts(look_of(LESS), gin(stage)) == []
    assert texts(look_of(LESS, places=gone(Lies.UNTOLD)), gin(stage)) == []
    covered = look_of(LESS, places=gone(Lies.SOMETHING))
    assert texts(covered, gin(stage)) == ["the blue 5, which lay there before"]
    assert asked_again(covered, gin(stage)) == ["the blue 5, which lay there before"]


@pytest.mark.parametrize(("stage", "text"), [(Stage.TURN, "R10 B10 K10 | B4 B5"), (Stage.MUST_DRAW, LESS)])
def test_in_gin_no_other_tile_may(stage, text):
    (asked,) = texts(look_of(text), gin(stage))
    assert asked.endswith("which lay there before")


def test_a_cover_is_asked_about_once():
    look = look_of(ALL, covers=(BESIDE,))
    assert texts(look, state_of()) == ["a covered spot in the middle"]
    assert asked_again(look, state_of()) == []


def test_a_cover_over_the_place_of_a_tile_that_is_gone_is_asked_about_until_it_goes():
    look = look_of(LESS, covers=(BESIDE, HIDING), places=gone(Lies.UNTOLD))
    assert texts(look, state_of()) == ["a covered spot in the middle", "the blue 5, which lay there before"]
    assert asked_again(look, state_of()) == [
        "a covered spot at the bottom left",
        "the blue 5, which lay there before",
    ]


def test_insisting_counts_for_what_lies_in_that_place():
    look, st = look_of(ALL, covers=(BESIDE,)), state_of()
    waived = doubts_of(look, st)[1]
    shifted = replace(BESIDE, x=0.55, y=0.46, area_mm2=2600.0)
    assert texts(look_of(ALL, covers=(shifted,)), st, waived) == []
    other = replace(BESIDE, x=0.85)
    both = look_of(ALL, covers=(BESIDE, other))
    assert texts(both, st, waived) == ["a covered spot on the right"]
    assert texts(both, st, doubts_of(both, st, waived)[1]) == []
    assert texts(look_of(ALL, covers=(replace(BESIDE, area_mm2=9000.0),)), st, waived)


def test_a_cover_near_a_place_that_is_seen_bare_hides_nothing():
    look = look_of(LESS, covers=(HIDING,), places=gone(Lies.NOTHING))
    assert texts(look, state_of()) == ["a covered spot at the bottom left"]
    assert asked_again(look, state_of()) == []


def test_a_cover_over_the_old_place_of_a_tile_that_was_moved_may_stay():
    assert asked_again(look_of(ALL, covers=(HIDING,)), state_of()) == []


def test_a_covered_marker_is_asked_about_once():
    look = look_of(ALL, quality=Quality(hand=True))
    assert texts(look, state_of()) == ["one of the markers at the corners"]
    assert asked_again(look, state_of()) == []
    assert len(texts(replace(look, covers=(BESIDE,)), state_of())) == 1


def test_a_look_that_shows_nothing_says_why():
    look = Look(None, None, trouble=RESTLESS)
    assert texts(look, state_of()) == ["Something is moving on the table; please take your hands away."]
    assert notices_of(reads_in_doubt(look)) == (RESTLESS,)
    assert texts(Look(None, None), state_of()) == ["the whole table"]


def test_doubts_of_older_journals_are_told_as_they_were_worded_then():
    old = [{"text": "R10? (or R1)", "tile": "red-10"}, {"text": "what is covered in the middle"}]
    assert [ENGLISH(told) for told in notices_of(map(Doubt.from_json, old))] == [
        "R10? (or R1)",
        "what is covered in the middle",
    ]


def test_the_tiles_are_counted():
    twice = replace(state_of(), table=parse_table("R3 R4 R5 | R3 B3 K3"))
    assert texts(look_of("R3 R4 R5"), twice) == ["the black 3, the blue 3 and the red 3, which lay there before"]


def test_a_table_as_it_was_confirmed_may_have_the_tile_aside_on_it():
    state = replace(state_of("piatnik"), aside=parse_table("B9")[0][0])
    assert as_confirmed(look_of(ALL), state)
    assert as_confirmed(look_of(ALL + " | B9"), state)
    assert not as_confirmed(look_of(LESS), state)
    assert not as_confirmed(look_of(ALL, doubtful=1), state)
    assert not as_confirmed(Look(None, None, trouble=RESTLESS), state)
