"""Two inks of which nobody can say which is which are asked about once, and one answer names all their tiles."""

from dataclasses import replace

import numpy as np

from referee.game.match.events import Word
from referee.game.tiles import Tile
from referee.i18n import ENGLISH
from referee.table.looking.told_tiles import hold
from referee.vision.asked import asked_about, ink_pair
from referee.vision.sighting import Read, Sighting

GREEN, BLUE, BLACK = (0.6, 0.2, 0.7), (0.2, 0.5, 0.8), (0.9, 0.9, 0.9)
OTHER = {"green": "blue", "blue": "green"}


def read(x, name, absorbed, *, doubtful=True, spread=0.02):
    colour, _, number = name.partition("-")
    corners = np.float32([[x, 100], [x + 40, 100], [x + 40, 156], [x, 156]])
    noise = np.random.default_rng(x).normal(0, spread, 3)
    others = ((f"{OTHER[colour]}-{number}", 0.45),) if doubtful else ()
    confidence = 0.54 if doubtful else 0.999
    seen = tuple(float(a) for a in np.asarray(absorbed) + noise)
    return Read(Tile.from_name(name), confidence, doubtful, others, corners, 0.0, float(x), 300.0, absorbed=seen)


def sighting(*reads):
    outline = np.float32([[0, 0], [1000, 0], [1000, 200], [0, 200]])
    return Sighting("piatnik", "markers", reads, (tuple(range(len(reads))),), sure_from=0.9, outline_px=outline)


def two_inks(**kwargs):
    greens = [read(100 + 50 * i, f"green-{i + 3}", GREEN, **kwargs) for i in range(4)]
    blues = [read(500 + 50 * i, f"blue-{i + 7}", BLUE, **kwargs) for i in range(3)]
    return [*greens, *blues]


def names(seen):
    return [f"{one.name}?" if one.doubtful else one.name for one in seen.reads]


def word(seen, number, name):
    one = seen.reads[number]
    return Word(Tile.from_name(name), one.x_mm, one.y_mm, one.angle_deg)


def test_all_tiles_of_both_inks_are_one_question():
    seen = sighting(*two_inks(), replace(read(800, "green-1", BLACK, doubtful=False), tile=Tile.from_name("black-1")))
    (doubt,) = asked_about(seen)
    question = "the 3 on the left: green or blue? (the answer applies to all 7 tiles of both colours)"
    assert ENGLISH(doubt.notice) == question
    assert doubt.together == (0, 1, 2, 3, 4, 5, 6)
    assert doubt.read.tile == "green-3"


def test_another_doubt_is_asked_about_as_well():
    six = Read(
        Tile.from_name("black-6"), 0.6, True, (("black-9", 0.3),), np.zeros((4, 2), np.float32), 0.0, 900.0, 300.0
    )
    asked = asked_about(sighting(*two_inks(), six))
    assert [bool(doubt.together) for doubt in asked] == [True, False]


def test_one_answer_swaps_both_inks_or_leaves_both():
    seen = sighting(*two_inks())
    swapped = hold(seen, (word(seen, 0, "blue-3"),)).sighting
    assert names(swapped) == ["blue-3", "blue-4", "blue-5", "blue-6", "green-7", "green-8", "green-9"]
    kept = hold(seen, (word(seen, 5, "blue-8"),)).sighting
    assert names(kept) == ["green-3", "green-4", "green-5", "green-6", "blue-7", "blue-8", "blue-9"]
    assert swapped.doubts == kept.doubts == ()


def test_an_answer_that_is_neither_ink_is_about_that_tile_alone():
    seen = sighting(*two_inks())
    told = hold(
        seen, (replace(word(seen, 0, "green-3"), tile=Tile.from_name("red-3"), offered=(seen.reads[0].tile,)),)
    )
    assert names(told.sighting)[0] == "red-3"
    assert len(told.sighting.doubts) == 6


def test_tiles_that_cannot_be_told_from_each_other_are_questions_of_their_own():
    alike = [replace(one, absorbed=GREEN) for one in two_inks()]
    wide = two_inks(spread=0.3)
    for reads in (alike, wide):
        assert ink_pair(sighting(*reads)) is None
        assert len(asked_about(sighting(*reads))) == len(reads)


def test_a_tile_that_is_surely_of_one_ink_says_that_the_others_are_no_swap():
    seen = sighting(*two_inks(), read(800, "green-12", GREEN, doubtful=False))
    assert ink_pair(seen) is None
