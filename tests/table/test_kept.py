"""What is kept of every look, and what must be known of the journal though it is over."""

from datetime import UTC, datetime, timedelta

from memory_store import MemoryStore
from virtual_evening import Evening

from referee.game.match.events import Seen
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import as_notice
from referee.i18n import ENGLISH
from referee.journal.buffered_store import SafeStore
from referee.journal.codec import kind_of
from referee.journal.errors import JournalError
from referee.journal.journal import PATIENCE_S, Journal

OUT = parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7")
HAND = parse_table("R8 R9 R10 R11 R12 R13 | B8 B9 B10 B11 B12 B13 | Y1 K1")
DAMAGE = as_notice("The journal was damaged; 1 event stays in it.")


def looks(evening: Evening) -> list[int]:
    return [row.number for row in evening.store.rows if row.kind == kind_of(Seen)]


def test_every_look_without_a_doubt_keeps_its_picture_under_its_own_event():
    async def script(evening):
        await evening.start()
        await evening.lay(parse_table("R1 B1"))
        await evening.press(1)
        assert evening.state.phase is Phase.TURN
        await evening.lay(OUT)
        await evening.press(1)
        assert evening.state.phase is Phase.SHOWING
        await evening.lay((*OUT, *HAND[:1]))
        await evening.press(2)
        await evening.lay((*OUT, *HAND))
        await evening.press(2)
        assert evening.state.phase is Phase.OVER

    evening = Evening().play(script)
    assert len(looks(evening)) == 4
    assert [number for _, number, _ in evening.kept_pictures] == looks(evening)
    assert [[place.tile for place in tiles] for tiles in evening.kept_places[1]] == [list(tiles) for tiles in OUT]


def test_a_look_with_a_doubt_keeps_none():
    async def script(evening):
        await evening.start()
        evening.sight.doubtful = 5
        await evening.lay(OUT)
        await evening.press(1)
        assert evening.state.phase is Phase.ASKING

    assert Evening().play(script).kept_pictures == []


def test_a_match_whose_number_is_not_certain_keeps_no_picture_that_could_lie_in_the_way_of_another():
    trouble = as_notice("the disk fails")

    def never():
        raise JournalError(trouble)

    async def script(evening):
        await evening.start()
        await evening.lay(OUT)
        await evening.press(1)

    evening = Evening(journal=Journal(SafeStore(None, never, trouble=trouble))).play(script)
    assert evening.state.phase is Phase.SHOWING
    assert evening.kept_pictures == []


def test_a_journal_that_was_mended_is_told_with_lamp_and_tone_until_somebody_plays():
    store = MemoryStore()
    store.notices.append(DAMAGE)

    async def script(evening):
        await evening.wait(8)
        assert {"red", "amber"} & evening.lit
        assert len(evening.tones()) > 4
        await evening.start()
        await evening.wait(5)
        assert evening.lit == {"player-1"}

    evening = Evening(journal=Journal(store)).play(script)
    assert evening.said.count(ENGLISH(DAMAGE)) == 1
    assert not any("notice" in said for said in evening.said)


def test_a_clock_that_stays_back_is_told_with_lamp_and_tone_and_the_game_goes_on():
    moments = [datetime(2026, 3, 1, 18, 30, tzinfo=UTC)]
    seconds = [0.0]

    async def script(evening):
        await evening.start()
        tones = len(evening.tones())
        moments.append(moments[-1] - timedelta(hours=2))
        await evening.wait(6)
        assert len(evening.tones()) == tones
        seconds[0] += PATIENCE_S
        await evening.wait(6)
        assert {"red", "amber"} & evening.lit
        assert len(evening.tones()) > tones
        await evening.press(1)
        assert evening.state.current == 1
        await evening.wait(5)
        assert not {"red", "amber"} & evening.lit

    evening = Evening(journal=Journal(MemoryStore(), wall=lambda: moments[-1], now=lambda: seconds[0])).play(script)
    assert sum("clock went back from" in said for said in evening.said) == 1
