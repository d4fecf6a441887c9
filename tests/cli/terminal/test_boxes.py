"""The enrolled box of the settings, and who enrols one at the table."""

from pathlib import Path

import numpy as np
import pytest
from command_line import FakeReader, negative, sighting_of
from made_up import READER, MadeUpLearner, batch_for, box_for, whole_box

from referee.cli.parts.box_knowledge import AtTheTable
from referee.cli.parts.readers import Parts
from referee.cli.terminal.chosen_box import usual_box, with_box
from referee.devices.box_file import load_box, save_box
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.tiles import tile_set
from referee.i18n import ENGLISH
from referee.settings.settings import load
from tests.support.errors import telling

GIN = tile_set("gin")
BATCHES = [batch_for(f"{i}.png", names, GIN) for i, names in enumerate(whole_box(GIN))]
PICTURE = np.zeros((60, 90, 3), np.uint8)


def parts(learner: MadeUpLearner | None = None, checksum: str = READER) -> Parts:
    reader = FakeReader([sighting_of()])
    return Parts(lambda: reader, negative, None, None if learner is None else lambda _: learner, lambda: checksum)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    save_box(tmp_path / "boxes" / "gin.json", box_for(GIN, "gin"))
    return tmp_path


def test_a_named_box_brings_its_tile_set(state: Path) -> None:
    settings, box = with_box(load(None, {}, {"table.box": "gin"}), parts(), state)
    assert box is not None
    assert (box.name, settings.table.tileset) == ("gin", "gin")
    assert with_box(load(None, {}), parts(), state)[1] is None


@pytest.mark.parametrize(
    ("flags", "checksum"),
    [
        ({"table.box": "no"}, READER),
        ({"table.box": "gin"}, "feed"),
        ({"table.box": "gin", "table.tileset": "piatnik"}, READER),
    ],
)
def test_a_named_box_that_cannot_be_used_is_told_with_its_place(state: Path, flags, checksum) -> None:
    with telling(BadInput, match=r"chosen box cannot be used; .*\(--set table.box: "):
        with_box(load(None, {}, flags), parts(checksum=checksum), state)


def test_the_box_enrolled_here_is_used_where_it_can_be(state: Path) -> None:
    told: list[Notice] = []
    assert usual_box(GIN, parts(), state, told.append) is not None
    assert usual_box(tile_set("classic"), parts(), state, told.append) is None
    assert told == []
    assert usual_box(GIN, parts(checksum="feed"), state, told.append) is None
    assert "Playing on without an enrolled box" in ENGLISH(told[0])


def test_a_box_enrolled_at_the_table_is_stored_and_read_with(tmp_path: Path) -> None:
    learner = MadeUpLearner("gin", BATCHES, FakeReader([sighting_of()]))
    table = AtTheTable(parts(learner), load(None, {}), tmp_path, None)
    table.reader(None)
    teacher = table.teacher(lambda: GIN)
    assert teacher is not None
    batches = [teacher.picture(PICTURE, number) for number in range(4)]
    assert all(one.batch is not None and not one.faults for one in batches)
    learnt = teacher.learn([one.batch for one in batches if one.batch is not None], {})
    assert learnt.trouble is None
    assert load_box(tmp_path / "boxes" / "gin.json", READER, GIN).name == "gin"
    assert table.taught is not None
    assert table.taught.box is learnt.enrolment.box
    assert teacher.learn([BATCHES[0]], {}).enrolment.problems


def test_a_box_that_cannot_be_stored_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "boxes").write_text("in the way")
    table = AtTheTable(parts(MadeUpLearner("gin", BATCHES, FakeReader([]))), load(None, {}), tmp_path, None)
    table.reader(None)
    teacher = table.teacher(lambda: GIN)
    assert teacher is not None
    assert teacher.learn(BATCHES, {}).trouble
    assert table.taught is not None
    assert table.taught.box is None


def test_without_a_learner_nothing_is_learnt(tmp_path: Path) -> None:
    table = AtTheTable(parts(), load(None, {}), tmp_path, None)
    assert isinstance(table.reader(None), FakeReader)
    assert table.teacher(lambda: GIN) is None


def test_pictures_for_the_coach_are_read_with_the_same_box_and_teach_nothing(tmp_path: Path) -> None:
    learner = MadeUpLearner("gin", BATCHES, FakeReader([sighting_of()]))
    box = box_for(GIN, "gin")
    table = AtTheTable(parts(learner), load(None, {}), tmp_path, box)
    table.reader(None)
    evening = table.taught.evening
    learner.known.clear()
    for tiles, own in ((GIN, True), (GIN, False), (tile_set("classic"), True)):
        table.read_picture(PICTURE, tiles, own)
    assert learner.known == [(box, evening), (box, None), (None, None)]
    assert table.taught.evening is evening
    assert AtTheTable(parts(), load(None, {}), tmp_path, None).read_picture(PICTURE, GIN, False).reads == ()
