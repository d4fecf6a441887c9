"""A table read together: from the reader's answers to what each tile may be, and how sure that is."""

from typing import Any

import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest
import told
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import BadInput
from referee.game.tiles import HIGHEST, JOKER, TILE_SETS, Colour, Tile, TileSet
from referee.vision.boxes.box import Box
from referee.vision.reading import glyphs
from referee.vision.reading.answers import EMBEDDING, Predictions
from referee.vision.reading.certainty import PARTLY_SEEN, USUAL
from referee.vision.reading.glyphs import BACK, FACES, STYLES, SUITS, usual_styles
from referee.vision.reading.inks import COLOURS
from referee.vision.reading.joint import (
    SETTLED,
    Calibration,
    Known,
    TableRead,
    are_inverted,
    candidates,
    combine_evidence,
    doubt_faded_inks,
    doubt_merged_inks,
    likeliest_numbers,
    prefer_way_up,
    read_together,
    softmax,
    suit_hints,
    tile_evidence,
    tile_named,
    too_many,
    ways_up_known,
)

Floats = npt.NDArray[np.float32]

ONE_RED = TileSet("one red", (Colour.RED, Colour.BLUE), copies=1, jokers=1)
RUMMIKUB, PIATNIK, GIN = (TILE_SETS[name] for name in ("rummikub", "piatnik", "gin"))
PLAIN = Calibration()
few = settings(max_examples=12)
warm = (drawn.ABSORBED[Colour.YELLOW] + drawn.ABSORBED[Colour.ORANGE]) / 2


def faces(**shares: float) -> Floats:
    """A row of faces: `u7` upright 7, `i7` inverted 7, `joker`, `back`, `none`."""
    row = np.zeros(FACES, np.float32)
    for name, share in shares.items():
        special = {"joker": glyphs.JOKER, "back": BACK, "none": glyphs.NONE}
        row[special[name] if name in special else int(name[1:]) - 1 + (HIGHEST if name[0] == "i" else 0)] = share
    return row


def colours(**shares: float) -> Floats:
    return np.asarray([shares.get(c.value, 0.0) for c in COLOURS], np.float32)


def read(
    answers: Predictions, box: TileSet | None = RUMMIKUB, known: Known = drawn.KNOWN, calibration: Calibration = PLAIN
) -> TableRead:
    return read_together(answers, box, known, calibration)


def best_of(table: TableRead) -> list[tuple[str, float]]:
    """The likeliest name of each tile, and how likely it is."""
    return [names[0] for names in candidates(table.faces, table.colours)]


def names_for(row: Floats, inks: Floats) -> list[tuple[str, float]]:
    """What one tile with these chances of faces (FACES,) and inks (6,) may be."""
    (names,) = candidates(row[None], inks[None])
    return names


@pytest.mark.parametrize("shown", ["back", "joker", "u7"])
def test_a_tile_that_is_cut_off_is_in_doubt_even_if_it_seems_to_lie_face_down(shown: str) -> None:
    """Its print may be on the other half, and its likeliest name stays the first."""
    row, inks = faces(**{shown: 0.9999, "u2": 0.0001})[None], colours(red=1.0)[None]
    (whole,), (cut,) = candidates(row, inks), candidates(row, inks, [USUAL.joined_with(PARTLY_SEEN)])
    assert cut[0][0] == whole[0][0]
    assert whole[0][1] > PLAIN.sure_from
    assert cut[0][1] < PLAIN.sure_from
    assert cut[1][0] == "red-2"


def names_of(table: TableRead, least: float = 0.98) -> list[str]:
    """The name of each tile, `?` where none is as likely as `least`."""
    return [name if chance >= least else "?" for name, chance in best_of(table)]


shares = st.lists(st.floats(0.01, 1), min_size=len(COLOURS), max_size=len(COLOURS)).map(
    lambda values: np.asarray(values, np.float32) / np.float32(sum(values))
)
face_rows = st.lists(st.floats(0.001, 1), min_size=FACES, max_size=FACES).map(
    lambda values: np.asarray(values, np.float32) / np.float32(sum(values))
)

FULL = "red-7 blue-7 black-7 orange-3 orange-4 joker orange-6 face-down black-13 blue-1"


def test_a_plain_table_is_named_as_it_was_told() -> None:
    found = read(told.tiles(FULL))
    assert names_of(found, 0.999) == FULL.split()
    assert found.box == RUMMIKUB
    assert STYLES[int(found.styles.argmax())].name == "numbers"


def test_evidence_of_inks_and_style_is_told_along() -> None:
    found = read(told.tiles(FULL))
    assert found.inks.colours == RUMMIKUB.colours
    assert found.inks.borne.round().tolist() == [2, 3, 2, 1]  # black, orange, blue, red; jokers and backs bear none
    assert found.styles.sum() == pytest.approx(1.0)


def test_a_letter_is_a_number_in_a_box_of_cards_only() -> None:
    parts = [told.one(sign, Colour.RED) for sign in ("A", "J", "Q", "K")] * 2
    assert names_of(read(told.table(*parts), TILE_SETS["classic"]))[:4] == ["red-1", "red-11", "red-12", "red-13"]
    lone = told.table(told.one("K"), told.tiles("red-1 blue-11 black-12 black-13 orange-13"))
    assert names_of(read(lone))[0] == "?"


def test_tiles_on_their_heads_are_named_as_well() -> None:
    found = read(told.table(*(told.tile(name, upright=False) for name in ("red-7", "blue-6", "black-11"))))
    assert names_of(found) == ["red-7", "blue-6", "black-11"]
    assert are_inverted(found.faces).all()


def test_an_ink_of_no_box_leaves_doubt_on_its_tile_alone() -> None:
    found = read(told.table(told.tiles("red-7 blue-7 black-7 orange-7"), told.one("5", (0.0, 0.6, 0.1))))
    assert names_of(found) == ["red-7", "blue-7", "black-7", "orange-7", "?"]


def test_jokers_and_backs_do_not_count_among_inks() -> None:
    odd = told.table(told.one("joker", (0.0, 0.6, 0.1)), told.one("back", (0.5, 0.1, 0.5)), told.tiles("red-7 blue-7"))
    plain = read(told.tiles("red-7 blue-7"))
    found = read(odd)
    assert names_of(found) == ["joker", "face-down", "red-7", "blue-7"]
    assert found.inks.evidence == pytest.approx(plain.inks.evidence)


def test_a_box_without_jokers_has_none_to_read() -> None:
    assert names_of(read(told.table(told.one({"joker": 0.75, "4": 0.25})), GIN)) == ["?"]
    assert best_of(read(told.table(told.one({"joker": 0.75, "4": 0.25})), GIN))[0][0] == "red-4"


def test_an_empty_table_is_read_as_such() -> None:
    nothing = told.tiles("red-1")[[]]
    for box in (RUMMIKUB, None):
        found = read(nothing, box)
        assert found.faces.shape == (0, FACES)
        assert found.colours.shape == (0, len(COLOURS))
        assert found.box == RUMMIKUB


@pytest.mark.parametrize(
    ("names", "box"),
    [
        pytest.param("orange-1 blue-2 red-3 black-4", "rummikub", id="orange"),
        pytest.param("yellow-1 blue-2 red-3 green-4", "ravensburger", id="green"),
        pytest.param("yellow-1 blue-2 red-3 black-4", "piatnik", id="yellow beside black"),
        pytest.param("joker face-down", "rummikub", id="a tie goes to the first"),
    ],
)
def test_the_inks_tell_the_box(names: str, box: str) -> None:
    found = read(told.tiles(names), None)
    assert found.box == TILE_SETS[box]
    assert names_of(found) == names.split()


def test_letters_tell_a_box_of_cards() -> None:
    inks = (Colour.YELLOW, Colour.BLUE, Colour.RED, Colour.BLACK)
    parts = [told.one(sign, ink) for sign, ink in zip("AJQK", inks, strict=True)] * 2
    assert read(told.table(*parts), None).box == TILE_SETS["classic"]


@pytest.mark.parametrize("count", [1, 5])
def test_a_warm_ink_that_boxes_name_differently_is_a_doubt_while_the_box_is_guessed(count: int) -> None:
    answers = told.table(*[told.one("7", warm)] * count, told.tiles("black-2 blue-3 red-4"))
    wide = Known(
        tuple(drawn.prior(TILE_SETS[name].colours, own=0.12) for name in ("rummikub", "ravensburger", "piatnik"))
    )
    guessed = read(answers, None, wide)
    assert names_of(guessed) == ["?"] * count + ["black-2", "blue-3", "red-4"]
    likely = {name for name, p in candidates(guessed.faces, guessed.colours)[0] if p > 0.1}
    assert likely == {"orange-7", "yellow-7"}
    for box, name in ((RUMMIKUB, "orange-7"), (PIATNIK, "yellow-7")):
        assert names_of(read(answers, box, wide))[:count] == [name] * count


def test_suits_decide_where_ink_does_not() -> None:
    known = Known((drawn.prior(PIATNIK.colours, own=0.25),))
    between = (drawn.ABSORBED[Colour.RED] + drawn.ABSORBED[Colour.YELLOW]) / 2
    bare = told.table(*[told.one("7", between)] * 4)
    suited = told.table(*[told.one("7", between, "heart")] * 4)
    assert names_of(read(bare, PIATNIK, known)) == ["?"] * 4
    assert names_of(read(suited, PIATNIK, known)) == ["red-7"] * 4


def test_one_suit_in_a_box_without_suits_counts_nothing() -> None:
    plain = told.tiles("red-7 blue-7 black-7 orange-7 red-8")
    misread = told.table(told.one("7", Colour.RED, "club"), plain[1:])
    assert names_of(read(misread)) == names_of(read(plain))
    assert read(misread).colours == pytest.approx(read(plain).colours, abs=1e-3)


def suits_row(**shares: float) -> Floats:
    return np.asarray([shares.get(suit, 0.0) for suit in SUITS], np.float32)


def test_hints_of_suits_are_chances_of_the_boxs_inks() -> None:
    seen = np.stack([suits_row(heart=1), suits_row(diamond=1), suits_row(spade=0.5, club=0.5), suits_row(none=1)])
    hints = suit_hints(seen, RUMMIKUB.colours)
    assert hints.sum(axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    black, orange, blue, red = (RUMMIKUB.colours.index(c) for c in RUMMIKUB.colours)
    assert hints[0].argmax() == red
    assert hints[1].argmax() == orange
    assert hints[2, blue] == pytest.approx(hints[2, black])
    assert hints[3] == pytest.approx([0.25] * 4, abs=0.01)


def test_a_box_without_suits_hints_at_nothing() -> None:
    seen = np.stack([suits_row(none=1)] * 9 + [suits_row(heart=1)])
    assert suit_hints(seen, RUMMIKUB.colours) == pytest.approx(np.full((10, 4), 0.25), abs=1e-3)
    assert suit_hints(seen[:0], RUMMIKUB.colours).shape == (0, 4)


def test_two_inks_that_bear_the_same_suit_are_not_told_apart_by_it() -> None:
    hints = suit_hints(np.stack([suits_row(diamond=1)] * 3), TILE_SETS["ravensburger"].colours)[0]
    yellow, green, blue, _ = hints  # yellow, green, blue, red
    assert yellow == pytest.approx(green)
    assert yellow > 10 * blue


def test_a_temperature_makes_all_chances_flatter() -> None:
    answers = told.table(told.one({"8": 0.95, "3": 0.05}), told.tiles("blue-7 black-7 orange-7"))
    cold, hot = (read(answers, calibration=Calibration(kind_temperature=t)) for t in (1.0, 3.0))
    assert hot.faces[0, 7] < cold.faces[0, 7]
    assert hot.faces[0, 2] > cold.faces[0, 2]


def test_a_larger_error_of_inks_leaves_more_doubt() -> None:
    between = 0.4 * drawn.ABSORBED[Colour.RED] + 0.6 * drawn.ABSORBED[Colour.ORANGE]
    answers = told.table(told.one("5", between), told.tiles("black-7 blue-7 red-7 orange-7"))
    sure, unsure = (best_of(read(answers, calibration=Calibration(ink_scale=s)))[0][1] for s in (1.0, 12.0))
    assert unsure < 0.98
    assert unsure < sure


def test_less_weight_for_the_evidence_leaves_the_box_more_open() -> None:
    slightly = 0.4 * drawn.ABSORBED[Colour.YELLOW] + 0.6 * drawn.ABSORBED[Colour.ORANGE]
    answers = told.table(told.one("5", slightly), told.tiles("black-7 blue-7 red-7"))
    light, heavy = (read(answers, None, calibration=Calibration(evidence_weight=w)) for w in (0.2, 1.0))
    assert best_of(heavy)[0][0] == best_of(light)[0][0] == "orange-5"
    assert best_of(light)[0][1] < best_of(heavy)[0][1] - 0.01


names = st.lists(st.sampled_from(FULL.split()), min_size=1, max_size=9)


@few
@given(names, st.randoms(use_true_random=False))
def test_the_order_of_tiles_does_not_matter(laid: list[str], random: Any) -> None:
    order = list(range(len(laid)))
    random.shuffle(order)
    one, other = read(told.tiles(" ".join(laid))), read(told.tiles(" ".join(laid))[order])
    assert other.faces == pytest.approx(one.faces[order], abs=1e-4)
    assert other.colours == pytest.approx(one.colours[order], abs=1e-4)


@few
@given(names, st.sampled_from([RUMMIKUB, None]))
def test_the_same_answers_give_the_same_table(laid: list[str], box: TileSet | None) -> None:
    one, other = (read(told.tiles(" ".join(laid)), box) for _ in range(2))
    assert np.array_equal(one.faces, other.faces)
    assert np.array_equal(one.colours, other.colours)
    assert one.box == other.box


@few
@given(names, st.sampled_from([RUMMIKUB, None]))
def test_what_is_read_are_chances(laid: list[str], box: TileSet | None) -> None:
    found = read(told.tiles(" ".join(laid)), box)
    for rows in (found.faces, found.colours):
        assert (rows >= 0).all()
        assert (rows.sum(axis=1) <= 1 + 1e-3).all()


def test_a_box_whose_inks_nobody_described_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a prior for the inks red, blue, found none"):
        drawn.KNOWN.prior_of(ONE_RED)


def test_styles_that_somebody_knows_go_before_what_is_usual() -> None:
    mine = np.asarray([style.name == "VDR" for style in STYLES], np.float32)
    assert np.array_equal(Known(drawn.KNOWN.priors, mine).styles_of([RUMMIKUB]), mine)
    usual = drawn.KNOWN.styles_of([RUMMIKUB, GIN])
    assert usual == pytest.approx((drawn.KNOWN.styles_of([RUMMIKUB]) + drawn.KNOWN.styles_of([GIN])) / 2)


def test_net_and_prototypes_that_agree_make_a_read_surer() -> None:
    both = combine_evidence(np.stack([faces(u8=0.9, u3=0.1)]), np.stack([faces(u8=0.95, u3=0.05)]))[0]
    assert both[7] > 0.97
    assert both.argmax() == 7


def test_net_and_prototypes_that_contradict_each_other_leave_doubt() -> None:
    both = combine_evidence(np.stack([faces(u8=0.999, u3=0.001)]), np.stack([faces(u3=0.999, u8=0.001)]))[0]
    assert both.sum() < 0.5


@given(face_rows, face_rows)
def test_agreement_is_never_more_than_certain(one: Floats, other: Floats) -> None:
    both = combine_evidence(one[None], other[None])
    assert (both >= 0).all()
    assert both.sum() <= 1 + 1e-4


def test_a_softmax_sums_to_one_and_a_temperature_flattens_it() -> None:
    logits = np.asarray([[2.0, 0.0, -1.0], [300.0, 0.0, 0.0]], np.float32)
    assert softmax(logits).sum(axis=1) == pytest.approx([1.0, 1.0])
    assert softmax(logits, 3.0)[0, 0] < softmax(logits)[0, 0] < softmax(logits, 0.5)[0, 0]


@pytest.mark.parametrize("score", [0.3, 0.6, 0.95])
def test_a_finder_that_is_surer_gives_more_evidence_and_a_doubting_reader_less(score: float) -> None:
    def evidence(score: float, nothing: float) -> float:
        return float(tile_evidence(np.asarray([score], np.float32), np.asarray([nothing], np.float32))[0])

    assert evidence(score + 0.04, 0.5) > evidence(score, 0.5) > evidence(score, 0.9)
    assert evidence(score, 0.5) == pytest.approx(np.log(score / (1 - score)), abs=1e-4)
    assert np.isfinite(evidence(1.0, 0.0))


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
    assert too_many(names, ONE_RED, [0.6] * len(names)) == contested


def test_a_tile_that_is_probably_another_one_contests_nothing() -> None:
    names = ["red-7", "red-7", "red-7", "blue-7"]
    assert too_many(names, ONE_RED, [0.99, 0.98, 0.2, 0.99]) == {0, 1}
    assert too_many(names, ONE_RED, [0.99, 0.4, 0.2, 0.99]) == set()


def test_an_ink_of_which_there_are_too_many_of_two_numbers_is_in_doubt_on_all_its_tiles() -> None:
    names = ["green-4", "green-4", "green-4", "green-7", "green-7", "green-7", "green-9", "blue-4", "joker"]
    inks = np.stack([colours(green=0.99, red=0.01)] * 7 + [colours(blue=1.0)] * 2)
    box = TILE_SETS["ravensburger"]
    doubted = doubt_merged_inks(inks, [names[i] for i in too_many(names, box)], box)
    assert (doubted[:7].max(axis=1) < Calibration().sure_from).all()
    assert (doubted[:7].argmax(axis=1) == COLOURS.index(Colour.GREEN)).all()
    np.testing.assert_allclose(doubted.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(doubted[7:], inks[7:])


@pytest.mark.parametrize(
    "names",
    [
        ["green-4"] * 3 + ["green-7", "green-9"],
        ["green-4"] * 3 + ["blue-7"] * 3,
        ["joker"] * 9 + ["green-7", "face-down"],
        ["green-4", "green-4", "green-7", "green-7"],
    ],
)
def test_a_single_number_too_often_leaves_its_ink_as_it_is(names: list[str]) -> None:
    inks, box = np.stack([colours(green=0.99, red=0.01)] * len(names)), TILE_SETS["ravensburger"]
    assert doubt_merged_inks(inks, [names[i] for i in too_many(names, box)], box) is inks


@pytest.mark.parametrize(
    ("names", "faint", "doubted"),
    [
        pytest.param(["green-4", "green-7", "blue-7", "red-1"], [0], [0], id="one of two greens"),
        pytest.param(["green-4", "blue-7", "red-1"], [0], [0], id="the only green"),
        pytest.param(["green-4", "green-5", "blue-7"], [0, 1], [0, 1], id="both greens, which may be two accidents"),
        pytest.param(["green-4", "green-5", "green-7", "blue-7"], [0, 1, 2], [], id="all greens: a pale ink"),
        pytest.param(["green-4", "green-5", "green-7", *["green-1"] * 3], [0, 1, 2], [0, 1, 2], id="half the greens"),
        pytest.param(["face-down", "joker", "green-4"], [0, 1], [], id="neither a back nor a joker has an ink"),
    ],
)
def test_nobody_knows_the_ink_of_a_faded_print(names: list[str], faint: list[int], doubted: list[int]) -> None:
    inks, box = np.stack([colours(green=0.99, red=0.01)] * len(names)), TILE_SETS["ravensburger"]
    seen = doubt_faded_inks(inks, names, faint, box)
    assert (seen.max(axis=1) < Calibration().sure_from).tolist() == [i in doubted for i in range(len(names))]
    np.testing.assert_allclose(seen.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(np.delete(seen, doubted, axis=0), np.delete(inks, doubted, axis=0))
    assert (seen.argmax(axis=1) == COLOURS.index(Colour.GREEN)).all()


def test_an_ink_that_the_enrolment_has_shown_to_be_pale_has_not_faded() -> None:
    names, box = ["green-4", "blue-7"], TILE_SETS["ravensburger"]
    inks = np.stack([colours(green=0.99, red=0.01), colours(blue=0.99, red=0.01)])
    light = np.asarray([[[0.1, 0.1, 0.1] if ink is Colour.GREEN else [1.0, 1.0, 1.0] for ink in box.colours]])
    ours = Box("ours", "ravensburger", box.size_mm, box.colours, "numbers", light, np.zeros(EMBEDDING, np.float32),
               np.zeros((0, EMBEDDING), np.float32), (), "reader 1")  # fmt: skip
    np.testing.assert_array_equal(doubt_faded_inks(inks, names, [0], box, ours), inks)
    assert (doubt_faded_inks(inks, names, [0, 1], box, ours).max(axis=1) < Calibration().sure_from).tolist() == [
        False, True]  # fmt: skip


def test_what_a_crop_shows_is_told_as_a_number() -> None:
    shown = told.tiles("red-4 joker face-down blue-13")
    only = usual_styles(cards=False)
    assert likeliest_numbers(shown, only, Calibration()) == [4, 0, None, 13]


@given(row=face_rows)
def test_knowing_nothing_about_the_way_up_changes_nothing(row: Floats) -> None:
    assert prefer_way_up(row[None], np.asarray([0.5]))[0] == pytest.approx(row, abs=1e-5)


@given(row=face_rows, upright=st.floats(0.01, 0.99))
def test_weighed_faces_remain_probabilities(row: Floats, upright: float) -> None:
    assert prefer_way_up(row[None], np.asarray([upright])).sum() == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(("upright", "six"), [(0.985, True), (0.015, False)], ids=["upright", "on its head"])
def test_the_way_up_tells_a_six_from_a_nine(upright: float, six: bool) -> None:
    weighed = prefer_way_up(faces(u6=0.5, i9=0.5)[None], np.asarray([upright]))
    assert (candidates(weighed, colours(red=1.0)[None])[0][0][0] == "red-6") is six


def test_the_way_up_says_nothing_about_jokers() -> None:
    weighed = prefer_way_up(faces(joker=0.6, back=0.4)[None], np.asarray([0.985]))[0]
    assert weighed[glyphs.JOKER] / weighed[BACK] == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("row", "inverted", "known"),
    [
        pytest.param(faces(u7=0.99), False, True, id="upright"),
        pytest.param(faces(i7=0.99), True, True, id="on its head"),
        pytest.param(faces(u6=0.6, i9=0.4), False, False, id="6 or 9"),
        pytest.param(faces(i1=0.5, i7=0.49), True, True, id="two numbers, both on their heads"),
        pytest.param(faces(joker=1.0), False, False, id="joker"),
    ],
)
def test_a_number_read_surely_tells_the_way_up(row: Floats, inverted: bool, known: bool) -> None:
    assert are_inverted(row[None]).tolist() == [inverted]
    assert ways_up_known(row[None]).tolist() == [known]


@given(row=face_rows, inks=shares)
def test_candidates_come_likeliest_first_and_never_exceed_one(row: Floats, inks: Floats) -> None:
    found = [p for _, p in names_for(row, inks)]
    assert found == sorted(found, reverse=True)
    assert 1 <= len(found) <= 5
    assert sum(found) <= 1 + 1e-4


@given(row=face_rows, inks=shares)
def test_candidates_are_different_tiles(row: Floats, inks: Floats) -> None:
    names = [name for name, _ in names_for(row, inks)]
    assert len(set(names)) == len(names)


def test_both_ways_up_of_a_number_count_together() -> None:
    found = names_for(faces(u8=0.3, i8=0.3, u3=0.4), colours(red=0.9, blue=0.1))
    assert found[:2] == [("red-8", pytest.approx(0.54)), ("red-3", pytest.approx(0.36))]


def test_a_joker_and_a_back_have_no_colour() -> None:
    found = names_for(faces(joker=0.7, back=0.3), colours(red=1.0))
    assert found == [("joker", pytest.approx(0.7)), ("face-down", pytest.approx(0.3))]


def test_what_cannot_be_is_no_candidate() -> None:
    assert names_for(faces(u2=1.0), colours(blue=1.0)) == [("blue-2", 1.0)]


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
            {"kind_temperature": 1.5, "suit_temperature": 2, "ink_scale": 1.2, "evidence_weight": 0.6,
             "sure_from": 0.9, "file": "reader.onnx"},
            Calibration(1.5, 2.0, 1.2, 0.6, 0.9),
            id="all said",
        ),
    ],
)  # fmt: skip
def test_the_calibration_comes_from_the_description(table: dict[str, Any], expected: Calibration) -> None:
    assert Calibration.from_description(table) == expected


def test_a_box_that_is_settled_leaves_no_ink_that_it_has_not() -> None:
    """From orange to yellow, step by step: the other name is as good as gone, or a real chance, never in between."""
    orange, yellow = drawn.ABSORBED[Colour.ORANGE], drawn.ABSORBED[Colour.YELLOW]
    plain = [told.tile(name) for name in ("black-1", "black-2", "blue-1", "blue-2", "red-1", "red-2")]
    least = []
    for step in np.linspace(0, 1, 41):
        ink = orange + step * (yellow - orange)
        tiles = told.table(*plain, *(told.tile(f"orange-{n}", ink=ink) for n in (7, 8)))
        colours = read_together(tiles, None, drawn.KNOWN, Calibration()).colours[-1]
        shares = colours[[COLOURS.index(Colour.ORANGE), COLOURS.index(Colour.YELLOW)]]
        least.append(float(shares.min()))
    settled = [share for share in least if share < 1e-4]
    assert len(settled) > 10
    assert all(share >= 0.9 * (1 - SETTLED) for share in least if share >= 1e-4)
    assert any(share >= 1e-4 for share in least)
