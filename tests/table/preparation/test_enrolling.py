"""Enrolling a box at the table: presses and pictures in, sentences and what to do next out."""

import re
from dataclasses import replace

import numpy as np
import pytest
from made_up import MadeUpLearner, batch_for, box_for, whole_box
from virtual_evening import Evening, Slow

from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.game.tiles import Tile, tile_set
from referee.i18n import ENGLISH
from referee.table.input.answers import Answer
from referee.table.input.buttons import ENROL_ONCE_MORE, Meaning, StartButton
from referee.table.input.requests import AddTile, EnrolBox, EnrolStep, PendingRequest, Sender
from referee.table.output.audience import Audiences
from referee.table.preparation.enrol_sheet import Sheet
from referee.table.preparation.enrol_steps import (
    BEGIN,
    BUSY,
    MOST_PICTURES,
    NO_PICTURE,
    STOPPED,
    Enrolling,
    Learnt,
    Pictured,
    Wanted,
)
from referee.table.preparation.enrolment import CANNOT, ENROL, NONE_BEGUN, ONLY_BEFORE
from referee.table.preparation.prepared import PictureKept
from referee.vision.boxes.enrol import Enrolment, Question

GIN = tile_set("gin")
WHOLE = whole_box(GIN)
BATCHES = [batch_for(f"picture {i}", names, GIN) for i, names in enumerate(WHOLE, 1)]
BOX = box_for(GIN)
MISSING = Notice("box.missing", tiles=(Tile.from_name("red-7"),))


def text(step):
    return ENGLISH(step.told)


def shown(count=4):
    """An enrolment with so many pictures taken."""
    one = Enrolling(GIN, (900.0, 600.0))
    for batch in BATCHES[:count]:
        assert one.press(long=False).wanted is Wanted.PICTURE
        one.take_picture(Pictured(batch))
    return one


def asked(*names):
    """An enrolment that asks about so many tiles."""
    one = shown()
    one.press(long=True)
    questions = tuple(Question(0, i, likely) for i, likely in enumerate(names))
    step = one.handle_outcome(Learnt(Enrolment(None, (), questions)))
    assert step.wanted is Wanted.NOTHING
    return one, step


def test_each_press_takes_a_picture_and_tells_what_is_left() -> None:
    one = Enrolling(GIN, (900.0, 600.0))
    step = one.press(long=False)
    assert (step.told, step.wanted) == (None, Wanted.PICTURE)
    assert one.press(long=False).told == one.button().told == one.take_line("=R7").told == BUSY
    assert text(one.take_picture(Pictured(BATCHES[0]))).startswith(
        "Picture 1: 13 tiles; 39 of 52 tiles still to show."
    )


def test_a_picture_with_faults_does_not_count_and_says_why() -> None:
    one = shown(1)
    one.press(long=False)
    step = one.take_picture(Pictured(BATCHES[1], (Notice("box.blurred"), Notice("box.no_tile"))))
    assert text(step) == (
        "Picture 2 does not count: It is blurred; check the focus, and keep everything still. "
        "I cannot see any tiles in it."
    )
    assert not step.well
    assert len(one.batches) == 1


def test_a_picture_can_be_taken_back() -> None:
    one = shown(2)
    assert text(one.button()) == "The last picture no longer counts; 39 of 52 tiles still to show."
    one.button()
    assert one.button().told == NO_PICTURE


def test_start_held_without_any_picture_gives_up() -> None:
    step = Enrolling(GIN, (900.0, 600.0)).press(long=True)
    assert (step.told, step.wanted) == (STOPPED, Wanted.END)


def test_a_whole_box_is_learnt_and_ends_it() -> None:
    one = shown()
    assert one.press(long=True).wanted is Wanted.LEARN
    step = one.handle_outcome(Learnt(Enrolment(BOX)))
    assert step.wanted is Wanted.END
    assert "enrolled as ours" in text(step)


def test_a_box_that_looks_like_another_kind_is_learnt_where_somebody_says_yes() -> None:
    one = shown()
    one.press(long=True)
    step = one.handle_outcome(Learnt(Enrolment(None, looks_like="rummikub")))
    assert (step.wanted, step.well) == (Wanted.NOTHING, False)
    assert "look like rummikub rather than gin" in text(step)
    assert one.press(long=False).told == step.told
    assert not one.sure
    assert one.button().wanted is Wanted.LEARN
    assert one.sure
    assert one.handle_outcome(Learnt(Enrolment(BOX))).wanted is Wanted.END


@pytest.mark.parametrize("way", ["held", "another picture"])
def test_a_box_that_looks_like_another_kind_is_not_learnt_otherwise(way: str) -> None:
    one = shown(3)
    one.press(long=True)
    one.handle_outcome(Learnt(Enrolment(None, looks_like="rummikub")))
    if way == "held":
        step = one.press(long=True)
        assert (step.told, step.wanted) == (STOPPED, Wanted.END)
    else:
        one.take_picture(Pictured(BATCHES[3]))
        assert (one.looks_like, one.sure) == (None, False)


def test_at_a_screen_to_learn_once_more_says_that_the_box_is_what_was_told() -> None:
    one = shown()
    one.learns()
    one.handle_outcome(Learnt(Enrolment(None, looks_like="rummikub")))
    assert one.learns().wanted is Wanted.LEARN
    assert one.sure


def test_what_is_missing_can_still_be_shown_or_all_of_it_given_up() -> None:
    one = shown(3)
    one.press(long=True)
    step = one.handle_outcome(Learnt(Enrolment(None, (MISSING,))))
    assert text(step).startswith("Missing from the pictures: red 7. Show what is missing")
    one.press(long=False)
    one.take_picture(Pictured(BATCHES[3]))
    assert one.press(long=True).wanted is Wanted.LEARN
    one.handle_outcome(Learnt(Enrolment(None, (MISSING,))))
    assert one.press(long=True).told == STOPPED


def test_a_box_that_cannot_be_stored_is_told_and_may_be_tried_again() -> None:
    one = shown()
    one.press(long=True)
    step = one.handle_outcome(Learnt(Enrolment(BOX), "the disk is full"))
    assert text(step) == "The box could not be saved: the disk is full"
    one.press(long=True)
    assert text(one.handle_outcome(Learnt(Enrolment(BOX), Notice("play.slow_disk")))).endswith(
        "as soon as it is done."
    )


def test_a_question_is_answered_with_start_and_a_players_button() -> None:
    one, step = asked(("black-1", "black-8"), ("red-6", "red-9"))
    assert text(step) == (
        "2 tiles still have to be named. Picture 1, at the top left (23, 29 mm): is it the black 1 (or the black 8)? "
        "Press a player's button for yes, start for the next suggestion."
    )
    assert text(one.press(long=False)).endswith("is it the black 8?")
    assert "is it the red 6 (or the red 9)?" in text(one.button())
    step = one.button()
    assert step.wanted is Wanted.LEARN
    assert one.named == {(0, 0): "black-8", (0, 1): "red-6"}


def test_a_question_is_answered_at_the_console() -> None:
    one, _ = asked(("black-1", "black-8"), ("red-6",), ())
    assert "Expected a tile of gin" in text(one.take_line("G7"))
    assert "Expected a tile of gin" in text(one.take_line("c"))
    one.take_line("b")
    assert "which tile is it?" in text(one.take_line("R9"))
    assert not one.button().well
    assert one.take_line("k1").wanted is Wanted.LEARN
    assert one.named == {(0, 0): "black-8", (0, 1): "red-9", (0, 2): "black-1"}


def test_start_held_names_no_tile_and_goes_back_to_the_pictures() -> None:
    one, _ = asked(("black-1", "black-8"))
    assert text(one.press(long=True)).startswith("No tile was named; all 52 tiles have been shown")
    assert "13 of 52" in text(one.button())
    assert text(one.take_line("a")) == "There is no question about a tile at the moment."


def test_pictures_are_bounded_and_too_many_tiles_are_told() -> None:
    one = shown()
    for _ in range(MOST_PICTURES - 4):
        one.press(long=False)
        step = one.take_picture(Pictured(BATCHES[0]))
    assert "tiles were shown, more than the 52 in the box" in text(step)
    assert one.press(long=False).wanted is Wanted.NOTHING


def test_before_a_match_start_held_twice_enrols_only_where_that_can_be() -> None:
    button = StartButton()
    held = {"long": True, "cut": False, "enrols": True}
    assert button.means(Phase.LOBBY, 5.0, **held) is Meaning.ENROL_ONCE_MORE
    assert button.means(Phase.LOBBY, 9.0, **held) is Meaning.ENROL
    assert button.means(Phase.LOBBY, 9.0, long=False, cut=False, enrols=True) is Meaning.DEAL
    assert button.means(Phase.PAUSED, 9.0, **held) is Meaning.END
    assert button.means(Phase.LOBBY, 9.0, long=True, cut=False) is Meaning.DEAL


class AtTheTable:
    """Learns for real, from pictures whose answers are made up."""

    name, tileset, table_mm = "ours", GIN, (900.0, 600.0)

    def __init__(self, batches=BATCHES):
        self.learner = MadeUpLearner("gin", batches)
        self.numbers, self.box = [], None

    def picture(self, picture, number):
        self.numbers.append(number)
        return Pictured(self.learner.batch(picture, f"picture {number}", GIN, self.table_mm))

    def with_tile(self, batch, picture, place_px, tile):
        return self.learner.with_tile_named(batch, picture, place_px, tile, GIN, self.table_mm)

    def learn(self, batches, named, sure=False):
        learnt = self.learner.enrol(self.name, GIN, batches, named, sure=sure)
        self.box = learnt.box
        return Learnt(learnt)


def test_a_box_is_enrolled_from_the_panel_before_a_match_and_the_match_goes_on() -> None:
    teacher = AtTheTable()

    async def script(evening):
        await evening.press("pause", hold=1.2)
        assert evening.said[-1] == ENGLISH(ENROL_ONCE_MORE)
        await evening.press("pause", hold=1.2)
        assert evening.said[-1] == ENGLISH(BEGIN)
        for number in range(4):
            await evening.press("pause")
            await evening.wait(0.5)
            assert evening.said[-1].startswith(f"Picture {number + 1}: 13 tiles")
        assert evening.state.phase is Phase.LOBBY
        await evening.press("pause", hold=1.2)
        await evening.wait(0.5)
        assert "enrolled as ours" in evening.said[-1]
        assert teacher.box is not None
        await evening.start()
        assert evening.state.phase is Phase.TURN

    Evening(teacher=teacher).play(script)
    assert teacher.numbers == [1, 2, 3, 4]


def test_the_console_begins_it_and_a_lost_camera_or_a_stumble_ends_nothing() -> None:
    teacher = AtTheTable([*BATCHES[:1], ValueError("no"), *BATCHES[1:]])

    async def script(evening):
        evening.loop.answer(Answer(ENROL))
        evening.loop.answer(Answer(ENROL))
        await evening.wait(0.2)
        assert evening.said.count(ENGLISH(BEGIN)) == 1
        await evening.start()
        await evening.wait(0.5)
        await evening.start()
        await evening.wait(2.0)
        assert any("That did not work" in text for text in evening.said)
        evening.sight.lost = True
        await evening.start()
        await evening.wait(0.5)
        evening.sight.lost = False
        await evening.wait(2.0)
        assert any(text.startswith("Picture 2: 13 tiles") for text in evening.said)
        await evening.press(1)
        assert "39 of 52" in evening.said[-1]
        evening.loop.answer(Answer("a"))
        await evening.wait(0.2)
        assert evening.said[-1] == "There is no question about a tile at the moment."

    Evening(teacher=teacher).play(script)


PASSED = np.asarray([[[100, 3], [110, 3], [110, 9], [100, 9]]], np.float32)


def overlooked():
    """Pictures of a box, in the second of which a tile was left out."""
    names = [[name for name in whole if name != "red-7"] for whole in WHOLE]
    batches = [batch_for(f"picture {i}", one, GIN) for i, one in enumerate(names, 1)]
    return [batches[0], replace(batches[1], passed_px=PASSED), *batches[2:]]


PASSED_AT, FREE_AT = (105.0, 6.0), (110.5, 7.5)
RED_7, GREEN_7 = Tile.from_name("red-7"), Tile.from_name("green-7")


@pytest.mark.parametrize("at_px", [PASSED_AT, FREE_AT], ids=["left out", "not seen at all"])
def test_a_tile_that_was_not_found_is_shown_at_a_screen_and_the_box_is_learnt_with_it(at_px) -> None:
    teacher, told = AtTheTable(overlooked()), []

    async def script(evening):
        async def request(wish):
            evening.loop.request(PendingRequest(wish, Sender.PAGE, told.append))
            await evening.wait(0.6)

        await request(AddTile(1, at_px, RED_7))
        assert told == [NONE_BEGUN]
        await request(EnrolBox(EnrolStep.BEGIN))
        for _ in WHOLE:
            await request(EnrolBox(EnrolStep.PICTURE))
        await request(EnrolBox(EnrolStep.LEARN))
        assert "Missing from the pictures: red 7." in evening.said[-1]
        await request(AddTile(9, at_px, RED_7))
        assert told[-1] == NONE_BEGUN
        for outside in ((-1.0, 6.0), (105.0, 90000.0)):
            await request(AddTile(1, outside, RED_7))
            assert told[-1].key == "box.place_outside"
        await request(AddTile(1, at_px, GREEN_7))
        assert told[-1].key == "box.expected_tile"
        await request(AddTile(1, at_px, RED_7))
        assert told[-1] is None
        assert teacher.learner.shown == [("picture 2", at_px, "red-7")]
        assert evening.said[-1].startswith("Picture 2: the red 7 has been added; ")
        await request(EnrolBox(EnrolStep.LEARN))
        assert "enrolled as ours" in evening.said[-1]

    Evening(teacher=teacher).play(script)
    assert teacher.box is not None


def test_a_tile_that_was_found_gets_the_name_that_somebody_shows_there() -> None:
    reads = BATCHES[0].sighting.reads
    first = replace(reads[0], corners_px=PASSED[0])
    one = replace(BATCHES[0], sighting=replace(BATCHES[0].sighting, reads=(first, *reads[1:])))
    teacher, told, prepared = AtTheTable([one]), [], []

    class Screen(Audiences):
        def prepares(self, now):
            prepared.append(now)

    async def script(evening):
        async def request(wish):
            evening.loop.request(PendingRequest(wish, Sender.PAGE, told.append))
            await evening.wait(0.6)

        await request(EnrolBox(EnrolStep.BEGIN))
        await request(EnrolBox(EnrolStep.PICTURE))
        await request(AddTile(0, PASSED_AT, RED_7))
        assert told[-1] is None
        assert teacher.learner.shown == []  # no tile more
        shown = prepared[-1].box.tiles[0]
        assert first.name != shown.name == "red-7"
        assert "Picture 1: the red 7 has been added; 39 of 52" in evening.said[-1]

    Evening(teacher=teacher, audience=Screen()).play(script)


def test_a_tile_that_was_not_found_is_shown_at_the_console() -> None:
    teacher = AtTheTable(overlooked())

    async def script(evening):
        async def line(text):
            evening.loop.answer(Answer(text))
            await evening.wait(0.6)

        await line("2:105,6=R7")
        assert evening.said[-1] == "There is no question about a tile at the moment."
        await line(ENROL)
        await line("2:105,6=R7")
        assert evening.said[-1] == ENGLISH(NO_PICTURE)
        for _ in WHOLE:
            await evening.start()
            await evening.wait(0.6)
        await line("2:105=R7")
        assert evening.said[-1] == (
            "Expected picture:x,y=tile, in pixels, such as 1:430,210=R7 (pictures so far: 4), found '2:105=R7'. "
            "Something that looks like a tile was left out at 2:105,6."
        )
        await line("2:105,99999=R7")
        assert re.search(r"Picture 2 has \d+ by \d+ pixels; 105,99999 lies outside it", evening.said[-1])
        await line("2:105,6=R7")
        assert teacher.learner.shown == [("picture 2", PASSED_AT, "red-7")]
        assert "Picture 2: the red 7 has been added; all 52 tiles have been shown." in evening.said[-1]
        await evening.press("pause", hold=1.2)
        await evening.wait(0.6)
        assert "enrolled as ours" in evening.said[-1]

    Evening(teacher=teacher).play(script)
    assert teacher.box is not None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("2:430,210=R7", AddTile(1, (430.0, 210.0), RED_7)),
        ("4:0,0=B10", AddTile(3, (0.0, 0.0), Tile.from_name("blue-10"))),
        ("0:430,210=R7", "box.expected_place"),
        ("5:430,210=R7", "box.expected_place"),
        ("2:430=R7", "box.expected_place"),
        ("2:430,210", "box.expected_place"),
        ("2:-430,210=R7", "box.expected_place"),
        (":=", "box.expected_place"),
        ("2:430,210=G7", "box.expected_tile"),
        ("2:430,210=banana", "box.expected_tile"),
    ],
)
def test_a_line_at_the_console_shows_a_tile_or_is_refused_plainly(line, told) -> None:
    found = shown().place_said(line)
    assert (found.key if isinstance(found, Notice) else found) == told


def test_the_sheet_shows_what_was_passed_over_after_the_tiles_of_its_picture() -> None:
    one, sheet, crop = shown(0), Sheet(), np.zeros((96, 66, 3), np.uint8)
    for batch in overlooked()[:2]:
        one.press(long=False)
        one.take_picture(Pictured(batch))
        reads = len(batch.sighting.reads)
        sheet.add(PictureKept(b"", (640, 480), (crop,) * reads, (crop,) * len(batch.passed_px),
                              (((0.0, 0.0),) * 4,) * (reads + len(batch.passed_px))))  # fmt: skip
    tiles = sheet.tiles(one)
    assert len(tiles) == len(sheet.crops)
    assert [(tile.batch, tile.read) for tile in tiles if tile.passed] == [(1, 0)]
    assert tiles[-1].passed


def test_presses_during_a_look_are_answered() -> None:
    async def script(evening):
        evening.loop.answer(Answer(ENROL))
        await evening.start()
        await evening.start()
        assert evening.said[-1] == ENGLISH(BUSY)
        await evening.wait(5)
        assert evening.said[-1].startswith("Picture 1")

    Evening(teacher=AtTheTable(), thread=Slow(2.0)).play(script)


@pytest.mark.parametrize("first", [BATCHES[0], ValueError("no")])
def test_what_an_enrolment_that_was_stopped_still_brings_is_no_part_of_the_next_one(first) -> None:
    async def script(evening):
        for step in (EnrolStep.BEGIN, EnrolStep.PICTURE, EnrolStep.STOP, EnrolStep.BEGIN):
            evening.loop.request(PendingRequest(EnrolBox(step), Sender.PAGE, lambda _: None))
            await evening.wait(0.1)
        await evening.wait(5)
        assert evening.state.phase is Phase.LOBBY
        assert not any(text.startswith(("Picture 1", "That did not work")) for text in evening.said)
        evening.loop.request(PendingRequest(EnrolBox(EnrolStep.PICTURE), Sender.PAGE, lambda _: None))
        await evening.wait(5)
        assert any(text.startswith("Picture 1: 13 tiles; 39 of 52 tiles still to show.") for text in evening.said)

    Evening(teacher=AtTheTable([first, *BATCHES]), thread=Slow(2.0)).play(script)


@pytest.mark.parametrize("teacher", [None, AtTheTable()])
def test_a_box_is_enrolled_before_a_match_only(teacher) -> None:
    async def script(evening):
        await evening.start()
        evening.loop.answer(Answer(ENROL))
        await evening.wait(0.2)
        assert evening.said[-1] == ENGLISH(CANNOT if teacher is None else ONLY_BEFORE)
        assert evening.state.phase is Phase.TURN

    Evening(teacher=teacher).play(script)


def test_without_a_start_button_the_console_still_enrols() -> None:
    async def script(evening):
        evening.loop.answer(Answer(ENROL))
        await evening.wait(0.2)
        assert evening.said[-1] == ENGLISH(BEGIN)
        await evening.press(1, hold=1.2)
        await evening.wait(0.5)
        assert evening.said[-1].startswith("Picture 1")

    Evening(teacher=AtTheTable(), pins=PinMap(pause_button=None)).play(script)
