"""The loop is cut between any two of its steps: the match goes on from there, and ends as it would have ended."""

import copy
from dataclasses import dataclass, field

import pytest
from cutting import BEAT_S, Cut, Cutter, again, journal_after, lost_s, state_of
from virtual_evening import OPENING, Evening

from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import parse_table

NAMES = ("Anna", "Ben")
EVENING = {"names": NAMES, "rounds": 2}
BOTH = parse_table("R10 B10 K10 | Y11 B11 K11")
TORN = parse_table("R10 B10 | K10 Y11 | B11 K11")
ALL = parse_table("R10 B10 K10 | Y11 B11 K11 | R1 R2 R3 R4 R5 R6 R7 | Y1 Y2 Y3 Y4 Y5")
AT_ONCE = parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7")
REST = parse_table("K1 K2 K3 K4 K5 K6 K7 K8 K9 Y6 Y7 Y8 Y9 Y10 Y12 B1 B2")[0]
LONGEST_S = 600.0


@dataclass
class People:
    """Two people who go through all that can happen to a turn. What they do follows from the state alone, but for
    the mistakes that they make once only."""

    made: set[str] = field(default_factory=set)

    def once(self, mistake: str) -> bool:
        """Whether this mistake is still to be made."""
        first = mistake not in self.made
        self.made.add(mistake)
        return first


async def play(evening: Evening, people: People) -> None:
    """Play the match to its end, from wherever it stands."""
    until = evening.time.time() + LONGEST_S
    while (state := evening.state).phase is not Phase.OVER:
        assert evening.time.time() < until, f"the match does not go on: {state.phase}, {evening.said[-3:]}"
        await act(evening, state, people)


async def act(evening: Evening, state: State, people: People) -> None:
    if state.phase in (Phase.LOBBY, Phase.PAUSED) or evening.loop.controller.match.cut:
        await evening.start()
    elif state.asked:
        evening.sight.table = (state_table := evening.sight.table)[1:] + state_table[:1]
        await evening.wait(3)
    elif state.phase is Phase.BETWEEN:
        await evening.lay(())
        await evening.start()
    elif state.phase is Phase.PUTTING_RIGHT:
        if not people.once("put something else right"):
            await evening.lay(state.due.target)
        await evening.press(1 + state.current)
    elif state.phase is Phase.SHOWING:
        hand = REST[: state.seat.hand - people.once("show one too few")]
        await evening.lay((*state.table, hand[:7], hand[7:]))
        await evening.press(1 + state.current)
    elif state.phase is Phase.TURN:
        await (second_round if state.sheet.rounds else first_round)(evening, state, people)
    else:
        await evening.wait(0.1)


async def first_round(evening: Evening, state: State, people: People) -> None:
    """A refusal, a doubt, a pause, nothing laid, the time up, and the end of the round."""
    turn = (state.current, state.seat.opened, state.seat.hand)
    if turn == (1, True, 11):
        await evening.lay(TORN)
        await evening.wait(66)
        return
    if turn == (0, False, 14):
        await evening.lay(parse_table("R1 R2") if people.once("no set") else OPENING)
    elif turn == (1, False, 14):
        await evening.lay(BOTH)
        if people.once("a tile lies badly"):
            evening.look_anew()
            evening.sight.doubtful = 1
    elif turn == (0, True, 11):
        if people.once("tea"):
            await evening.start()
            return
    else:
        await evening.lay(ALL)
    await evening.press(1 + state.current)


async def second_round(evening: Evening, state: State, people: People) -> None:  # noqa: ARG001 - as the first
    """Whoever begins goes out at once."""
    await evening.lay(AT_ONCE)
    await evening.press(1 + state.current)


@pytest.fixture(scope="module")
def evening(tmp_path_factory) -> tuple[Evening, list[Cut]]:
    cutter = Cutter(tmp_path_factory.mktemp("cuts"), **EVENING)
    return cutter.play(People(), play), cutter.cuts


def test_every_phase_and_every_step_is_cut(evening):
    uncut, cuts = evening
    assert uncut.state.phase is Phase.OVER
    assert {cut.shown.phase for cut in cuts} == set(Phase)
    assert {cut.step.split()[1] for cut in cuts} >= {"append", "beat", "handle", "look", "show", "play", "say", "keep"}
    assert len(cuts) > 1000


def test_the_disk_has_what_was_confirmed_at_every_step(evening):
    for number, cut in enumerate(evening[1]):
        state = state_of(cut.disk)
        if state is None:
            assert cut.confirmed.phase is Phase.LOBBY, (number, cut.step)
        else:
            assert state == cut.confirmed, (number, cut.step)


def test_nothing_is_shown_before_it_is_on_the_disk(evening):
    shown = [cut for cut in evening[1] if cut.step.split()[1] in ("show", "play", "say", "keep", "heard")]
    for number, cut in enumerate(shown):
        assert (state_of(cut.disk) or cut.confirmed) == cut.shown, (number, cut.step)


def test_the_clock_loses_at_most_a_heartbeat_and_that_to_the_players_good(evening):
    lost = []
    for cut in distinct(evening[1]):
        if cut.confirmed.phase is not Phase.TURN:
            continue
        resumed, _ = again(cut, **EVENING)
        resumed.play(lambda e: e.wait(0.1))
        lost.append(lost_s(cut, resumed.state))
    assert len(lost) > 50
    assert min(lost) >= -BEAT_S - 0.01
    assert max(lost) <= 1e-6


def test_from_every_step_the_match_is_played_to_the_same_end(evening):
    """Cuts that leave the same rows, table and people are one: nothing else outlives a cut but the clock."""
    uncut, cuts = evening
    cuts = [cut for cut in cuts if cut.confirmed.phase is not Phase.OVER]
    tails = {(len(cut.disk.rows), cut.table, tuple(sorted(cut.people.made))): cut for cut in cuts}
    assert len(tails) > 40
    for cut in tails.values():
        resumed, store = again(cut, **EVENING)
        people = copy.deepcopy(cut.people)
        resumed.play(lambda e, people=people: play(e, people))
        where = f"{cut.step} after {len(cut.disk.rows)} rows, {cut.confirmed.phase}"
        assert resumed.state.phase is Phase.OVER, where
        assert resumed.state.sheet == uncut.state.sheet, where
        assert resumed.state.seats == uncut.state.seats, where
        assert journal_after(cut, store) == resumed.state, where
        written = [text.split(":")[0] for text in resumed.said if text.startswith("Round ")]
        assert written == ["Round 1", "Round 2"][len(cut.confirmed.sheet.rounds) :], where


def test_a_match_that_is_over_is_not_gone_on_with(evening):
    cut = evening[1][-1]
    assert cut.confirmed.phase is Phase.OVER
    resumed, _ = again(cut, **EVENING)
    resumed.play(lambda evening: evening.wait(1))
    assert resumed.state.phase is Phase.LOBBY


def distinct(cuts: list[Cut]) -> list[Cut]:
    """Cuts that leave the same disk at the same moment are one."""
    return list({(id(cut.disk), cut.t): cut for cut in cuts}.values())
