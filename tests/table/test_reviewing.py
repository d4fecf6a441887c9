"""What is told at a screen: doubts, tiles that were misread or not found, and what all agree to."""

import numpy as np
import pytest
from virtual_evening import OPENING, TABLE_MM, Evening

from referee.game.judge.verdict import FaultKind
from referee.game.match.events import About, Agreed, Reviewed, Seen, Settled, Show
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.tiles import FACE_DOWN, Tile
from referee.journal.codec import event_from_text
from referee.journal.replay import replay
from referee.table.input.requests import (
    BeginMatch,
    CountAsItLies,
    KeepFailure,
    PendingRequest,
    PlaceTile,
    ReadAgain,
    Sender,
    TellTile,
)
from referee.table.looking.look import Look
from referee.table.output.audience import NO_OFFERS, Audiences
from referee.table.reviewing import PRESS_AGAIN
from referee.vision.sighting import Read, Sighting

R10, B11, K10 = (Tile.from_name(name) for name in ("red-10", "blue-11", "black-10"))
OUTLINE = np.asarray([(0, 0), (900, 0), (900, 600), (0, 600)], np.float32)


class Screen(Audiences):
    """Follows the match as a page would, and lets the eyes err."""

    def __init__(self, evening):
        super().__init__()
        self.evening, self.looks, self.offers, self.verdicts = evening, [], NO_OFFERS, []
        self.doubts, self.wrong, self.blind = {}, {}, set()
        evening.sight.read = self.read
        evening.replace_parts(audience=self, keep_failure=self.kept)
        self.failures = []
        self.outlined = {}
        """As a picture has it that shows the markers; else nothing is told of covers and bare places."""

    def kept(self, failure):
        self.failures.append(failure)

    def read(self, _picture, tileset, _table_mm, **_):
        reads, sets = [], []
        for row, tiles in enumerate(self.evening.sight.table):
            members = []
            for i, tile in enumerate(tiles):
                if str(tile) not in self.blind:
                    members.append(len(reads))
                    reads.append(self._read(tile, 100.0 + 27 * i, 100.0 + 60 * row))
            sets.append(tuple(members))
        return Sighting(tileset.name, "markers", tuple(reads), tuple(filter(None, sets)), sure_from=0.98,
                        **self.outlined)  # fmt: skip

    def _read(self, tile, x, y):
        half = np.asarray([(-13, -18), (13, -18), (13, 18), (-13, 18)], np.float32)
        corners = half + np.asarray([x, y], np.float32)
        if (name := self.wrong.get(str(tile))) is not None:
            return Read(Tile.from_name(name), 1.0, False, ((tile.name, 0.001),), corners, 0.0, x, y)
        if (likely := self.doubts.get(str(tile))) is not None:
            first = None if likely[0] == FACE_DOWN else Tile.from_name(likely[0])
            return Read(first, 0.6, True, tuple((one, 0.3) for one in likely[1:]), corners, 0.0, x, y)
        return Read(tile, 1.0, False, (), corners, 0.0, x, y)

    def on_event(self, effects, _state):
        self.verdicts += [e.verdict for e in effects if isinstance(e, Show)]

    def on_look(self, look):
        self.looks.append(look)

    def on_offers(self, offers):
        self.offers = offers

    @property
    def look(self):
        return self.looks[-1]

    def number(self, name):
        return next(i for i, read in enumerate(self.look.sighting.reads) if read.name == name)

    async def wish(self, wish):
        answers = []
        self.evening.loop.request(PendingRequest(wish, Sender.PAGE, answers.append))
        await self.evening.wait(0.5)
        (answer,) = answers
        return answer and answer.key

    async def tell(self, read, tile, player=None, look=None):
        number = self.number(read) if isinstance(read, str) else read
        return await self.wish(TellTile(look or self.look, number, tile, player))


def played(script, **named):
    evening = Evening(**named)
    screen = evening.screen = Screen(evening)

    async def whole(evening):
        await script(evening, screen)

    return evening.play(whole)


def events(evening, kind=object):
    found = [event_from_text(row.kind, row.body) for row in evening.store.rows[1:]]
    return [event for event in found if isinstance(event, kind)]


async def laid(evening, table, button=1):
    await evening.lay(parse_table(table))
    await evening.press(button)
    await evening.wait(0.5)


def sees_markers(screen):
    screen.outlined = {"outline_px": OUTLINE, "table_mm": TABLE_MM}


async def begun(evening, table, button=1):
    await evening.start()
    await laid(evening, table, button)


def test_the_tile_that_is_tapped_is_told_and_no_other():
    async def script(evening, screen):
        screen.doubts = {"R10": ("red-1", "red-10"), "K10": ("black-1", "black-10")}
        await begun(evening, "R10 B10 K10")
        assert evening.state.phase is Phase.ASKING
        assert await screen.tell("black-1", K10, player=1) is None
        assert evening.state.phase is Phase.ASKING
        assert [read.doubtful for read in screen.look.sighting.reads] == [True, False, False]
        assert await screen.tell("red-1", R10) is None
        assert evening.state.current == 1

    evening = played(script)
    told = events(evening, Settled)
    assert [(event.player, event.by, event.word.tile) for event in told] == [(1, "page", K10), (None, "page", R10)]
    assert told[0].word.offered == (Tile.from_name("black-1"), K10)
    assert replay(evening.store.rows).state == evening.state


def test_it_is_told_once():
    async def script(evening, screen):
        screen.doubts = {"R10": ("red-1", "red-10"), "K10": ("black-1", "black-10")}
        await begun(evening, "R10 B10 K10")
        look, number = screen.look, screen.number("red-1")
        assert await screen.tell(number, R10, look=look) is None
        assert await screen.tell(number, R10, look=look) == "play.nothing_to_tell"
        assert await screen.tell(99, R10) == "play.nothing_to_tell"
        assert await screen.tell(0, R10, look=Look(look.sighting, look.picture.copy())) == "play.nothing_to_tell"

    assert len(events(played(script), Settled)) == 1


def test_a_tile_said_to_be_none_was_there_and_is_missed():
    async def script(evening, screen):
        await begun(evening, "R10 B10 K10")
        assert evening.state.current == 1
        screen.doubts = {"K10": ("blue-5", "blue-6")}
        await laid(evening, "R10 B10 K10 | R11 B11 K11", 2)
        assert evening.state.phase is Phase.ASKING
        await screen.tell("blue-5", None)
        # Nobody has seen the place bare: it is asked about, and then refused, never passed over.
        assert evening.state.current == 1
        for _ in range(3):
            if evening.state.phase is Phase.ASKING:
                await evening.press(2)
                await evening.wait(0.5)
        assert evening.state.phase is Phase.TURN
        assert evening.state.refused
        assert FaultKind.TILE_VANISHED in {fault.kind for fault in screen.verdicts[-1].faults}

    played(script)


async def misread(evening, screen):
    await evening.start()
    screen.wrong = {"R10": "red-1"}
    await laid(evening, "R10 B10 K10")
    assert evening.state.phase is Phase.TURN
    assert evening.state.refused


def test_a_misread_tile_is_told_and_the_same_look_judged_anew_once():
    async def script(evening, screen):
        await misread(evening, screen)
        assert await screen.tell("red-1", R10) is None
        assert evening.state.current == 1
        assert evening.state.table == parse_table("R10 B10 K10")

    evening = played(script)
    (told,) = events(evening, Settled)
    assert (told.word.about, told.word.offered[0]) == (About.MISREAD, Tile.from_name("red-1"))
    assert [type(event) for event in events(evening)[-3:]] == [Settled, Reviewed, Seen]
    assert evening.said.count("Accepted, 30 points.") == 1
    assert replay(evening.store.rows).state == evening.state


def test_each_tile_of_a_look_is_said_to_be_misread_once():
    async def script(evening, screen):
        await evening.start()
        screen.wrong = {"R10": "red-1", "B11": "blue-1"}
        await laid(evening, "R10 B10 K10 | B11 B12 B13")
        first, other = screen.number("red-1"), screen.number("blue-1")
        wrong = Tile.from_name("red-2")
        assert await screen.tell(first, wrong) is None
        assert [await screen.tell(first, tile) for tile in (wrong, R10)] == ["play.told_once"] * 2
        assert await screen.tell(other, B11) is None
        assert evening.state.refused
        await evening.press(1)
        await evening.wait(0.5)
        assert await screen.tell(first, R10) is None
        assert evening.state.current == 1

    evening = played(script)
    assert [len(events(evening, kind)) for kind in (Settled, Reviewed)] == [3, 3]


def test_a_misread_tile_of_an_accepted_turn_is_told_once_it_was_taken_back():
    async def script(evening, screen):
        await evening.start()
        screen.wrong = {"K10": "yellow-10"}
        await laid(evening, "R10 B10 K10")
        assert evening.state.current == 1
        number = screen.number("yellow-10")
        assert await screen.tell(number, K10) == "play.nothing_to_tell"
        await evening.press(1, hold=1.5)
        assert (evening.state.phase, evening.state.current) == (Phase.TURN, 0)
        assert screen.offers.taken_back
        assert await screen.wish(ReadAgain(screen.look, number)) is None
        assert [tile.name for tile in screen.offers.reread.tiles] == ["black-10"]
        assert await screen.tell(number, K10) is None
        assert evening.state.current == 0
        assert evening.outside.words(PRESS_AGAIN) == evening.said[-1]
        await evening.press(1)
        await evening.wait(0.5)
        assert evening.state.current == 1
        assert evening.state.table == parse_table("R10 B10 K10")
        assert not screen.offers.taken_back

    evening = played(script)
    assert events(evening, Reviewed) == []
    assert replay(evening.store.rows).state == evening.state


def test_the_next_match_knows_nothing_of_a_turn_taken_back():
    async def script(evening, screen):
        await begun(evening, "R10 B10 K10")
        await evening.press(1, hold=1.5)
        assert screen.offers.taken_back
        await evening.press("pause")
        await evening.press("pause", hold=1.5)
        assert evening.state.phase is Phase.LOBBY
        await evening.lay(())
        await evening.start()
        assert evening.state.phase is Phase.TURN
        assert await screen.tell(0, K10) == "play.nothing_to_tell"

    played(script)


def test_a_press_taken_back_while_nothing_was_accepted_lets_nothing_be_told():
    async def script(evening, screen):
        await begun(evening, "R10 B10 K10")
        await evening.press(2)
        screen.doubts = {"R11": ("red-1", "red-11")}
        await laid(evening, "R10 B10 K10 | R11 B11 K11", 1)
        await evening.press(1, hold=1.5)
        assert not screen.offers.taken_back

    played(script)


def test_it_stays_what_it_is_while_it_is_read_as_before():
    async def script(evening, screen):
        await misread(evening, screen)
        await screen.tell("red-1", R10)
        await laid(evening, "R10 B10 K10 | R11 B11 K11", 2)
        assert evening.state.current == 0
        screen.wrong = {"R10": "red-2"}  # another print: what was said is not about that
        await laid(evening, "R10 B10 K10 | R11 B11 K11 | R12 B12 K12", 1)
        assert evening.state.current == 0

    played(script)


def test_players_words_do_not_teach():
    taught = []

    async def script(evening, screen):
        await misread(evening, screen)
        await screen.tell("red-1", R10)
        await evening.wait(3)

    played(script, learn=lambda *lesson: taught.append(lesson))
    assert taught == []


def test_a_table_that_has_changed_since_is_not_judged():
    async def script(evening, screen):
        await misread(evening, screen)
        await evening.lay(parse_table("R10 B10 | K10"))
        await screen.tell("red-1", R10)
        assert evening.state.current == 0
        assert evening.state.phase is Phase.TURN
        assert evening.outside.words(PRESS_AGAIN) == evening.said[-1]
        await laid(evening, "R10 B10 K10")
        assert evening.state.current == 1

    assert events(played(script), Reviewed) == []


def test_a_tile_taken_back_before_the_camera_has_glanced_is_noticed():
    async def script(evening, screen):
        await misread(evening, screen)
        evening.sight.table = parse_table("R10 B10")
        await screen.tell("red-1", R10)
        assert evening.state.current == 0
        assert evening.outside.words(PRESS_AGAIN) == evening.said[-1]

    assert events(played(script), Reviewed) == []


def test_a_tile_taken_back_while_all_agree_is_noticed():
    async def script(evening, screen):
        await begun(evening, "R1 R2 R3")
        await screen.wish(CountAsItLies(screen.look, 0))
        evening.sight.table = parse_table("R1 R2")
        await screen.wish(CountAsItLies(screen.look, 1))
        assert evening.state.current == 0

    assert events(played(script), Agreed) == []


def test_a_table_that_still_lies_so_is_not_read_anew():
    async def script(evening, screen):
        await misread(evening, screen)
        screen.wrong = {"R10": "red-2"}  # as another picture of it may be read
        await screen.tell("red-1", R10)
        assert evening.state.current == 1

    assert len(events(played(script), Reviewed)) == 1


def test_a_hand_that_only_pointed_changes_nothing():
    async def script(evening, screen):
        await misread(evening, screen)
        there = evening.sight.table
        await evening.lay(parse_table("R10 B10 K10 | R1"))
        await evening.lay(there)
        await screen.tell("red-1", R10)
        assert evening.state.current == 1

    played(script)


def test_when_the_time_is_up_too():
    async def script(evening, screen):
        await evening.start()
        screen.wrong = {"R10": "red-1"}
        await evening.lay(OPENING)
        await evening.until_the_end(-1)
        assert evening.state.phase is Phase.PUTTING_RIGHT
        assert await screen.tell("red-1", R10) is None
        assert evening.state.current == 1
        assert evening.state.table == OPENING

    played(script)


def test_a_tile_that_was_not_found_is_told_by_its_place():
    async def script(evening, screen):
        screen.blind = {"B10"}
        sees_markers(screen)
        await begun(evening, "R10 B10 K10")
        assert evening.state.refused
        assert await screen.wish(PlaceTile(screen.look, (127.0, 100.0), Tile.from_name("blue-10"))) is None
        assert evening.state.current == 1
        assert evening.state.table == parse_table("R10 B10 K10")
        assert "Somebody said on the page that the blue 10 is there, although no tile was found." in evening.said

    evening = played(script)
    (told,) = events(evening, Settled)
    assert (told.word.about, told.word.x_mm, told.word.y_mm) == (About.UNSEEN, 127.0, 100.0)
    assert replay(evening.store.rows).state == evening.state


def test_a_tile_that_was_told_and_is_taken_away_is_missed():
    async def script(evening, screen):
        screen.blind = {"B10"}
        sees_markers(screen)
        await begun(evening, "R10 B10 K10")
        await screen.wish(PlaceTile(screen.look, (127.0, 100.0), Tile.from_name("blue-10")))
        await laid(evening, "R10 K10 | R11 B11 K11", 2)
        assert evening.state.asked or evening.state.refused
        assert evening.state.current == 1

    played(script)


@pytest.mark.parametrize(
    ("at", "tile", "why"),
    [
        ((100.0, 100.0), "blue-1", "play.place_taken"),
        ((1200.0, 100.0), "blue-1", "play.place_unknown"),
        ((500.0, 500.0), "red-7", "play.no_room_in_box"),
    ],
)
def test_where_no_tile_can_be_none_is_told(at, tile, why):
    async def script(evening, screen):
        sees_markers(screen)
        await begun(evening, "R7 | R7 B10")
        assert await screen.wish(PlaceTile(screen.look, at, Tile.from_name(tile))) == why
        assert evening.state.words == ()

    played(script)


def test_before_anything_was_refused_nothing_can_be_told():
    async def script(evening, screen):
        await begun(evening, "R10 B10 K10")
        wishes = (
            TellTile(screen.look, 0, R10), PlaceTile(screen.look, (500, 500), R10), ReadAgain(screen.look, 0),
        )  # fmt: skip
        assert [await screen.wish(wish) for wish in wishes] == ["play.nothing_to_tell"] * 3
        assert await screen.wish(CountAsItLies(screen.look)) == "play.nothing_to_agree"

    played(script)


def test_a_tile_is_read_once_more():
    async def script(evening, screen):
        await misread(evening, screen)
        screen.wrong = {"R10": "red-7"}
        assert await screen.wish(ReadAgain(screen.look, screen.number("red-1"))) is None
        again = screen.offers.reread
        assert again.read == screen.number("red-1")
        assert [tile.name for tile in again.tiles] == ["red-7", "red-10"]
        await evening.press(1)
        await evening.wait(0.5)
        assert screen.offers == NO_OFFERS

    played(script)


def test_a_tile_is_read_once_more_once():
    async def script(evening, screen):
        await misread(evening, screen)
        wish = ReadAgain(screen.look, screen.number("red-1"))
        assert await screen.wish(wish) is None
        assert await screen.wish(ReadAgain(screen.look, 1)) is None
        screen.wrong = {"R10": "red-7"}
        assert await screen.wish(wish) is None
        assert screen.offers.reread.read == wish.read
        assert [tile.name for tile in screen.offers.reread.tiles] == ["red-10"]

    played(script)


def test_what_cannot_be_read_again_has_the_readings_it_had():
    async def script(evening, screen):
        await misread(evening, screen)
        screen.evening.sight.lost = True
        await screen.wish(ReadAgain(screen.look, screen.number("red-1")))
        assert [tile.name for tile in screen.offers.reread.tiles] == ["red-10"]

    played(script)


def test_a_turn_counts_once_it_was_agreed_to_twice():
    async def script(evening, screen):
        await begun(evening, "R1 R2 R3")
        assert evening.state.refused
        assert await screen.wish(CountAsItLies(screen.look, 0)) is None
        assert screen.offers.agreement is screen.look
        assert evening.state.current == 0
        assert await screen.wish(CountAsItLies(screen.look, 1)) is None
        assert evening.state.current == 1
        assert evening.state.table == parse_table("R1 R2 R3")
        assert screen.offers == NO_OFFERS
        await laid(evening, "R1 R2 R3 | R10 B10 K10", 2)
        assert evening.state.current == 0

    evening = played(script)
    (agreed,) = events(evening, Agreed)
    assert agreed.by == (0, 1)
    assert evening.said.count("Everybody agrees: Anna's turn counts as it stands.") == 1
    assert replay(evening.store.rows).state == evening.state


@pytest.mark.parametrize("alone", [None, 1])
def test_a_missing_tile_is_agreed_to_by_two_players(alone):
    async def script(evening, screen):
        await begun(evening, "R10 B10 K10 R13")
        await screen.wish(CountAsItLies(screen.look))
        await screen.wish(CountAsItLies(screen.look))
        assert evening.state.current == 1
        await laid(evening, "R10 B10 K10", 2)
        while evening.state.phase is Phase.ASKING:
            await evening.press(2)
            await evening.wait(0.5)
        assert evening.state.refused
        for _ in range(3):
            await screen.wish(CountAsItLies(screen.look, alone))
        assert await screen.wish(CountAsItLies(screen.look, alone)) == "play.agree_by_two"
        assert evening.state.current == 1
        await screen.wish(CountAsItLies(screen.look, 0))
        if alone is None:
            assert evening.state.current == 1
            await screen.wish(CountAsItLies(screen.look, 1))
        assert evening.state.current == 0

    assert [event.by for event in events(played(script), Agreed)] == [(), (0, 1)]


def test_a_press_takes_a_proposal_back():
    async def script(evening, screen):
        await begun(evening, "R1 R2 R3")
        await screen.wish(CountAsItLies(screen.look))
        await evening.press(1)
        await evening.wait(0.5)
        assert screen.offers == NO_OFFERS
        await screen.wish(CountAsItLies(screen.look))
        assert evening.state.current == 0

    assert events(played(script), Agreed) == []


def test_a_changed_table_is_not_agreed_to():
    async def script(evening, screen):
        await begun(evening, "R1 R2 R3")
        await screen.wish(CountAsItLies(screen.look))
        await evening.lay(parse_table("R1 R2"))
        await screen.wish(CountAsItLies(screen.look))
        assert evening.state.current == 0

    assert events(played(script), Agreed) == []


def test_a_tile_in_doubt_is_told_before_all_agree():
    async def script(evening, screen):
        screen.doubts = {"R10": ("red-1", "red-10")}
        await begun(evening, "R10 B10 K10 | O1 O5")
        assert evening.state.refused
        assert await screen.wish(CountAsItLies(screen.look)) == "play.tell_first"
        assert await screen.tell("red-1", R10) is None
        assert evening.state.words[0].about is About.DOUBT
        assert evening.state.refused

    played(script)


def test_one_of_several_tiles_in_doubt_is_told_after_a_refusal():
    async def script(evening, screen):
        screen.doubts = {"R10": ("red-1", "red-10"), "K10": ("black-1", "black-10")}
        await begun(evening, "R10 B10 K10 | O1 O5")
        assert evening.state.refused
        assert await screen.tell("red-1", R10) is None
        assert evening.outside.words(PRESS_AGAIN) not in evening.said
        assert [read.doubtful for read in screen.look.sighting.reads][:3] == [False, False, True]
        assert evening.state.refused

    evening = played(script)
    assert [type(event) for event in events(evening)[-3:]] == [Settled, Reviewed, Seen]


def test_a_failure_is_kept_with_what_was_read_and_said():
    async def script(evening, screen):
        await misread(evening, screen)
        assert screen.failures == []
        assert await screen.wish(KeepFailure(Look(None, None))) == "play.failure_not_kept"
        await screen.tell("red-1", R10)
        assert await screen.wish(KeepFailure(screen.look)) is None

    (failure,) = played(script).screen.failures
    assert failure.told["read"]["tiles"][0]["tile"] == "red-1"
    assert failure.told["truth"]["tiles"][0]["tile"] == "red-10"
    assert failure.told["words"][0] == {
        "tile": "red-10", "about": "misread", "read_as": ["red-1", "red-10"],
        "x_mm": 100.0, "y_mm": 100.0, "angle_deg": 0.0,
    }  # fmt: skip


def test_cut_off_between_word_and_verdict_the_table_is_looked_at_anew():
    async def script(evening, screen):
        await misread(evening, screen)
        await screen.tell("red-1", R10)

    rows = played(script).store.rows
    kept = replay(rows[: next(i for i, row in enumerate(rows) if row.kind == "reviewed") + 1])
    assert kept.state.phase is Phase.LOOKING
    assert len(kept.state.words) == 1


def test_in_gin_a_knock_refused_on_a_misread_tile_is_judged_anew():
    row, hand = "R5 K2 B9", "R1 R2 R3 | K5 B5 Y5 | K9 K10 K11"

    async def script(evening, screen):
        await evening.start()
        for table, button in (("R5", 2), ("R5", 1), ("R5", 2), ("R5 K2", 1)):
            await laid(evening, table, button)
        await evening.lay(parse_table(row))
        await evening.press(2, hold=1.2)
        await evening.wait(0.5)
        assert evening.state.phase is Phase.SHOWING
        screen.wrong = {"Y4": "yellow-13"}
        await laid(evening, f"{row} | {hand} | Y4", 2)
        assert evening.state.phase is Phase.PUTTING_RIGHT
        assert await screen.wish(ReadAgain(screen.look, screen.number("yellow-13"))) is None
        assert await screen.tell("yellow-13", Tile.from_name("yellow-4")) is None
        await evening.wait(1.0)
        assert evening.state.phase is Phase.SHOWING
        assert evening.state.current == 0
        # The other hand: a tile that seemed to be one of the knocker's.
        screen.wrong |= {"R7": "red-1"}
        other = "B1 B2 B3 | R7 K7 Y7 | R4 | B13 | Y13 | K13"
        await laid(evening, f"{row} | {hand} | Y4 | {other}", 1)
        assert (evening.state.phase, evening.state.refused) == (Phase.SHOWING, True)
        first = screen.number("red-1")
        number = next(i for i, read in enumerate(screen.look.sighting.reads) if read.name == "red-1" and i > first)
        assert await screen.tell(number, Tile.from_name("red-7")) is None
        await evening.wait(1.0)
        assert evening.state.phase is Phase.BETWEEN

    evening = played(script, rules="gin")
    assert [event.word.about for event in events(evening, Settled)] == [About.MISREAD] * 2
    assert len(events(evening, Reviewed)) == 2
    assert replay(evening.store.rows).state == evening.state


def test_a_screen_hears_why_a_match_cannot_begin():
    async def script(evening, screen):
        await evening.press(1)
        assert await screen.wish(BeginMatch()) == "play.players_wanted"
        await evening.press(2)
        assert await screen.wish(BeginMatch()) is None
        assert evening.state.phase is Phase.TURN

    played(script)


def test_a_screen_hears_why_what_was_told_is_not_enough_to_begin():
    async def script(evening, screen):
        screen.doubts = {"Y9": ("yellow-6", "yellow-9")}
        await evening.lay(parse_table("Y9"))
        await evening.start()
        await evening.wait(2)
        await evening.start()
        assert await screen.tell("yellow-6", None) == "play.one_tile_aside"
        assert evening.state.phase is Phase.LOBBY
        await evening.start()
        await evening.wait(2)
        await evening.start()
        assert await screen.tell("yellow-6", Tile.from_name("yellow-9")) is None
        assert evening.state.phase is Phase.TURN

    evening = played(script, rules="piatnik", options={"last-tile": "on"})
    assert [event.player for event in events(evening, Settled)] == [None]
