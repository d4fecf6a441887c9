"""No match stands still before a tile: asked about twice, it can be told, at the console or with buttons."""

import numpy as np
import pytest
from virtual_evening import NO_START_BUTTON, ONE_FOR_ALL, OPENING, Evening

from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.tiles import Tile
from referee.journal.codec import event_from_text
from referee.journal.replay import replay
from referee.table.input.answers import Answer
from referee.vision.sighting import Read, Sighting

R10 = Tile.from_name("red-10")


class Sight:
    """Reads what lies there, but for the tiles that it is never sure of."""

    def __init__(self, evening, **looks_like):
        self.evening, self.looks_like, self.shift = evening, looks_like, 0.0
        evening.sight.read = self.read

    def read(self, _picture, tileset, _table_mm, **_):
        reads, sets = [], []
        for row, tiles in enumerate(self.evening.sight.table):
            sets.append(tuple(range(len(reads), len(reads) + len(tiles))))
            reads += [self._read(tile, 100.0 + self.shift + 27 * i, 100.0 + 60 * row) for i, tile in enumerate(tiles)]
        return Sighting(tileset.name, "markers", tuple(reads), tuple(sets), sure_from=0.98)

    def _read(self, tile, x, y):
        likely = self.looks_like.get(str(tile))
        corners = np.zeros((4, 2), np.float32)
        if likely is None:
            return Read(tile, 1.0, False, (), corners, 0.0, x, y)
        name, *others = likely
        return Read(Tile.from_name(name), 0.6, True, tuple((other, 0.3) for other in others), corners, 0.0, x, y)


LIKE_A_ONE = {"R10": ("red-1", "red-10")}


async def asked_twice(evening, seat=1):
    await evening.start()
    await evening.lay(OPENING)
    await evening.wait(2)
    await evening.press(seat)
    assert evening.state.phase is Phase.ASKING
    assert "I cannot see this clearly: the red 1 in the picture: 1 or 10?" in evening.said[-1]
    assert "say what it is" not in evening.said[-1]
    await evening.wait(2)
    await evening.press(seat)
    assert evening.state.phase is Phase.ASKING
    assert "say what it is: a) red 1, b) red 10" in evening.said[-1]


def played(script, looks_like=LIKE_A_ONE, **named):
    evening = Evening(**named)
    evening.eyes = Sight(evening, **looks_like)
    return evening.play(script)


def events(evening):
    return [event_from_text(row.kind, row.body) for row in evening.store.rows[1:]]


def test_told_at_the_console_it_is_judged_at_once():
    async def script(evening):
        await asked_twice(evening)
        evening.loop.answer(Answer("b"))
        await evening.wait(0.1)
        assert evening.state.current == 1
        assert evening.state.table == OPENING
        (word,) = evening.state.words
        assert (word.tile, word.x_mm, word.offered) == (R10, 100.0, (Tile.from_name("red-1"), R10))

    evening = played(script)
    assert "Anna says that the tile is the red 10." in evening.said
    settled, seen = events(evening)[-2:]
    assert (type(settled).__name__, settled.player, settled.by, settled.word.tile) == ("Settled", 0, "console", R10)
    assert seen.words == (settled.word,)
    assert seen.doubts == ()


def test_another_tile_and_who_says_so():
    async def script(evening):
        await asked_twice(evening)
        evening.loop.answer(Answer("R10", 1))
        await evening.wait(0.1)
        assert evening.state.current == 1

    assert "Ben says that the tile is the red 10." in played(script).said


def test_a_word_does_not_make_a_wrong_set_right():
    async def script(evening):
        await asked_twice(evening)
        evening.loop.answer(Answer("a"))
        await evening.wait(0.1)
        assert evening.state.phase is Phase.TURN
        assert evening.state.current == 0
        assert "red" in evening.lit

    evening = played(script)
    assert any("R1 B10 K10 is not a set" in text for text in evening.said)


def test_what_cannot_be_told_is_answered():
    async def script(evening):
        await evening.start()
        evening.loop.answer(Answer("a"))
        await evening.wait(0.1)
        assert "will ask a second time" in evening.said[-1]
        await evening.lay(OPENING)
        await evening.press(1)
        await evening.wait(2)
        await evening.press(1)
        for line, said in (("z", "another tile of the box"), ("O99", "another tile of the box")):
            evening.loop.answer(Answer(line))
            await evening.wait(0.1)
            assert said in evening.said[-1]
        evening.loop.answer(Answer("b", 3))
        await evening.wait(0.1)
        assert "belongs to nobody" in evening.said[-1]
        assert evening.state.words == ()

    played(script)


def test_with_start_and_the_own_button():
    async def script(evening):
        await asked_twice(evening)
        await evening.start()
        assert evening.said[-1] == "Red 1? Press for yes, or press start for the next one."
        assert evening.panel.history[-1] is not None
        await evening.press(2)
        assert "It is Anna's turn" in evening.said[-1]
        await evening.start()
        assert evening.said[-1] == "Red 10?"
        await evening.press(1)
        assert evening.state.current == 1

    evening = played(script)
    assert next(event for event in events(evening) if type(event).__name__ == "Settled").by == "buttons"


def test_held_the_own_button_takes_the_press_back_as_ever():
    async def script(evening):
        await asked_twice(evening)
        await evening.press(1, hold=1.0)
        assert evening.state.phase is Phase.TURN
        assert evening.state.current == 0
        assert evening.state.words == ()
        await evening.start()
        assert evening.state.phase is Phase.PAUSED

    played(script)


@pytest.mark.parametrize("pins", [NO_START_BUTTON, PinMap(turn_buttons=(5,), pause_button=None)])
def test_without_a_start_button_holding_begins_and_says_yes(pins):
    async def script(evening):
        await evening.press(1, hold=1.0)
        await evening.wait(2)
        await evening.lay(OPENING)
        await evening.press(1)
        await evening.wait(2)
        await evening.press(1)
        assert "hold the button to choose" in evening.said[-1]
        await evening.press(1, hold=1.0)
        assert evening.said[-1] == "Red 1? Hold for yes, or tap for the next one."
        await evening.press(1)
        assert evening.said[-1] == "Red 10?"
        await evening.press(1, hold=1.0)
        assert evening.state.table == OPENING

    played(script, pins=pins)


def test_with_one_button_for_all_and_start():
    async def script(evening):
        await evening.start()
        await evening.wait(4)
        await evening.lay(OPENING)
        await evening.press(1)
        await evening.wait(2)
        await evening.press(1)
        await evening.start()
        await evening.start()
        await evening.press(1)
        assert evening.state.table == OPENING

    played(script, pins=ONE_FOR_ALL)


def test_nothing_chosen_it_is_looked_at_again():
    async def script(evening):
        await asked_twice(evening)
        for _ in range(4):
            await evening.start()
        assert evening.said[-1] == "Look again?"
        await evening.press(1)
        assert evening.said[-1] == "The referee will look again when you press."
        evening.eyes.looks_like = {}
        await evening.press(1)
        assert evening.state.current == 1
        assert evening.state.words == ()

    played(script)


def test_it_stays_told_while_it_lies_there_and_no_longer():
    async def script(evening):
        await asked_twice(evening)
        evening.loop.answer(Answer("b"))
        await evening.wait(5)
        evening.eyes.shift = 9.0  # somebody pushes all of it a little
        await evening.lay((*OPENING, *parse_table("R11 B11 K11")))
        await evening.press(2)
        assert evening.state.current == 0
        assert evening.state.words[0].x_mm == 109.0
        await evening.wait(5)
        await evening.lay((*OPENING[::-1], *parse_table("R11 B11 K11 | O1 O2 O3")))
        await evening.press(1)
        assert evening.state.current == 1
        assert len(evening.state.words) == 1

    played(script)


def test_it_is_known_again_after_a_cut():
    async def script(evening):
        await asked_twice(evening)
        evening.loop.answer(Answer("b"))
        await evening.wait(5)

    first = played(script)
    kept = replay(first.store.rows)
    assert kept.state == first.state
    assert len(kept.state.words) == 1

    async def goes_on(evening):
        await evening.lay((*OPENING, *parse_table("R11 B11 K11")))
        await evening.start()
        await evening.press(2)
        assert evening.state.current == 0

    later = Evening(journal=first.journal, kept=kept)
    Sight(later, **LIKE_A_ONE)
    later.play(goes_on)


def test_a_hand_laid_open_is_told_tile_by_tile():
    async def script(evening):
        await evening.start()
        evening.count(3, 2)
        await evening.lay(OPENING)
        await evening.press(1)
        assert evening.state.phase is Phase.SHOWING
        await evening.lay((*OPENING, *parse_table("B11 | K13")))
        await evening.press(2)
        assert evening.state.phase is Phase.COUNTING
        await evening.wait(2)
        await evening.press(2)
        evening.loop.answer(Answer("b"))
        await evening.wait(0.1)
        assert evening.state.phase is Phase.COUNTING
        assert "say what it is: a) black 3" in evening.said[-1]
        await evening.start()
        await evening.start()
        await evening.press(2)
        assert evening.state.phase is Phase.OVER
        assert [str(tile) for tile in evening.state.seats[1].shown] == ["B11", "K13"]

    played(script, {"B11": ("blue-8", "blue-11"), "K13": ("black-3", "black-13")})


def test_when_the_time_is_up_too():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.wait(62)
        assert evening.state.phase is Phase.TIME_UP
        assert evening.state.asked
        await evening.wait(2)
        await evening.press(1)
        evening.loop.answer(Answer("b"))
        await evening.wait(0.1)
        assert evening.state.current == 1
        assert evening.state.table == OPENING

    played(script)


def test_the_tile_aside_can_be_told_or_drawn_anew():
    async def script(evening):
        await evening.lay(parse_table("Y9"))
        await evening.start()
        assert "I cannot see the tile that is set aside: the yellow 6 in the picture: 6 or 9?" in evening.said[-1]
        assert "draw another one" not in evening.said[-1]
        await evening.wait(2)
        await evening.start()
        assert evening.said[-1].endswith("Mix it back in and draw another one, or say what it is.")
        evening.loop.answer(Answer("b"))
        await evening.wait(0.1)
        assert evening.state.phase is Phase.TURN
        assert str(evening.state.aside) == "Y9"
        assert [str(word.tile) for word in evening.state.words] == ["Y9"]

    played(script, {"Y9": ("yellow-6", "yellow-9")}, rules="piatnik", options={"last-tile": "on"})


def test_in_gin_the_open_tile_can_be_told():
    async def script(evening):
        await evening.start()
        await evening.lay(parse_table("B11"))
        await evening.press(2)
        assert evening.state.asked
        await evening.wait(2)
        await evening.press(2)
        await evening.start()
        await evening.start()
        await evening.press(2)
        assert evening.state.gin.stage.value == "first-offer"
        assert [str(tile) for tile in evening.state.gin.open] == ["B11"]

    played(script, {"B11": ("blue-8", "blue-11")}, rules="gin")


def test_a_doubt_that_changes_nothing_is_not_asked_about():
    async def script(evening):
        await evening.start()
        await evening.lay(parse_table("R10 B10 K10 | O1 O5"))
        await evening.press(1)
        assert evening.state.phase is Phase.TURN
        assert "red" in evening.lit

    evening = played(script)
    assert not any("I cannot see" in text for text in evening.said)
    seen = events(evening)[-1]
    assert seen.doubts == ()
    assert seen.unsure[0].tiles == (Tile.from_name("red-1"), R10)
    assert seen.unsure[0].doubt.read.tile == "red-1"
    assert evening.kept_pictures
