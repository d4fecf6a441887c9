"""The hall begins the match of a draw at a table: with its players, its book and its rounds, or not at all."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from played import short
from virtual_evening import NO_START_BUTTON, ONE_FOR_ALL, TABLE_MM, Evening

from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.tiles import TILE_SETS
from referee.i18n import ENGLISH, Wording
from referee.journal.codec import from_text
from referee.journal.opening import open_journal
from referee.journal.rows import Setup
from referee.table.input.requests import BeginDraw, PendingRequest, Sender
from referee.table.output.follower import Follower

DRAW = "spring-cup-r3-t2"
THREE = ("Cleo", "Ben", "Ann")
UNDER_WAY = Notice("club.match_under_way")


async def begin(evening, *players, draw=DRAW, **more):
    """What the hall is answered: None where the match was begun."""
    answers = []
    evening.loop.request(PendingRequest(BeginDraw(players or THREE, draw, **more), Sender.CLUB, answers.append))
    while not answers:
        await evening.wait(0)
    return answers[0]


def seats(evening):
    return tuple(seat.name for seat in evening.state.seats)


def setups(evening):
    """How each match of the journal in memory was begun."""
    return [from_text(row.body, Setup) for row in evening.store.rows if row.kind == "match"]


async def to_the_end(evening):
    """Play the match of two that is under way."""
    await evening.lay(parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7"))
    await evening.press(1)
    hand = parse_table("R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 R1 B1")[0]
    await evening.lay((*evening.sight.table, hand))
    await evening.press(2)
    assert evening.state.phase is Phase.OVER


def test_players_take_their_seats_the_first_begins_the_clock_runs_and_all_are_told():
    async def script(evening):
        assert await begin(evening) is None
        state = evening.state
        assert (state.phase, seats(evening), state.first, state.current) == (Phase.TURN, THREE, 0, 0)
        assert state.clock.is_running
        assert evening.lit == {"player-1"}
        await evening.press(1)
        await evening.press(2)
        assert evening.state.seat.name == "Ann"

    made = Evening(names=("Anna", "Ben"), rounds=7).play(script)
    told = made.said.index("The hall has begun the match: Cleo, Ben and Ann are playing.")
    assert made.said[told + 1] == "Cleo, it is your turn."
    assert [setup.draw for setup in setups(made)] == [DRAW]
    assert made.state.rounds == 7


@pytest.mark.parametrize("starts", ["lot", "agreed", "drawn", "winner"])
def test_who_begins_is_not_chosen_once_more_in_the_first_round(starts):
    async def script(evening):
        await evening.start()  # the table was about to choose by itself
        assert await begin(evening) is None
        assert (evening.state.phase, evening.state.current) == (Phase.TURN, 0)
        await evening.wait(10)
        assert (evening.state.phase, evening.state.current, seats(evening)) == (Phase.TURN, 0, THREE)

    made = Evening("ravensburger", {"starts": starts}, lot=lambda _: 1).play(script)
    assert made.rows == ["match", "started"]


def test_a_match_that_is_over_is_put_away_with_all_that_is_seen_of_it():
    follower = Follower(lambda: None, TABLE_MM)

    async def script(evening):
        assert await begin(evening, "Ann", "Ben", draw="cup-r1-t1") is None
        await to_the_end(evening)
        await evening.wait(0.1)
        assert (follower.facts.winners, follower.facts.scene.draw) == ((0,), "cup-r1-t1")
        evening.sight.table = ()
        assert await begin(evening, draw="cup-r2-t1") is None
        await evening.wait(0.1)
        assert (evening.state.phase, seats(evening)) == (Phase.TURN, THREE)
        facts = follower.facts
        assert (facts.winners, facts.judged, facts.due, facts.scene.draw) == ((), None, None, "cup-r2-t1")

    made = Evening(audience=follower).play(script)
    assert [setup.draw for setup in setups(made)] == ["cup-r1-t1", "cup-r2-t1"]


def test_a_match_of_a_draw_that_is_over_does_not_begin_again_but_another_or_with_other_players_does():
    async def script(evening):
        assert await begin(evening, "Ann", "Ben", rounds=1) is None
        await to_the_end(evening)
        assert await begin(evening, "Ann", "Ben", rounds=1) == Notice("club.draw_is_over")
        assert evening.state.phase is Phase.OVER
        assert await begin(evening, "Ann", "Cleo", rounds=1) is None

    made = Evening().play(script)
    assert [setup.draw for setup in setups(made)] == [DRAW] * 2


def test_a_match_of_a_draw_that_was_given_up_may_begin_again():
    async def script(evening):
        assert await begin(evening, "Ann", "Ben") is None
        await evening.wait(5)
        await evening.start()
        await evening.press("pause", hold=1.0)
        assert evening.state.phase is Phase.LOBBY
        assert await begin(evening, "Ann", "Ben") is None
        assert evening.state.phase is Phase.TURN

    Evening().play(script)


def test_what_people_begin_by_themselves_afterwards_is_again_as_the_table_has_it():
    follower = Follower(lambda: None, TABLE_MM)

    async def script(evening):
        assert await begin(evening, "Cleo", "Dan", rules="piatnik") is None
        await evening.wait(5)
        await evening.start()
        await evening.press("pause", hold=1.0)
        assert evening.state.phase is Phase.LOBBY
        assert "Ready: press start" in evening.said[-1]
        assert (follower.facts.scene.draw, follower.facts.scene.players.names) == (None, ("Anna", "Ben"))
        await evening.start()
        assert (seats(evening), evening.state.rules.name) == (("Anna", "Ben"), "rummikub")

    made = Evening(audience=follower).play(script)
    assert [setup.draw for setup in setups(made)] == [DRAW, None]


async def at_play(evening):
    await evening.start()


async def paused(evening):
    await evening.start()
    await evening.start()


async def between_rounds(evening):
    await evening.start()
    evening.loop.session.state = replace(short(evening.setup, 2)[3].state, phase=Phase.BETWEEN)


@pytest.mark.parametrize("before", [at_play, paused, between_rounds])
def test_while_a_match_is_under_way_nothing_happens(before):
    async def script(evening):
        await before(evening)
        state, said = evening.state, len(evening.said)
        assert await begin(evening) == UNDER_WAY
        assert (evening.state, len(evening.said)) == (state, said)

    assert [setup.draw for setup in setups(Evening(rounds=2).play(script))] == [None]


FIVE_BUTTONS = PinMap(turn_buttons=(5, 6, 13, 19, 26), pause_button=16)
TWO_BUTTONS = PinMap(turn_buttons=(5, 6))
OWN_NAMES = "expected a name of its own for every player"


@pytest.mark.parametrize(
    ("players", "more", "pins", "why"),
    [
        pytest.param(("Ann",), {}, None, "expected 2-4 players for rummikub, got 1", id="one"),
        pytest.param(tuple("ABCDE"), {}, FIVE_BUTTONS, "expected 2-4 players for rummikub, got 5", id="five"),
        pytest.param(THREE, {"rules": "gin"}, None, "expected 2 players for gin, got 3", id="three at gin"),
        pytest.param(THREE, {"rules": "chess"}, None, "expected rules out of", id="unknown book"),
        pytest.param(("Ann", "Ann"), {}, None, OWN_NAMES, id="twice"),
        pytest.param(("Player 2", None), {}, None, OWN_NAMES, id="twice by chance"),
        pytest.param(THREE, {}, TWO_BUTTONS, "expected at most 2 names, one for each button", id="seats"),
        pytest.param(THREE, {"rules": "classic"}, None, "of every tile and 6 jokers", id="too small a box"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_and_the_table_stays_as_it_was(players, more, pins, why):
    async def script(evening):
        before, said, setup = evening.state, len(evening.said), evening.loop.session.setup
        told = await begin(evening, *players, **more)
        assert why in ENGLISH(told)
        assert (evening.state, evening.loop.session.setup, len(evening.said)) == (before, setup, said)
        await evening.start()
        assert seats(evening) == ("Anna", "Ben")

    Evening(pins=pins).play(script)


def test_after_a_match_what_does_not_fit_leaves_its_end_to_be_seen():
    async def script(evening):
        await begin(evening, "Ann", "Ben")
        await to_the_end(evening)
        assert await begin(evening, "Ann", draw="cup-r2-t1") is not None
        assert (evening.state.phase, evening.loop.session.setup.draw) == (Phase.OVER, DRAW)

    Evening().play(script)


def test_the_box_that_lies_at_the_table_decides_what_can_be_played():
    async def script(evening):
        assert await begin(evening, "Ann", "Ben", rules="classic") is None
        assert evening.state.rules.name == "classic"

    evening = Evening()
    evening.replace_parts(plan=replace(evening.plan, box=TILE_SETS["classic"]))
    evening.play(script)


def test_seats_without_a_name_are_called_in_the_language_of_the_table():
    async def script(evening):
        assert await begin(evening, "Ann", None, None) is None
        assert seats(evening) == ("Ann", "Spieler 2", "Spieler 3")

    evening = Evening()
    evening.replace_parts(words=Wording("de"))
    assert "Die Halle hat die Partie begonnen: Es spielen Ann, Spieler 2 und Spieler 3." in evening.play(script).said


def test_the_options_of_the_table_hold_with_its_own_book_and_rounds_may_be_told():
    async def script(evening):
        assert await begin(evening, rules="rummikub", rounds=5) is None
        assert evening.loop.session.setup == replace(evening.setup, draw=DRAW)
        assert evening.state.rounds == 5

    Evening(options={"entry": "timed"}).play(script)


def test_another_book_is_played_with_its_usual_options():
    async def script(evening):
        assert await begin(evening, rules="piatnik") is None
        assert evening.loop.session.setup == replace(Setup.now("piatnik", {}), draw=DRAW)
        assert evening.state.rules.box.name == "piatnik"

    Evening(options={"entry": "timed"}).play(script)


@pytest.mark.parametrize("pins", [ONE_FOR_ALL, NO_START_BUTTON])
def test_other_panels_play_it_as_well(pins):
    async def script(evening):
        assert await begin(evening) is None
        assert (seats(evening), evening.state.current) == (THREE, 0)
        await evening.wait(2)
        await evening.press(1)
        assert evening.state.current == 1

    Evening(pins=pins).play(script)


def test_while_a_box_is_enrolled_nothing_begins():
    async def script(evening):
        await evening.press("pause", hold=1.2)
        await evening.press("pause", hold=1.2)
        assert evening.loop.controller.enrolment.under_way
        assert await begin(evening) == Notice("setup.enrolling")
        assert evening.loop.controller.enrolment.under_way
        assert evening.loop.session.setup.draw is None

    teacher = SimpleNamespace(name="ours", tileset=TILE_SETS["rummikub"], table_mm=TABLE_MM)
    Evening(teacher=teacher).play(script)


class TestTileAside:
    """By rules with a tile that lies aside the match begins once that was seen."""

    def evening(self, **more):
        return Evening("piatnik", {"starts": "agreed", "last-tile": "on"}, **more)

    def test_it_begins_at_once_where_the_tile_lies_there(self):
        async def script(evening):
            await evening.lay(parse_table("R5"))
            assert await begin(evening) is None
            await evening.wait(1)
            assert (evening.state.phase, str(evening.state.aside), seats(evening)) == (Phase.TURN, "R5", THREE)

        self.evening().play(script)

    @pytest.mark.parametrize("pins", [None, NO_START_BUTTON])
    def test_else_the_seats_stay_as_they_were_told_until_somebody_presses_start(self, pins):
        follower = Follower(lambda: None, TABLE_MM)

        async def start(evening):
            await (evening.press(1, hold=1.0) if pins is NO_START_BUTTON else evening.start())

        async def script(evening):
            assert await begin(evening) is None
            await evening.wait(1)
            assert evening.state.phase is Phase.LOBBY
            assert evening.said[-1].startswith("Lay exactly one tile face up")
            scene = follower.facts.scene
            assert (scene.draw, scene.players.names, scene.joined) == (DRAW, THREE, {0, 1, 2})
            await evening.press(2)
            assert evening.said[-1] == "The hall has chosen who plays: Cleo, Ben and Ann. Press start to begin."
            await evening.lay(parse_table("R5"))
            await start(evening)
            await evening.wait(1)
            assert (evening.state.phase, seats(evening), evening.state.first) == (Phase.TURN, THREE, 0)

        made = self.evening(pins=pins, audience=follower).play(script)
        assert [setup.draw for setup in setups(made)] == [DRAW]

    def test_the_hall_may_say_it_anew_meanwhile(self):
        async def script(evening):
            assert await begin(evening) is None
            await evening.wait(1)
            await evening.lay(parse_table("R5"))
            assert await begin(evening, "Dan", "Eve", draw="cup-r1-t1") is None
            await evening.wait(1)
            assert seats(evening) == ("Dan", "Eve")

        assert [setup.draw for setup in setups(self.evening().play(script))] == ["cup-r1-t1"]


def test_after_a_power_cut_the_match_is_still_that_of_its_draw_and_everybody_at_the_same_button(tmp_path):
    """Even where the settings have the same names at other buttons."""

    async def before(evening):
        assert await begin(evening, "Ben", "Anna") is None
        await evening.press(1)
        assert evening.state.seat.name == "Anna"

    opened = open_journal(tmp_path)
    Evening(journal=opened.journal).play(before)
    opened.journal.close()

    async def after(evening):
        assert (evening.loop.session.setup.draw, evening.state.phase) == (DRAW, Phase.PAUSED)
        assert await begin(evening, draw="cup-r2-t1") == UNDER_WAY
        await evening.start()
        await evening.press(2)
        assert evening.state.seat.name == "Ben"

    again = open_journal(tmp_path)
    made = Evening(journal=again.journal, kept=again.kept)
    made.play(after)
    again.journal.close()
