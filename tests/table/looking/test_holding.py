"""What players said a tile is holds while it lies there."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.match.events import About, Word
from referee.game.notation import format_table
from referee.game.tiles import Tile
from referee.table.looking.known_table import Memory
from referee.table.looking.told_tiles import hold, with_unseen, word_for
from referee.vision.sighting import Read, Sighting


def lies(x, name, *others, doubtful=False, y=300.0):
    tile = None if name == "face-down" else Tile.from_name(name)
    alternatives = tuple((other, 0.2) for other in others)
    return Read(tile, 0.6 if doubtful else 1.0, doubtful, alternatives, np.zeros((4, 2), np.float32), 0.0, x, y)


JACK = lies(200.0, "blue-8", "blue-11", doubtful=True)
WORD = word_for(JACK, Tile.from_name("blue-11"), (Tile.from_name("blue-8"), Tile.from_name("blue-11")))


def sighting(*reads):
    sets = (tuple(i for i, read in enumerate(reads) if read.tile is not None),)
    return Sighting("classic", "markers", reads, sets, sure_from=0.98)


def held(*reads, words=(WORD,), before=()):
    return hold(sighting(*reads), words, before)


def test_the_tile_is_what_players_said():
    answer = held(JACK)
    (read,) = answer.sighting.reads
    assert (read.name, read.doubtful) == ("blue-11", False)
    assert read.alternatives == (("blue-8", 0.6),)
    assert answer.words == (WORD,)


def test_without_words_nothing_is_changed():
    seen = sighting(JACK)
    assert hold(seen, ()).sighting is seen


def test_pushed_a_little_it_is_still_the_same():
    answer = held(replace(JACK, x_mm=215.0, angle_deg=5.0))
    assert answer.sighting.reads[0].name == "blue-11"
    assert answer.words == (replace(WORD, x_mm=215.0, angle_deg=5.0),)


def test_read_beyond_doubt_as_what_was_said_it_holds_on():
    sure = lies(200.0, "blue-11")
    assert held(sure).words == (WORD,)
    assert held(sure).sighting.reads == (sure,)


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lies(200.0, "blue-8"), id="read beyond doubt as another"),
        pytest.param(lies(200.0, "red-3", "red-8", doubtful=True), id="a print that was never offered"),
    ],
)
def test_a_clearly_different_print_breaks_it(read):
    answer = held(read)
    assert answer.sighting.reads == (read,)
    assert answer.words == answer.lost == ()


@pytest.mark.parametrize(
    "reads", [(), (replace(JACK, x_mm=400.0),), (replace(JACK, x_mm=212.0), replace(JACK, x_mm=188.0))]
)
def test_a_tile_that_is_not_found_or_not_for_sure_is_lost(reads):
    answer = held(*reads)
    assert answer.words == ()
    assert answer.lost == (WORD,)
    assert answer.sighting.reads == reads


def test_a_row_that_has_moved_on_by_one_tile_breaks_it():
    before = (JACK, lies(226.0, "blue-12"))
    assert held(JACK, lies(226.0, "blue-12"), before=before).words == (WORD,)
    moved = (JACK, lies(226.0, "blue-11"), lies(252.0, "blue-12"))
    assert held(*moved, before=before).words == ()


def test_told_another_tile_than_offered_it_holds_for_the_same_print():
    queen = replace(WORD, tile=Tile.from_name("red-12"))
    assert held(JACK, words=(queen,)).sighting.reads[0].name == "red-12"


def test_a_tile_told_to_lie_face_down_parts_its_neighbours():
    reads = (lies(174.0, "red-7"), JACK, lies(226.0, "black-7"))
    answer = held(*reads, words=(replace(WORD, tile=None),))
    assert format_table(answer.sighting.table) == "R7 | K7"


def test_a_back_told_to_be_a_tile_joins_them():
    back = lies(200.0, "face-down", "blue-7", doubtful=True)
    reads = (lies(174.0, "red-7"), back, lies(226.0, "black-7"))
    seen = Sighting("classic", "markers", reads, ((0,), (2,)), sure_from=0.98)
    answer = hold(seen, (word_for(back, Tile.from_name("blue-7"), (None, Tile.from_name("blue-7"))),))
    assert format_table(answer.sighting.table) == "R7 B7 K7"


class TestMemory:
    def test_words_come_first(self):
        memory = Memory()
        memory.confirm(sighting(lies(200.0, "blue-8")))
        memory.words = (WORD,)
        assert memory.settle(sighting(JACK)).sighting.reads[0].name == "blue-11"
        memory.clear()
        assert memory.settle(sighting(JACK)).sighting.reads == (JACK,)

    def test_what_was_sure_once_stays_sure_while_it_lies_there(self):
        memory, sure = Memory(), lies(200.0, "blue-11")
        doubtful = replace(JACK, tile=sure.tile, alternatives=(("blue-8", 0.2),), confidence=0.7)
        memory.settle(sighting(sure))
        for _ in range(2):
            assert memory.settle(sighting(doubtful)).sighting.reads[0].doubtful is False
        memory.settle(sighting())
        assert memory.settle(sighting(doubtful)).sighting.reads[0].doubtful

    def test_a_confirmed_table_takes_its_place(self):
        memory, sure = Memory(), lies(200.0, "blue-11")
        memory.settle(sighting(sure))
        memory.confirm(None)
        doubtful = replace(JACK, tile=sure.tile, confidence=0.7)
        assert memory.settle(sighting(doubtful)).sighting.reads[0].doubtful


def test_a_word_is_told_with_place_and_offer():
    assert (
        Word(Tile.from_name("blue-11"), 200.0, 300.0, 0.0, (Tile.from_name("blue-8"), Tile.from_name("blue-11")))
        == WORD
    )


MISREAD = word_for(lies(200.0, "blue-8"), Tile.from_name("blue-11"), (Tile.from_name("blue-8"),), About.MISREAD)


def test_a_tile_that_was_misread_is_what_players_said_while_it_is_misread_so():
    answer = held(lies(200.0, "blue-8"), words=(MISREAD,))
    assert answer.sighting.reads[0].name == "blue-11"
    assert answer.words == (MISREAD,)


@pytest.mark.parametrize("now", [lies(200.0, "blue-9"), lies(210.0, "blue-8"), lies(200.0, "red-8")])
def test_another_print_or_another_place_is_no_matter_of_that_word(now):
    answer = held(now, words=(MISREAD,))
    assert answer.sighting.reads == (now,)
    assert answer.words == ()


UNSEEN = Word(Tile.from_name("blue-9"), 226.0, 300.0, 0.0, (), About.UNSEEN)


def marked(*reads):
    outline = np.asarray([(0, 0), (1800, 0), (1800, 1200), (0, 1200)], np.float32)
    return replace(sighting(*reads), outline_px=outline, table_mm=(900.0, 600.0))


def test_a_tile_that_was_not_found_is_one_of_its_row():
    seen, there = with_unseen(marked(lies(200.0, "blue-8"), lies(252.0, "blue-10")), (UNSEEN,))
    assert format_table(seen.table) == "B8 B9 B10"
    assert there == (UNSEEN,)
    assert seen.reads[2].corners_px.mean(axis=0) == pytest.approx([452, 600], abs=1e-3)


def test_no_more_tiles_are_told_than_the_box_holds():
    both = marked(lies(200.0, "blue-9"), lies(252.0, "blue-9"))
    assert with_unseen(both, (UNSEEN,)) == (both, ())


def test_without_markers_no_place_is_known():
    assert with_unseen(sighting(lies(200.0, "blue-8")), (UNSEEN,))[1] == ()


def test_of_a_joker_too_many_one_word_settles_all():
    jokers = [replace(lies(x, "joker", "red-7", doubtful=True), confidence=0.99) for x in (100.0, 200.0, 300.0)]
    seen = replace(sighting(*jokers), tileset="rummikub")
    word = word_for(jokers[1], Tile.from_name("red-7"), (Tile.from_name("red-7"),))
    settled = hold(seen, (word,)).sighting
    assert [(read.name, read.doubtful) for read in settled.reads] == [
        ("joker", False), ("red-7", False), ("joker", False),
    ]  # fmt: skip
    kept = hold(seen, (word_for(jokers[1], Tile.from_name("joker"), (Tile.from_name("joker"),)),)).sighting
    assert [read.doubtful for read in kept.reads] == [True, False, True]


def test_a_table_that_was_taken_back_settles_no_doubt():
    memory = Memory()
    first, wrong = lies(400.0, "red-3"), lies(200.0, "blue-8")
    memory.confirm(sighting(first))
    memory.confirm(sighting(first, wrong))
    assert not memory.settle(sighting(first, JACK)).sighting.reads[1].doubtful
    memory.take_back()
    assert memory.settle(sighting(first, JACK)).sighting.reads[1].doubtful
    blurred = replace(first, confidence=0.6, doubtful=True, alternatives=(("red-8", 0.2),))
    assert not memory.settle(sighting(blurred)).sighting.reads[0].doubtful
