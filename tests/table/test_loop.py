"""The loop: what players press, see and hear, in virtual time and with bouncing contacts."""

import pytest
from virtual_evening import NO_START_BUTTON, ONE_FOR_ALL, OPENING, Evening

from referee.game.match.phases import Phase
from referee.game.notation import parse_table


def test_ready_is_seen_and_heard():
    async def script(evening):
        await evening.wait(2)

    evening = Evening().play(script)
    assert evening.tones()[:3] == [1046.5, 1318.5, 1568.0]
    assert evening.state.phase is Phase.LOBBY


def test_start_begins_a_match_and_a_press_ends_a_turn():
    async def script(evening):
        await evening.start()
        assert evening.state.phase is Phase.TURN
        assert evening.lit == {"player-1"}
        await evening.lay(OPENING)
        await evening.press(1)
        assert evening.state.current == 1
        assert evening.state.table == OPENING
        assert evening.lit == {"player-2", "green"}
        await evening.wait(3)
        assert evening.lit == {"player-2"}

    evening = Evening().play(script)
    assert "Ben, it is your turn." in evening.said
    assert [number for _, number, _ in evening.kept_pictures] == [3]


def test_a_still_table_is_read_before_the_press():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.wait(2)
        await evening.press(1)
        assert evening.state.current == 1
        assert evening.loop.controller.match.seen.ahead

    Evening().play(script)


def test_the_clock_stops_at_the_first_edge_of_the_press():
    async def script(evening):
        await evening.start()
        begun = evening.state.clock.since
        await evening.wait(20)
        pressed = evening.time.time()
        evening.sight.doubtful = 1
        evening.sight.table = OPENING
        await evening.press(1, hold=0.7)
        assert evening.state.phase is Phase.ASKING
        used = evening.state.clock.used
        assert used == pytest.approx(pressed - 1000.0 - begun, abs=1e-6)
        assert "amber" in {lamp for _, moment in evening.panel.history for lamp in moment.lit}

    evening = Evening().play(script)
    assert any("the red 10 in the picture: 10 or 1?" in text for text in evening.said)


def test_a_refused_table_is_red_and_the_clock_runs_on():
    async def script(evening):
        await evening.start()
        await evening.lay(parse_table("R1 R2"))
        await evening.press(1)
        assert evening.state.phase is Phase.TURN
        assert evening.state.current == 0
        assert evening.lit == {"player-1", "red"}
        assert evening.state.clock.is_running

    evening = Evening().play(script)
    assert 261.6 in evening.tones()


def test_a_straightened_table_is_looked_at_again_without_a_press():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        evening.sight.doubtful = 1
        evening.look_anew()
        await evening.press(1)
        assert evening.state.phase is Phase.ASKING
        evening.sight.table = (OPENING[0][::-1],)
        await evening.wait(3)
        assert evening.state.current == 1

    Evening().play(script)


class TestATileThatIsGone:
    """A hand may lie over it: nobody is told off before being asked."""

    @staticmethod
    async def taken(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.press(1)
        assert evening.state.current == 1
        await evening.lay((OPENING[0][:2],))
        await evening.press(2)
        assert evening.state.phase is Phase.ASKING
        assert evening.said[-1] == "I cannot see this clearly: the black 10, which lay there before"
        assert "red" not in evening.lit

    def test_it_is_called_gone_once_somebody_insists(self):
        async def script(evening):
            await self.taken(evening)
            await evening.press(2)
            assert evening.state.phase is Phase.TURN
            assert evening.state.current == 1
            assert "red" in evening.lit

        Evening().play(script)

    def test_something_else_that_moves_makes_nobody_guilty(self):
        async def script(evening):
            await self.taken(evening)
            await evening.lay((OPENING[0][:2], *parse_table("R1 R2 R3")))
            await evening.wait(3)
            assert evening.state.phase is Phase.ASKING

        Evening().play(script)

    def test_a_hand_that_goes_away_ends_the_question(self):
        async def script(evening):
            await self.taken(evening)
            await evening.lay((*OPENING, *parse_table("R1 B1 K1 O1 | R13 B13 K13")))
            await evening.wait(3)
            assert evening.state.current == 0
            assert len(evening.state.table) == 3

        Evening().play(script)


def test_the_wrong_players_press_is_told_and_changes_nothing():
    async def script(evening):
        await evening.start()
        before = evening.state
        heard = evening.time.time()
        await evening.press(2)
        assert evening.state == before
        assert evening.tones(heard) == [440.0]

    Evening().play(script)


def test_two_at_once_count_in_the_order_of_the_seats():
    async def script(evening):
        await evening.start()
        evening.panel.edge("button-2", True)
        evening.panel.edge("button-1", True)
        await evening.wait(0.2)
        evening.panel.edge("button-1", False)
        evening.panel.edge("button-2", False)
        await evening.wait(0.2)
        assert evening.state.current == 1
        assert evening.state.seats[0].hand == 15

    Evening().play(script)


def test_a_stuck_button_is_told_and_play_goes_on():
    async def script(evening):
        await evening.start()
        evening.panel.edge("button-2", True)
        await evening.wait(12)
        assert any("has been held down for a long time" in text for text in evening.said)
        assert {"red", "amber"} & evening.lit
        await evening.press(1)
        assert evening.state.current == 1
        evening.panel.edge("button-2", False)
        await evening.wait(3)
        assert "button-2: working again." in evening.said

    Evening().play(script)


def test_time_up_is_seen_through_to_the_end():
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.press(1)
        await evening.press(2)
        assert evening.state.current == 0
        await evening.lay(parse_table("R10 B10 | K10 K11"))
        await evening.wait(61)
        assert evening.state.phase is Phase.PUTTING_RIGHT
        assert any("Time is up" in text for text in evening.said)
        confirmed = []
        evening.watcher.confirm = lambda look: confirmed.append(look.sighting.table)
        await evening.lay(OPENING)
        await evening.press(1)
        assert evening.state.current == 1
        assert evening.state.seats[0].hand == 14
        assert confirmed == [OPENING]

    Evening().play(script)


def test_the_last_seconds_are_counted_aloud():
    async def script(evening):
        await evening.start()
        await evening.wait(59.5)
        tones = evening.tones(1000.5)
        assert tones.count(1318.5) == 6
        assert tones.count(880.0) == 3

    Evening().play(script)


class TestTakingBack:
    def test_a_long_press_while_asked_lets_the_turn_go_on(self):
        async def script(evening):
            await evening.start()
            await evening.lay(OPENING)
            evening.sight.doubtful = 9
            evening.look_anew()
            await evening.press(1)
            assert evening.state.phase is Phase.ASKING
            await evening.press(1, hold=1.0)
            assert evening.state.phase is Phase.TURN
            assert evening.state.current == 0
            assert evening.state.clock.is_running

        Evening().play(script)

    def test_the_one_who_pressed_too_early_plays_on(self):
        async def script(evening):
            await evening.start()
            await evening.press(1)
            assert evening.state.current == 1
            await evening.wait(3)
            await evening.press(1, hold=1.0)
            assert evening.state.current == 0
            assert evening.state.seats[0].hand == 14
            await evening.lay(OPENING)
            await evening.press(1)
            assert evening.state.current == 1

        evening = Evening().play(script)
        assert "Anna plays on. Return the tile you drew to the stock." in evening.said

    def test_a_single_press_that_is_held_takes_nothing_back(self):
        async def script(evening):
            await evening.start()
            await evening.lay(OPENING)
            await evening.press(1, hold=2.0)
            assert evening.state.current == 1

        Evening().play(script)

    def test_with_one_button_for_all_the_next_long_press_takes_back_or_counts(self):
        async def script(evening):
            await evening.start()
            await evening.wait(2)
            await evening.press(1)
            evening.sight.doubtful = 9
            await evening.lay(OPENING)
            await evening.wait(2)
            await evening.press(1)
            assert evening.state.phase is Phase.ASKING
            await evening.press(1, hold=1.0)
            assert evening.state.phase is Phase.TURN

        Evening(pins=ONE_FOR_ALL).play(script)

    def test_the_press_that_ends_a_round_is_not_felt_twice(self):
        async def script(evening):
            await evening.start()
            evening.count(3, 3)
            await evening.lay(OPENING)
            await evening.press(1)
            assert evening.state.phase is Phase.SHOWING

        evening = Evening().play(script)
        assert not any("expected" in text for text in evening.said)


class TestPause:
    def test_the_pause_button_stops_and_starts_the_clock(self):
        async def script(evening):
            await evening.start()
            await evening.wait(10)
            await evening.press("pause")
            assert evening.state.phase is Phase.PAUSED
            used = evening.state.clock.used
            await evening.wait(100)
            assert evening.lit in ({"player-1", "player-2"}, set())
            await evening.press("pause")
            assert evening.state.phase is Phase.TURN
            assert evening.state.clock.used == used

        Evening().play(script)

    def test_held_while_paused_it_ends_the_match(self):
        async def script(evening):
            await evening.start()
            await evening.press("pause")
            await evening.press("pause", hold=1.0)
            assert evening.state.phase is Phase.LOBBY

        Evening().play(script)


class TestLobby:
    def test_who_presses_plays_and_a_long_press_begins(self):
        async def script(evening):
            await evening.press(1)
            await evening.press(4, hold=1.0)
            await evening.start()
            assert [seat.name for seat in evening.state.seats] == ["Anna", "David"]
            assert evening.state.current == 1
            assert evening.lit == {"player-4"}
            await evening.press(4)
            assert evening.state.current == 0

        Evening(names=("Anna", "Ben", "Clara", "David")).play(script)

    def test_too_few_are_told(self):
        async def script(evening):
            await evening.press(2)
            await evening.start()
            assert evening.state.phase is Phase.LOBBY

        evening = Evening().play(script)
        assert any(text == "This game is for 2 to 4 players, but 1 player sat down." for text in evening.said)

    def test_a_game_for_two_is_told_as_such(self):
        async def script(evening):
            await evening.press(2)
            await evening.start()
            assert evening.state.phase is Phase.LOBBY

        assert "This game is for 2 players, but 1 player sat down." in Evening("gin").play(script).said

    def test_of_more_people_than_may_play_nobody_is_left_out_unasked(self):
        async def script(evening):
            await evening.start()
            assert evening.state.phase is Phase.LOBBY
            await evening.press(3)
            await evening.press(1)
            await evening.start()
            assert [seat.name for seat in evening.state.seats] == ["Anna", "Clara"]

        said = Evening("gin", names=("Anna", "Ben", "Clara", "David")).play(script).said
        assert "At most 2 players can play this game: if you are playing, press your button first." in said

    def test_without_a_start_button_a_long_press_starts(self):
        async def script(evening):
            await evening.press(1, hold=1.0)
            assert evening.state.phase is Phase.TURN

        Evening(pins=NO_START_BUTTON).play(script)

    def test_one_button_for_all_ends_everybodys_turn(self):
        async def script(evening):
            await evening.start()
            for _ in range(2):
                await evening.wait(2)
                await evening.press(1)
            assert evening.state.current == 0
            assert [seat.hand for seat in evening.state.seats] == [15, 15]

        Evening(pins=ONE_FOR_ALL).play(script)

    def test_a_tile_aside_is_seen_before_the_deal(self):
        async def script(evening):
            await evening.start()
            assert evening.state.phase is Phase.LOBBY
            assert any("Lay exactly one tile face up" in text for text in evening.said)
            await evening.lay(parse_table("Y7"))
            await evening.start()
            assert str(evening.state.aside) == "Y7"

        Evening("piatnik", {"last-tile": "on"}).play(script)


class TestCamera:
    def test_a_lost_camera_is_told_and_the_look_is_taken_when_it_is_back(self):
        async def script(evening):
            await evening.start()
            await evening.lay(OPENING)
            evening.sight.lost = True
            await evening.press(1)
            await evening.wait(5)
            assert evening.state.phase is Phase.LOOKING
            assert any("check the cable" in text for text in evening.said)
            evening.sight.lost = False
            await evening.wait(3)
            assert evening.state.current == 1
            assert "camera: working again." in evening.said

        Evening().play(script)


def test_gin_is_knocked_with_a_long_press():
    async def script(evening):
        await evening.start()
        await evening.lay(parse_table("R9"))
        await evening.press(2)
        assert evening.state.gin.stage.value == "first-offer"
        await evening.press(1)
        await evening.press(2)
        await evening.lay(parse_table("R9 K13"))
        await evening.press(1, hold=1.0)
        assert evening.state.gin.stage.value == "knocker"

    Evening("gin").play(script)
