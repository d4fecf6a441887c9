"""A reader that learns: only from tables that were confirmed as their own pictures showed them."""

from dataclasses import replace

import numpy as np
import pytest
from made_up import MadeUpLearner, box_for, sighting_for
from virtual_evening import OPENING
from virtual_evening import Evening as Match

from referee.cli.parts.box_knowledge import EVENING, EveningFile
from referee.game.notation import parse_table
from referee.game.tiles import tile_set
from referee.table.looking.known_table import lesson_of
from referee.table.preparation.teaching import STORE_EVERY_S, Taught
from referee.vision.boxes.evening import Evening

GIN, CLASSIC = tile_set("gin"), tile_set("classic")
NAMES = ["red-3", "red-4", "red-5", "blue-3", "blue-4", "blue-5"]
PICTURE = np.zeros((60, 90, 3), np.uint8)


class Eyes:
    """A reader that notes what tile set it was asked for."""

    def __init__(self, knows):
        self.knows, self.asked = knows, []

    def read(self, picture, tileset, table_mm, **_):
        self.asked.append((tileset, table_mm, picture.shape))
        return self


class Clock:
    def __init__(self):
        self.t = 1000.0


def taught(box=None):
    """A taught reader, its learner, what it stored, and its clock."""
    learner, stored, clock = MadeUpLearner(), [], Clock()
    learner.reader_for = lambda box, evening=None: Eyes((box, evening))
    reader = Taught(learner, box, Evening(key_of(box)), key=key_of, store=stored.append, now=lambda: clock.t,
                    wall=lambda: 1.7e9 + clock.t)  # fmt: skip
    return reader, stored, clock


def key_of(box):
    return "nobody" if box is None else box.name


def test_a_confirmed_table_is_learnt_from_and_stored_now_and_then() -> None:
    reader, stored, clock = taught()
    for _ in range(3):
        clock.t += 1
        reader.teach(sighting_for(NAMES, GIN), 1800)
    assert len(reader.evening.tables) == 3
    assert reader.read(PICTURE, GIN, (900.0, 600.0)).knows == (None, reader.evening)
    assert len(stored) == 1
    clock.t += STORE_EVERY_S
    reader.teach(sighting_for(NAMES, GIN), 1800)
    reader.keep()
    assert stored[-1] is reader.evening
    assert len(stored) == 2


def test_what_teaches_nothing_changes_nothing() -> None:
    reader, stored, _ = taught()
    before = reader.evening
    reader.teach(sighting_for(["joker"], GIN), 1800)
    reader.keep()
    assert reader.evening is before
    assert stored == []


def test_the_box_is_read_in_its_own_size_and_other_tiles_as_by_somebody_who_does_not_know_it() -> None:
    box = replace(box_for(GIN), size_mm=(25.0, 36.0, 9.0))
    reader, _, _ = taught(box)
    eyes = reader.read(PICTURE, GIN, (900.0, 600.0))
    assert eyes.knows[0] is box
    assert eyes.asked[-1][0].size_mm == (25.0, 36.0, 9.0)
    assert reader.read(PICTURE, CLASSIC, (900.0, 600.0)).knows == (None, None)
    assert reader.read(PICTURE, None, (900.0, 600.0)).knows[0] is box


def test_one_more_picture_is_read_by_the_same_reader_as_the_first() -> None:
    reader, _, _ = taught(box_for(GIN))
    for tiles in (GIN, CLASSIC, None):
        eyes = reader.read(PICTURE, tiles, (900.0, 600.0))
        assert reader.read_closer(PICTURE, tiles, (900.0, 600.0), marked_only=True) is eyes
        assert eyes.asked[-1] == eyes.asked[-2]
    eyes.read_closer = lambda *_, **__: "closer"
    assert reader.read_closer(PICTURE, GIN, (900.0, 600.0)) == "closer"


def test_another_box_begins_another_evening() -> None:
    reader, _, _ = taught()
    reader.teach(sighting_for(NAMES, GIN), 1800)
    reader.use(box_for(GIN))
    assert reader.evening == Evening("ours")
    assert reader.read(PICTURE, GIN, (900.0, 600.0)).knows[0].name == "ours"


def test_a_look_teaches_what_its_picture_alone_showed_of_the_table_that_was_confirmed() -> None:
    plain = sighting_for(["red-3", "red-4", "red-5"], GIN, {2: "red-8"})
    assert lesson_of(plain, PICTURE, parse_table("R3 R4 R5")) == (plain, 90)
    assert lesson_of(plain, PICTURE, parse_table("R3 R4 R8")) == (plain, 90)
    assert lesson_of(plain, PICTURE, parse_table("R3 R8 R5")) is None
    assert lesson_of(None, PICTURE, ()) is lesson_of(plain, None, ()) is None


@pytest.mark.parametrize("doubtful", [0, 1])
def test_in_a_match_accepted_tables_teach_and_refused_ones_do_not(doubtful) -> None:
    learnt = []

    async def script(match):
        await match.start()
        await match.lay(parse_table("R1 B1"))
        await match.press(1)
        await match.wait(3)
        assert learnt == []
        match.sight.doubtful = doubtful
        await match.lay(OPENING)
        await match.press(1)
        await match.wait(3)

    match = Match(learn=lambda sighting, width: learnt.append((sighting, width))).play(script)
    assert match.state.table
    (sighting, width) = learnt[-1]
    assert sighting.table == OPENING
    assert width > 100


def test_an_evening_is_kept_for_the_next_start_and_a_damaged_one_does_not_count(tmp_path) -> None:
    reader, _, _ = taught()
    reader.teach(sighting_for(NAMES, GIN), 1800)
    file, t = EveningFile(tmp_path), reader.evening.t
    assert file.load("nobody", t) == Evening("nobody")
    file.save(reader.evening)
    assert len(file.load("nobody", t + 60).tables) == 1
    assert file.load("somebody", t + 60) == Evening("somebody")
    assert file.load("nobody", t + 1e5) == Evening("nobody")
    data = (tmp_path / EVENING).read_text()
    for spoilt in (data[:-9], data.replace("gin", "nig"), "{}", ""):
        (tmp_path / EVENING).write_text(spoilt)
        assert file.load("nobody", t) == Evening("nobody")
    EveningFile(tmp_path / "nowhere").save(reader.evening)
