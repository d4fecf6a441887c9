"""A chess clock and the time of a match at the table: what is shown and said, and what a power cut leaves."""

import pytest
from cutting import resumed
from virtual_evening import OPENING, Evening

from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.i18n import ENGLISH
from referee.pages.table.parts import match
from referee.table.looking.vision_worker import Watch
from referee.table.output.follower import Follower

CLOCK = {"chess-clock": "5+10"}
SELDOM = Watch(every_s=2.0)
TIME = {"match-time": "30"}
OUT = parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7")


def banks(evening):
    return [seat.bank for seat in evening.state.seats]


def chooses(evening):
    return evening.loop.controller.starting.who_begins.current_choice(evening.time.time()) is not None


class TestChessClock:
    def test_it_counts_down_over_turns_and_the_page_tells_what_is_left(self):
        page = Follower(lambda: 0.0)

        async def script(evening):
            await evening.start()
            assert evening.panel.history[-1][1].text == "5:10"
            await evening.wait(70)
            await evening.lay(OPENING)
            await evening.press(1)
            assert banks(evening) == [pytest.approx(239, abs=0.5), 300]
            assert evening.panel.history[-1][1].text == "5:10"
            shown = match.render(page.facts, ENGLISH)["players"]
            assert [player["bank_text"] for player in shown] == ["3:59 left", ""]
            await evening.press(2)
            assert 248 < evening.state.clock.seconds_left(evening.loop.t) <= 249.5

        Evening(options=CLOCK, watch=SELDOM, audience=page).play(script)

    def test_thirty_seconds_are_told_from_what_is_left_of_it_all(self):
        async def script(evening):
            await evening.start()
            await evening.until_the_end(30.5)
            before = evening.time.time()
            await evening.wait(1)
            assert evening.tones(before - 1000.0)

        Evening(options=CLOCK, watch=SELDOM).play(script)

    def test_when_it_is_empty_the_turn_ends(self):
        async def script(evening):
            await evening.start()
            await evening.until_the_end(-1)
            assert evening.state.current == 1
            assert banks(evening) == [0, 300]
            await evening.press(2)
            assert evening.state.clock.seconds_left(evening.loop.t) == pytest.approx(10, abs=1)

        assert "Time is up, Anna." in Evening(options=CLOCK, watch=SELDOM).play(script).said

    def test_a_power_cut_leaves_it_as_it_was(self, tmp_path):
        async def before(evening):
            await evening.start()
            await evening.wait(60)
            await evening.lay(OPENING)
            await evening.press(1)
            await evening.wait(40)
            await evening.press("pause")
            evening.left = banks(evening), evening.state.clock.seconds_left(evening.loop.t)
            seen.append(evening.left)

        async def after(evening):
            await evening.wait(100)
            assert (banks(evening), evening.state.clock.seconds_left(evening.loop.t)) == seen[-1]
            await evening.start()
            await evening.press(2)
            assert banks(evening)[1] == pytest.approx(seen[-1][1], abs=1)

        seen = []
        resumed(tmp_path, before, Phase.PAUSED, after, options=CLOCK, watch=SELDOM)
        assert seen[-1][0][0] < 260


class TestMatchTime:
    def test_the_round_under_way_is_told_to_be_the_last(self):
        page = Follower(lambda: 0.0)

        async def script(evening):
            await evening.start()
            assert "30 minutes for the match" in match.render(page.facts, ENGLISH)["facts"]
            await evening.press("pause")
            await evening.wait(1801)
            assert evening.state.phase is Phase.PAUSED
            assert "time up: last round" in match.render(page.facts, ENGLISH)["facts"]
            await evening.press("pause")
            await evening.lay(OUT)
            await evening.press(1)
            assert evening.state.phase is Phase.SHOWING

        evening = Evening(options=TIME, rounds=4, audience=page, watch=SELDOM).play(script)
        assert evening.said.count("The time of the match is up: this round is the last.") == 1
        assert evening.rows.count("match-time-up") == 1

    def test_between_two_rounds_the_match_ends_and_so_does_the_choice_of_who_begins(self):
        async def script(evening):
            await evening.start()
            await evening.press(1)
            await evening.lay(OUT)
            await evening.press(1)
            await evening.lay((*OUT, *parse_table("R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 K1 K2")))
            await evening.press(2)
            assert evening.state.phase is Phase.BETWEEN
            await evening.lay(())
            await evening.press("pause")
            assert chooses(evening)
            await evening.wait(1800)
            assert evening.state.phase is Phase.OVER
            assert not chooses(evening)
            await evening.press(1)
            assert evening.state.phase is Phase.OVER

        said = Evening(options=TIME | {"starts": "agreed"}, rounds=4, watch=SELDOM).play(script).said
        assert "The time of the match is up: no new round begins." in said
