from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import Ask, Effect, Event, PutRight, Seen, Show, TimeUp
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import parse_table
from referee.game.rulebooks import RULESETS, Ruleset
from referee.game.tiles import TILE_SETS, Tile
from referee.sim.match import FLAWLESS, NAMES, Habits, VirtualMatch
from referee.sim.players.wrong_turns import Slip
from referee.sim.scene.camera import Camera
from referee.sim.table import Setting, VirtualTable
from referee.vision.geometry.markers import locate

RULES = [RULESETS["ravensburger"], RULESETS["rummikub"]]
EVERY_BOOK = list(RULESETS.values())
PLAYERS = [(rules, number) for rules in EVERY_BOOK for number in range(rules.players[0], rules.players[1] + 1)]

Step = tuple[State, Event, tuple[Effect, ...]]


def play(match: VirtualMatch, most: int = 2000) -> Iterator[Step]:
    """The whole match, with eyes that see the truth."""
    event: Event = match.start(0.0)
    state, effects = apply(new_match(match.rules), event)
    for _ in range(most):
        yield state, event, effects
        if state.phase is Phase.OVER:
            return
        event = Seen(match.table.table, event.t + 0.3) if state.phase.looks else match.act(state, event.t)
        state, effects = apply(state, event)
        match.follow_effects(effects)
    pytest.fail(f"the match did not end within {most} events")


def everything(match: VirtualMatch) -> Counter[Tile]:
    return match.people.everything()


def virtual(rules: Ruleset, seed: int, **options: object) -> VirtualMatch:
    return VirtualMatch(rules, np.random.default_rng(seed), **options)


@pytest.mark.parametrize(("rules", "players"), PLAYERS, ids=lambda value: getattr(value, "name", value))
def test_a_match_runs_to_its_end_and_no_tile_is_lost(rules: Ruleset, players: int) -> None:
    match = virtual(rules, players, players=NAMES[:players], rounds=2 if players == 4 else 1)

    for state, _, effects in play(match):
        assert everything(match) == Counter(rules.box.inventory())
        for effect in effects:
            if isinstance(effect, Show):
                assert match.last_action is not None
                assert effect.verdict.accepted == (match.last_action.slip is None), match.last_action.told
        if state.phase is Phase.TURN and match.table.table == state.table and rules.knocking is None:
            assert [rack.total() for rack in match.racks] == [seat.hand for seat in state.seats]
            assert len(match.people.stock) == state.stock

    assert len(state.sheet.rounds) == match.rounds or rules.knocking is not None
    assert state.sheet.rounds


def test_hands_are_shown_as_they_were() -> None:
    match = virtual(RULES[0], 5)
    hands: list[Counter[Tile]] = []

    for state, _, _ in play(match):
        if state.phase is Phase.SHOWING and not hands:
            hands = [rack.copy() for rack in match.racks]

    assert [Counter(seat.shown or ()) for seat in state.seats] == hands


def test_flawless_players_are_never_refused() -> None:
    match = virtual(RULES[1], 6, habits=FLAWLESS)

    verdicts = [e.verdict for _, _, effects in play(match) for e in effects if isinstance(e, Show)]

    assert len(verdicts) > 20
    assert all(verdict.accepted for verdict in verdicts)


@pytest.mark.parametrize("rules", RULES, ids=lambda r: r.name)
def test_people_who_run_out_of_time_put_the_table_right(rules: Ruleset) -> None:
    match = virtual(rules, 7, habits=Habits(time_outs=0.5))
    steps = []
    for step in play(match):
        steps.append(step)
        if len(steps) > 120:
            break

    late = [i for i, (_, event, _) in enumerate(steps) if isinstance(event, TimeUp)]
    righted = [i for i, (_, _, effects) in enumerate(steps) if any(isinstance(e, PutRight) for e in effects)]
    assert late
    assert righted
    assert steps[righted[0] + 1][0].phase is Phase.CHECKING
    assert steps[righted[0] + 2][0].phase is Phase.TURN


def test_the_same_seed_plays_the_same_match() -> None:
    def first(seed: int) -> list[Event]:
        return [event for (_, event, _), _ in zip(play(virtual(RULES[0], seed)), range(40), strict=False)]

    assert first(3) == first(3)
    assert first(3) != first(4)


def test_players_straighten_what_cannot_be_read() -> None:
    match = virtual(RULES[0], 5, habits=FLAWLESS)
    steps = play(match)
    state = next(s for s, _, _ in steps if s.phase is Phase.LOOKING and match.table.table)
    before = match.table.layout

    state, effects = apply(state, Seen(match.table.table, 1e4, doubts=(Doubt("a place"),)))
    match.follow_effects(effects)

    assert any(isinstance(effect, Ask) for effect in effects)
    assert match.table.table == before.table
    assert match.table.layout != before
    assert match.act(state, 1e4).t > 1e4


def test_a_hand_counted_wrongly_is_shown_again() -> None:
    match = virtual(RULES[0], 5)
    state = next(s for s, _, _ in play(match) if s.phase is Phase.COUNTING)
    shown = match.table.table

    state, _ = apply(state, Seen(shown[:-1], 1e5))
    event = match.act(state, 1e5)

    assert state.phase is Phase.SHOWING
    assert match.table.table == shown
    assert apply(state, event)[0].phase is Phase.COUNTING


def test_nobody_acts_while_the_referee_looks() -> None:
    match = virtual(RULES[0], 5)
    state = next(s for s, _, _ in play(match) if s.phase is Phase.LOOKING)

    with pytest.raises(BadInput, match="looking"):
        match.act(state, 0.0)


def test_too_many_players_are_refused() -> None:
    with pytest.raises(BadInput, match="got 5"):
        virtual(RULES[0], 1, players=("a", "b", "c", "d", "e"))


@pytest.fixture
def shrunk() -> Callable[[Setting], Setting]:
    def shrink(setting: Setting) -> Setting:
        camera: Camera = replace(setting.camera, width_px=768, height_px=432)
        return replace(setting, camera=camera)

    return shrink


def test_the_picture_shows_racks_hands_and_tiles(shrunk: Callable[[Setting], Setting]) -> None:
    match = virtual(RULES[1], 8, setting=shrunk(Setting.usual(RULES[1].box)))
    for state, _, _ in play(match):
        if state.phase is Phase.LOOKING and len(match.table.layout.tiles) > 12:
            break

    plain, reaching = match.picture(), match.picture(hand=True)

    assert plain.shape == (432, 768, 3)
    assert (np.abs(plain.astype(int) - reaching).max(axis=2) > 40).mean() > 0.01
    assert match.table.corners_px().shape == (len(match.table.layout.tiles), 4, 2)


@pytest.mark.parametrize("seed", range(6))
def test_any_room_keeps_the_markers_in_view(seed: int, shrunk: Callable[[Setting], Setting]) -> None:
    rng = np.random.default_rng(seed)
    setting = Setting.any(RULES[seed % 2].box, rng)

    corners = np.float32([[-31, -31], [931, -31], [931, 631], [-31, 631]])
    seen = setting.camera.project_flat(corners)

    assert (seen > 2).all()
    assert (seen < [setting.camera.width_px - 2, setting.camera.height_px - 2]).all()
    assert VirtualTable(shrunk(setting), rng).picture().std() > 5


@pytest.mark.parametrize("seed", range(3))
def test_the_markers_tell_where_the_tops_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    box = RULES[seed % 2].box
    table = VirtualTable(Setting.any(box, rng), rng)
    table.lay(tuple((tile,) * 3 for tile in list(box.inventory())[:20]))

    located = locate(table.picture(), table.setting.table_mm)

    assert located is not None
    tops = np.concatenate([tile.corners(box.size_mm[:2]) for tile in table.layout.tiles])
    expected = table.corners_px().reshape(-1, 2)
    assert np.abs(located.pose.on_plane(tops, box.size_mm[2]) - expected).max() < 2.0


def test_tiles_that_are_laid_anew_are_the_same_ones_elsewhere() -> None:
    table = VirtualTable(Setting.usual(TILE_SETS["rummikub"]), np.random.default_rng(3))
    table.lay(parse_table("R1 R2 R3 | B7 K7 O7 | **"))
    lay, where = table.table, [tile.x_mm for row in table.layout.rows for tile in row.placed]
    table.lay_anew()
    assert table.table == lay
    assert [tile.x_mm for row in table.layout.rows for tile in row.placed] != where


@pytest.mark.parametrize("rules", RULES, ids=lambda r: r.name)
def test_a_tile_of_another_box_does_not_come_to_the_hand_when_the_time_is_up(rules: Ruleset) -> None:
    match = virtual(rules, 3, habits=Habits(slips=0.9, time_outs=0.0))
    seen = 0
    for state, event, _ in play_until_late(match):
        if state.phase is Phase.TURN and isinstance(event, Seen):
            seen += 1
            assert [rack.total() for rack in match.racks] == [seat.hand for seat in state.seats]
            assert not match.people.foreign
    assert seen


def play_until_late(match: VirtualMatch) -> Iterator[Step]:
    """A match in which the time is up just after somebody has tried a tile of another box; what comes of that."""
    event: Event = match.start(0.0)
    state, effects = apply(new_match(match.rules), event)
    late = 0
    for _ in range(1500):
        doing = match.last_action
        tried = state.phase is Phase.TURN and doing is not None and doing.slip is Slip.FOREIGN and state.clock.deadline
        if state.phase is Phase.OVER or late > 2:
            return
        if tried and Show in map(type, effects):
            event, late = TimeUp(state.clock.deadline), late + 1
        elif state.phase.looks:
            event = Seen(match.table.table, event.t + 0.3)
        else:
            event = match.act(state, event.t)
        before = state.phase
        state, effects = apply(state, event)
        match.follow_effects(effects)
        if before is Phase.CHECKING:
            yield state, event, effects
