"""Who begins, at the table: lamps that run round, all lamps blinking until somebody presses, one button for all."""

import itertools

import pytest
from virtual_evening import NO_START_BUTTON, ONE_FOR_ALL, Evening

from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.i18n import ENGLISH
from referee.journal.rows import Setup
from referee.table.who_begins import Lot

LOT, AGREED, DRAWN = {"starts": "lot"}, {"starts": "agreed"}, {"starts": "drawn"}
FOUR = ("Anna", "Ben", "Clara", "David")
ONE_HELD = PinMap(turn_buttons=(5,), pause_button=None)
PRESS = "Whoever begins presses first."


def evening(options, *, seat=1, **given):
    return Evening("ravensburger", options, lot=lambda players: seat % players, **given)


def begun(evening):
    return evening.state.phase is Phase.TURN, evening.state.first


class TestLot:
    def test_the_lamps_run_round_and_stop(self):
        async def script(evening):
            await evening.start()
            seen = set()
            while evening.state.phase is Phase.LOBBY:
                seen |= {frozenset(name for name in evening.lit if name.startswith("player"))}
                await evening.wait(0.03)
            assert seen >= {frozenset({f"player-{seat}"}) for seat in (1, 2, 3, 4)}
            assert begun(evening) == (True, 2)
            assert "player-3" in evening.lit

        made = evening(LOT, seat=2, names=FOUR).play(script)
        assert "The referee draws lots to decide who begins." in made.said
        assert made.said[-1] == "Clara, it is your turn."
        assert made.rows == ["match", "started"]

    def test_presses_wait_until_it_has_fallen(self):
        async def script(evening):
            await evening.start()
            await evening.press(1)
            await evening.press("pause")
            assert evening.state.phase is Phase.LOBBY
            await evening.wait(5)
            assert begun(evening) == (True, 1)

        assert "One moment: the referee is choosing who begins." in evening(LOT).play(script).said

    def test_every_round_has_its_own(self):
        async def script(evening):
            await evening.start()
            await evening.wait(5)
            evening.count(14, 3)
            await evening.lay(parse_table("R10 B10 K10 | Y10 Y11 Y12 Y13"))
            evening.count(14, 7)
            await evening.press(2)
            await evening.lay((*evening.sight.table, parse_table("R1 R2 R3 R4 R5 R6 R7 B1 B2 B3 B4 B5 B6 B7")[0]))
            await evening.press(1)
            assert evening.state.phase is Phase.BETWEEN
            evening.sight.table = ()
            await evening.start()
            assert evening.state.phase is Phase.BETWEEN
            await evening.wait(5)
            assert begun(evening) == (True, 1)

        assert evening(LOT, rounds=2).play(script).rows[-1] == "round-started"

    @pytest.mark.parametrize("options", [LOT, AGREED, DRAWN, {"starts": "winner"}])
    def test_who_holds_the_button_when_sitting_down_begins_all_the_same(self, options):
        async def script(evening):
            await evening.press(2)
            await evening.press(1, hold=1.0)
            await evening.start()
            assert begun(evening) == (True, 0)

        evening(options).play(script)

    def test_the_first_winner_is_drawn_by_lot(self):
        async def script(evening):
            await evening.start()
            await evening.wait(5)
            assert begun(evening) == (True, 1)

        evening({"starts": "winner"}).play(script)

    def test_in_gin_it_is_said_who_begins_for_the_dealer_comes_first(self):
        async def script(evening):
            await evening.start()
            await evening.wait(5)
            assert (evening.state.first, evening.state.current) == (1, 0)

        assert Evening("gin", LOT, lot=lambda _: 1).play(script).said[-1] == "Ben begins."

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_it_always_stops_where_it_fell(self, seats):
        for seat in range(seats):
            lot, t = Lot(seats, seat, 100.0), 100.0
            lit = [lot.lit_seat(t)]
            while (due := lot.next_due(t)) is not None:
                assert due > t
                t = due
                lit.append(lot.lit_seat(t))
            assert lit[-1] == seat
            assert 2.0 < t - 100.0 < 5.0
            assert all((after - before) % seats == 1 for before, after in itertools.pairwise(lit))


class TestPresses:
    @pytest.mark.parametrize("options", [AGREED, DRAWN])
    def test_all_lamps_blink_until_whoever_begins_presses(self, options):
        async def script(evening):
            await evening.press(1)
            await evening.press(3)
            await evening.press(4)
            await evening.start()
            lit = set()
            for _ in range(20):
                lit |= evening.lit
                assert evening.state.phase is Phase.LOBBY
                await evening.wait(0.05)
            assert {name for name in lit if name.startswith("player")} == {"player-1", "player-3", "player-4"}
            await evening.press(2)
            assert evening.state.phase is Phase.LOBBY
            await evening.press(4)
            assert begun(evening) == (True, 2)
            assert evening.state.seat.name == "David"
            await evening.wait(3)
            assert evening.state.current == 2

        said = evening(options, names=FOUR).play(script).said
        assert PRESS in said
        assert "That button does not belong to anybody who is playing." in said
        assert any(text.startswith("Everybody draws a tile") for text in said) is (options is DRAWN)

    def test_start_once_more_lets_others_sit_down_first(self):
        async def script(evening):
            await evening.press(1)
            await evening.press(2)
            await evening.start()
            await evening.start()
            await evening.press(3)
            await evening.start()
            await evening.press(3)
            assert begun(evening) == (True, 2)

        said = evening(AGREED, names=FOUR).play(script).said
        assert "Nobody has been chosen yet: press start when everybody is there." in said

    def test_too_few_players_are_told_before_anything_is_chosen(self):
        async def script(evening):
            await evening.press(1)
            await evening.start()
            assert not evening.loop.controller.starting.who_begins.by_press

        said = evening(AGREED, names=FOUR).play(script).said
        assert PRESS not in said
        assert any("for 2 to 4 players" in text for text in said)

    def test_between_rounds_holding_start_ends_the_match_as_ever(self):
        async def script(evening):
            await evening.start()
            await evening.press(1)
            evening.count(7, 14)
            await evening.lay(parse_table("R10 B10 K10 | Y10 Y11 Y12 Y13"))
            await evening.press(1)
            await evening.lay((*evening.sight.table, parse_table("R1 R2 R3 R4 R5 R6 R7 B1 B2 B3 B4 B5 B6 B7")[0]))
            await evening.press(2)
            await evening.start()
            assert evening.loop.controller.starting.who_begins.by_press
            await evening.press("pause", hold=1.2)
            assert not evening.loop.controller.starting.who_begins.by_press
            await evening.press("pause", hold=1.2)
            assert evening.state.phase is Phase.LOBBY

        evening(AGREED, rounds=2).play(script)

    def test_without_a_start_button_a_held_press_calls_it_off(self):
        async def script(evening):
            await evening.press(1, hold=1.0)
            assert evening.loop.controller.starting.who_begins.by_press
            await evening.press(1, hold=1.0)
            assert not evening.loop.controller.starting.who_begins.by_press
            await evening.press(1, hold=1.0)
            await evening.press(2)
            assert begun(evening) == (True, 1)

        evening(AGREED, pins=NO_START_BUTTON).play(script)

    def test_the_tile_aside_is_looked_for_once_it_is_known_who_begins(self):
        async def script(evening):
            await evening.lay(parse_table("R5"))
            await evening.start()
            await evening.press(2)
            await evening.wait(1)
            assert begun(evening) == (True, 1)
            assert str(evening.state.aside) == "R5"

        Evening("piatnik", {**AGREED, "last-tile": "on"}).play(script)

    def test_who_begins_is_kept_while_the_tile_aside_is_put_right(self):
        async def script(evening):
            await evening.start()
            await evening.press(2)
            await evening.wait(1)
            assert evening.state.phase is Phase.LOBBY
            await evening.lay(parse_table("R5"))
            await evening.start()
            await evening.wait(1)
            assert begun(evening) == (True, 1)

        assert Evening("piatnik", {**AGREED, "last-tile": "on"}).play(script).said.count(PRESS) == 1


class TestOneButtonForAll:
    def test_start_asks_for_the_next_and_the_button_says_yes(self):
        async def script(evening):
            await evening.start()
            assert evening.panel.history[-1][1].text == "Anna?"
            await evening.start()
            assert evening.panel.history[-1][1].text == "Ben?"
            await evening.press(1)
            assert begun(evening) == (True, 1)

        said = evening(AGREED, pins=ONE_FOR_ALL).play(script).said
        assert "Does Anna begin? Press for yes, or press start for the next one." in said

    def test_without_a_start_button_taps_go_on_and_a_held_press_says_yes(self):
        async def script(evening):
            await evening.press(1, hold=1.0)
            for _ in range(3):
                await evening.press(1)
            await evening.press(1, hold=1.0)
            assert begun(evening) == (True, 1)

        said = evening(AGREED, pins=ONE_HELD).play(script).said
        assert "Does Ben begin? Hold for yes, or tap for the next one." in said

    def test_lots_need_no_press(self):
        async def script(evening):
            await evening.start()
            await evening.wait(5)
            assert begun(evening) == (True, 1)

        evening(LOT, pins=ONE_FOR_ALL).play(script)


def test_a_match_of_the_first_edition_begins_as_it_did():
    made = Evening("ravensburger")
    made.loop.session.setup = made.setup = Setup("ravensburger")
    made.loop.session.state = made.setup.state()

    async def script(evening):
        await evening.start()
        assert begun(evening) == (True, 0)

    made.play(script)


def test_a_button_without_a_name_has_nobody():
    async def script(evening):
        await evening.press(4)
        assert not evening.loop.controller.starting.lobby.joined
        await evening.press(1)
        await evening.press(2)
        await evening.start()

    said = evening(AGREED, names=FOUR[:3], pins=PinMap(turn_buttons=(5, 6, 13, 19))).play(script).said
    assert ENGLISH(Notice("play.nobodys_button")) in said
