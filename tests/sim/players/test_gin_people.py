"""People who play Gin at the virtual table: every slip is refused, and the referee never loses count."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from referee.game.gin.round import Stage
from referee.game.gin.showdown import may_knock
from referee.game.match.events import Effect, Event, Lamp, Light, Seen
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import parse_set
from referee.game.rulebooks import RULESETS
from referee.game.table import tiles_on
from referee.sim.players.gin_mistakes import GinSituation, GinSlip, wrong_turn
from referee.sim.players.gin_people import LINE, GinPeople
from referee.sim.players.players import FLAWLESS, NAMES, BareTable, Habits

GIN = RULESETS["gin"]
Step = tuple[State, Event, tuple[Effect, ...], GinPeople]


def play(seed: int, habits: Habits | None = None) -> Iterator[Step]:
    people = GinPeople(GIN, np.random.default_rng(seed), BareTable(), players=NAMES[:2], habits=habits)
    event: Event = people.start(0.0)
    state, effects = apply(new_match(GIN), event)
    while True:
        yield state, event, effects, people
        if state.phase is Phase.OVER:
            return
        event = Seen(people.area.table, event.t + 0.3) if state.phase.looks else people.act(state, event.t)
        state, effects = apply(state, event)


@pytest.mark.parametrize("seed", range(4))
def test_a_match_goes_to_a_hundred_points(seed: int) -> None:
    for state, _, _, people in play(seed):
        assert people.everything() == Counter(GIN.box.inventory())
        if state.phase is Phase.TURN and state.gin and state.gin.stage is not Stage.DEALING and not people.has_slipped:
            assert [rack.total() for rack in people.racks] == [seat.hand for seat in state.seats]
            assert people.row == state.gin.open
            assert len(people.stock) == state.stock
    assert max(state.sheet.totals) >= 100


def test_every_slip_is_refused_and_nothing_else() -> None:
    seen = Counter[GinSlip]()
    for seed in range(30):
        for state, event, effects, people in play(seed, Habits(slips=0.5)):
            lights = {effect.light for effect in effects if isinstance(effect, Lamp)}
            if not isinstance(event, Seen):
                continue
            assert people.doing is not None
            slip = people.doing.slip
            assert (Light.REFUSED in lights) == (slip is not None), people.doing.told
            if isinstance(slip, GinSlip):
                seen[slip] += 1
            assert state.gin is not None
    assert set(seen) == set(GinSlip)


def test_flawless_players_are_asked_only_what_must_be_asked() -> None:
    for _, _, effects, people in play(5, FLAWLESS):
        if Light.REFUSED in {effect.light for effect in effects if isinstance(effect, Lamp)}:
            assert people.doing is not None
            assert people.doing.slip in (GinSlip.PUT_BACK, GinSlip.WITHDRAWN)


def test_the_row_lies_in_lines() -> None:
    longest = max(len(tiles) for state, *_, people in play(1) for tiles in people.area.table[: _lines(people)])
    assert longest == LINE


def _lines(people: GinPeople) -> int:
    return -(-len(people.row) // LINE)


def test_nobody_lays_what_is_not_there() -> None:
    for _, _, _, people in play(2):
        lying = tiles_on(people.area.table)
        assert not lying - Counter(GIN.box.inventory()) - people.foreign


def test_the_same_seed_plays_the_same_match() -> None:
    one, other, third = ([event for _, event, *_ in play(seed)] for seed in (3, 3, 4))
    assert one == other
    assert one != third


@pytest.mark.parametrize(
    ("kind", "stage", "possible"),
    [
        (GinSlip.TWO_OPEN, Stage.TURN, True),
        (GinSlip.NONE_OPEN, Stage.FIRST_OFFER, True),
        (GinSlip.NONE_OPEN, Stage.MUST_DRAW, False),
        (GinSlip.FORGOTTEN, Stage.FIRST_OFFER, False),
        (GinSlip.OLDER_TAKEN, Stage.TURN, True),
        (GinSlip.OLDER_TAKEN, Stage.MUST_DRAW, False),
        (GinSlip.DRAWN_TOO_EARLY, Stage.SECOND_OFFER, True),
        (GinSlip.TAKEN_TOO_LATE, Stage.MUST_DRAW, True),
        (GinSlip.TAKEN_TOO_LATE, Stage.TURN, False),
        (GinSlip.FOREIGN, Stage.TURN, True),
    ],
)
def test_slips_belong_to_a_stage(kind: GinSlip, stage: Stage, possible: bool) -> None:
    row, hand, hidden = parse_set("R5 K2"), frozenset(parse_set("R6 R7 R8 K9")), parse_set("B1")[0]
    found = wrong_turn(GinSituation(row, hand, hidden, stage), np.random.default_rng(1), kind)
    assert (found is not None) == possible
    if found is not None:
        after, held, drew = found[1]
        extra = 1 if kind is GinSlip.FOREIGN else 0
        assert len(after) + len(held) == len(row) + len(hand) + drew + extra


def test_a_knock_with_too_high_a_rest_is_tried_now_and_then() -> None:
    for seed in range(40):
        for state, _, _, people in play(seed):
            if state.gin and state.gin.stage is Stage.TAKING_BACK:
                assert people.doing is not None
                assert people.doing.slip is GinSlip.KNOCK
                assert not may_knock([tile for pile in people.piles for tile in pile], GIN)
                return
    pytest.fail("nobody tried")
