"""From the reader's answers to what a tile may be, and how sure that is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import BadInput
from referee.game.tiles import HIGHEST, JOKER, TILE_SETS, Colour, Tile, TileSet
from referee.vision import crops
from referee.vision.read import (
    BACK_KIND,
    BATCH,
    COLOURS,
    COLUMNS,
    INVERTED,
    JOKER_KIND,
    KINDS,
    NONE_KIND,
    Belief,
    Calibration,
    answers,
    believe,
    candidates,
    guess_tile_set,
    is_inverted,
    joined_logits,
    prefer_way_up,
    restrict,
    straighten,
    tile_named,
    too_many,
    way_up_known,
)

Floats = npt.NDArray[np.float32]

ONE_RED = TileSet("one red", (Colour.RED, Colour.BLUE), copies=1, jokers=1)


def kinds(**shares: float) -> Floats:
    """A row of kinds: `u7` upright 7, `i7` inverted 7, `joker`, `back`, `none`."""
    row = np.zeros(KINDS, np.float32)
    for name, share in shares.items():
        special = {"joker": JOKER_KIND, "back": BACK_KIND, "none": NONE_KIND}
        row[special[name] if name in special else int(name[1:]) - 1 + (INVERTED if name[0] == "i" else 0)] = share
    return row


def colours(**shares: float) -> Floats:
    return np.asarray([shares.get(c.value, 0.0) for c in COLOURS], np.float32)


def belief(*rows: tuple[Floats, Floats]) -> Belief:
    return Belief(np.stack([k for k, _ in rows]), np.stack([c for _, c in rows]))


SEVEN = kinds(u7=1.0)
shares = st.lists(st.floats(0.01, 1), min_size=len(COLOURS), max_size=len(COLOURS)).map(
    lambda values: np.asarray(values, np.float32) / np.float32(sum(values))
)
kind_rows = st.lists(st.floats(0.001, 1), min_size=KINDS, max_size=KINDS).map(
    lambda values: np.asarray(values, np.float32) / np.float32(sum(values))
)


@pytest.mark.parametrize(
    ("box", "seen", "expected"),
    [
        pytest.param("rummikub", {"yellow": 0.7, "orange": 0.3}, {"orange": 1.0}, id="orange takes yellow"),
        pytest.param("piatnik", {"yellow": 0.3, "orange": 0.7}, {"yellow": 1.0}, id="yellow takes orange"),
        pytest.param("piatnik", {"red": 0.8, "blue": 0.2}, {"red": 0.8, "blue": 0.2}, id="others stay"),
        pytest.param("rummikub", {"red": 0.6, "orange": 0.3, "yellow": 0.1}, {"red": 0.6, "orange": 0.4}, id="split"),
    ],
)
def test_the_boxs_one_warm_ink_takes_what_looked_yellow_or_orange(
    box: str, seen: dict[str, float], expected: dict[str, float]
) -> None:
    found = restrict(belief((SEVEN, colours(**seen))), TILE_SETS[box])
    assert found.colours[0] == pytest.approx(colours(**expected), abs=1e-5)


def test_a_box_with_both_warm_inks_keeps_them_apart() -> None:
    seen = colours(yellow=0.7, orange=0.3)
    both = TileSet("both", (Colour.YELLOW, Colour.ORANGE))
    assert restrict(belief((SEVEN, seen)), both).colours[0] == pytest.approx(seen, abs=1e-5)


def test_an_ink_the_box_does_not_have_leaves_doubt_behind() -> None:
    found = restrict(belief((SEVEN, colours(green=0.95, blue=0.05))), TILE_SETS["rummikub"])
    assert found.colours[0][COLOURS.index(Colour.GREEN)] == 0
    assert 0 < found.colours[0].sum() < 0.5


@given(seen=shares, name=st.sampled_from(sorted(TILE_SETS)))
def test_a_restricted_belief_holds_only_the_boxs_inks(seen: Floats, name: str) -> None:
    found = restrict(belief((SEVEN, seen)), TILE_SETS[name]).colours[0]
    inside = np.asarray([c in TILE_SETS[name].colours for c in COLOURS])
    assert (found[~inside] == 0).all()
    assert found.sum() <= 1 + 1e-5


def test_a_box_without_jokers_has_none_to_read() -> None:
    found = restrict(belief((kinds(joker=0.75, u4=0.25), colours(red=1.0))), TILE_SETS["gin"])
    assert found.kinds[0] == pytest.approx(kinds(u4=1.0))


def test_restricting_does_not_change_what_was_believed() -> None:
    before = belief((kinds(joker=1.0), colours(yellow=1.0)))
    restrict(before, TILE_SETS["gin"])
    assert before.kinds[0][JOKER_KIND] == 1.0
    assert before.colours[0][COLOURS.index(Colour.YELLOW)] == 1.0


@pytest.mark.parametrize(
    ("inks", "box"),
    [
        pytest.param("black blue red orange", "rummikub", id="orange"),
        pytest.param("yellow green blue red", "ravensburger", id="green"),
        pytest.param("black blue red yellow", "piatnik", id="yellow beside black"),
        pytest.param("blue red", "rummikub", id="a tie goes to the first"),
    ],
)
def test_the_inks_tell_the_box(inks: str, box: str) -> None:
    rows = [(SEVEN, colours(**{ink: 0.97, "black": 0.03} if ink != "black" else {ink: 1.0})) for ink in inks.split()]
    assert guess_tile_set(belief(*rows)) == TILE_SETS[box]


def test_inks_of_jokers_and_backs_tell_nothing() -> None:
    found = guess_tile_set(belief((kinds(joker=1.0), colours(green=1.0)), (kinds(back=1.0), colours(green=1.0))))
    assert found == TILE_SETS["rummikub"]


def test_an_empty_table_is_taken_for_the_first_box() -> None:
    nothing = Belief(np.zeros((0, KINDS), np.float32), np.zeros((0, len(COLOURS)), np.float32))
    assert guess_tile_set(nothing) == TILE_SETS["rummikub"]


@pytest.mark.parametrize(
    ("names", "contested"),
    [
        pytest.param([], set(), id="nothing"),
        pytest.param(["red-7", "blue-7"], set(), id="one of each"),
        pytest.param(["red-7", "blue-7", "red-7"], {0, 2}, id="a second of one"),
        pytest.param(["joker", "joker"], {0, 1}, id="a second joker"),
        pytest.param(["green-3"], {0}, id="an ink of another box"),
        pytest.param(["face-down"] * 5, set(), id="backs do not count"),
    ],
)
def test_more_of_a_tile_than_the_box_holds_is_contested(names: list[str], contested: set[int]) -> None:
    assert too_many(names, ONE_RED) == contested


@given(kinds=kind_rows)
def test_knowing_nothing_about_the_way_up_changes_nothing(kinds: Floats) -> None:
    assert prefer_way_up(kinds, 0.5) == pytest.approx(kinds, abs=1e-5)


@given(kinds=kind_rows, upright=st.floats(0.01, 0.99))
def test_weighed_kinds_remain_probabilities(kinds: Floats, upright: float) -> None:
    assert prefer_way_up(kinds, upright).sum() == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(("upright", "six"), [(0.985, True), (0.015, False)], ids=["upright", "on its head"])
def test_the_way_up_tells_a_six_from_a_nine(upright: float, six: bool) -> None:
    weighed = prefer_way_up(kinds(u6=0.5, i9=0.5), upright)
    assert (candidates(weighed, colours(red=1.0))[0][0] == "red-6") is six


def test_the_way_up_says_nothing_about_jokers() -> None:
    weighed = prefer_way_up(kinds(joker=0.6, back=0.4), 0.985)
    assert weighed[JOKER_KIND] / weighed[BACK_KIND] == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("row", "inverted", "known"),
    [
        pytest.param(kinds(u7=0.99), False, True, id="upright"),
        pytest.param(kinds(i7=0.99), True, True, id="on its head"),
        pytest.param(kinds(u6=0.6, i9=0.4), False, False, id="6 or 9"),
        pytest.param(kinds(i1=0.5, i7=0.49), True, True, id="two numbers, both on their heads"),
        pytest.param(kinds(joker=1.0), False, False, id="joker"),
    ],
)
def test_a_number_read_surely_tells_the_way_up(row: Floats, inverted: bool, known: bool) -> None:
    assert is_inverted(row) is inverted
    assert way_up_known(row) is known


@given(kinds=kind_rows, colours=shares)
def test_candidates_come_likeliest_first_and_never_exceed_one(kinds: Floats, colours: Floats) -> None:
    found = [p for _, p in candidates(kinds, colours)]
    assert found == sorted(found, reverse=True)
    assert 1 <= len(found) <= 5
    assert sum(found) <= 1 + 1e-4


@given(kinds=kind_rows, colours=shares)
def test_candidates_are_different_tiles(kinds: Floats, colours: Floats) -> None:
    names = [name for name, _ in candidates(kinds, colours)]
    assert len(set(names)) == len(names)


def test_both_ways_up_of_a_number_count_together() -> None:
    found = candidates(kinds(u8=0.3, i8=0.3, u3=0.4), colours(red=0.9, blue=0.1))
    assert found[:2] == [("red-8", pytest.approx(0.54)), ("red-3", pytest.approx(0.36))]


def test_a_joker_and_a_back_have_no_colour() -> None:
    found = candidates(kinds(joker=0.7, back=0.3), colours(red=1.0))
    assert found == [("joker", pytest.approx(0.7)), ("face-down", pytest.approx(0.3))]


def test_what_cannot_be_is_no_candidate() -> None:
    assert candidates(kinds(u2=1.0), colours(blue=1.0)) == [("blue-2", 1.0)]


@pytest.mark.parametrize(
    ("name", "tile"), [("red-7", Tile(7, Colour.RED)), ("joker", JOKER), ("face-down", None)], ids=str
)
def test_long_names_are_read_back(name: str, tile: Tile | None) -> None:
    assert tile_named(name) == tile


def test_an_unknown_long_name_is_refused() -> None:
    with pytest.raises(BadInput, match="purple-7"):
        tile_named("purple-7")


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param({}, Calibration(), id="nothing said"),
        pytest.param(
            {"kind_temperature": 1.5, "colour_temperature": 2, "sure_from": 0.9, "file": "reader.onnx"},
            Calibration(1.5, 2.0, 0.9),
            id="all said",
        ),
    ],
)
def test_the_calibration_comes_from_the_description(table: dict[str, Any], expected: Calibration) -> None:
    assert Calibration.from_description(table) == expected


@pytest.mark.parametrize(
    ("kind_shape", "colour_shape"),
    [((2, KINDS - 1), (2, 6)), ((2, KINDS), (3, 6)), ((2, KINDS), (2, 5))],
    ids=["a kind too few", "another count", "a colour too few"],
)
def test_a_belief_of_another_shape_is_refused(kind_shape: tuple[int, int], colour_shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Belief(np.zeros(kind_shape, np.float32), np.zeros(colour_shape, np.float32))


def test_a_belief_can_be_thinned_out() -> None:
    whole = belief((kinds(u1=1.0), colours(red=1.0)), (kinds(u2=1.0), colours(blue=1.0)))
    part = whole[np.asarray([1])]
    assert part.kinds[0][1] == 1.0
    assert part.colours[0][COLOURS.index(Colour.BLUE)] == 1.0


def ink(marks: list[float]) -> Floats:
    """Crops with a number written at their top left pixel."""
    made = np.zeros((len(marks), 3, crops.HEIGHT, crops.WIDTH), np.float32)
    made[:, 0, 0, 0] = marks
    return made


def reading_by(rule: Callable[[Floats], Floats], sizes: list[int] | None = None) -> Callable[[Any], tuple[Any, ...]]:
    """A model that answers for each crop what `rule` says."""

    def model(array: Floats) -> tuple[Floats, ...]:
        if sizes is not None:
            sizes.append(len(array))
        return (np.stack([rule(crop) for crop in array]),)

    return model


def answer(kind: int = 0, colour: int = 0, shifts: Floats | None = None, strength: float = 10.0) -> Floats:
    row = np.zeros(COLUMNS + 8, np.float32)
    row[kind] = row[KINDS + colour] = strength
    if shifts is not None:
        row[COLUMNS:] = shifts
    return row


@pytest.mark.parametrize("count", [0, 1, BATCH, BATCH + 1, 2 * BATCH + 3])
def test_crops_are_read_in_small_batches_and_stay_in_order(count: int) -> None:
    sizes: list[int] = []
    found = answers(reading_by(lambda crop: answer(strength=crop[0, 0, 0]), sizes), ink(list(range(count))))
    assert found.shape == (count, COLUMNS + 8)
    assert found[:, 0].tolist() == list(range(count))
    assert all(0 < size <= BATCH for size in sizes)


def seen_on_its_head(kind: int) -> int:
    return kind if kind >= 2 * HIGHEST else (kind + HIGHEST) % (2 * HIGHEST)


@pytest.mark.parametrize("kind", [0, 5, 12, INVERTED, INVERTED + 8, JOKER_KIND, BACK_KIND, NONE_KIND])
def test_the_answer_to_the_crop_on_its_head_is_turned_back(kind: int) -> None:
    def rule(crop: Floats) -> Floats:
        upright = crop[0, 0, 0] == 1.0
        return answer(kind if upright else seen_on_its_head(kind), colour=3)

    found = joined_logits(reading_by(rule), ink([1.0]))
    assert found.shape == (1, COLUMNS)
    assert found[0] == pytest.approx(answer(kind, colour=3)[:COLUMNS])


def test_two_answers_that_contradict_each_other_share_the_belief() -> None:
    found = joined_logits(reading_by(lambda _: answer(5)), ink([1.0]))[0]  # an upright 6, also on its head
    assert found[5] == pytest.approx(5.0)
    assert found[INVERTED + 5] == pytest.approx(5.0)


def picture_and_quad() -> tuple[npt.NDArray[np.uint8], Floats]:
    corners = np.asarray([[[20, 20], [60, 20], [60, 80], [20, 80]]], np.float32)
    return np.full((100, 90, 3), 200, np.uint8), corners


@pytest.mark.parametrize(("temperature", "sharper"), [(0.5, True), (2.0, False)], ids=["cold", "warm"])
def test_a_temperature_sharpens_or_softens_the_belief(temperature: float, sharper: bool) -> None:
    picture, corners = picture_and_quad()
    model = reading_by(lambda _: answer(JOKER_KIND, 2, strength=2.0))
    plain = believe(model, picture, corners, Calibration())
    changed = believe(model, picture, corners, Calibration(temperature, temperature))
    assert bool(changed.kinds[0, JOKER_KIND] > plain.kinds[0, JOKER_KIND]) is sharper
    assert bool(changed.colours[0, 2] > plain.colours[0, 2]) is sharper


def test_a_belief_sums_to_one() -> None:
    picture, corners = picture_and_quad()
    found = believe(reading_by(lambda _: answer(3, 1, strength=30.0)), picture, corners, Calibration())
    assert found.kinds.sum() == pytest.approx(1.0, abs=1e-5)
    assert found.colours.sum() == pytest.approx(1.0, abs=1e-5)


def test_corners_move_to_where_the_reader_sees_them() -> None:
    picture, corners = picture_and_quad()
    exact = corners + np.asarray([[2.0, -1.5], [1.0, 0.5], [-1.0, 2.0], [0.0, 1.0]], np.float32)
    shifts = crops.shifts_between(corners, exact)[0]
    assert straighten(reading_by(lambda _: answer(shifts=shifts)), picture, corners) == pytest.approx(exact, abs=0.02)


def test_no_corners_are_straightened_to_none() -> None:
    picture, _ = picture_and_quad()
    nothing = np.zeros((0, 4, 2), np.float32)
    assert straighten(reading_by(lambda _: answer()), picture, nothing).shape == (0, 4, 2)
