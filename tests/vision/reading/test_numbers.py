"""Numbers of a whole table: which glyphs the box prints tells what a glyph can be."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
import told
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.tiles import HIGHEST
from referee.vision.reading.glyphs import (
    BACK,
    FACES,
    GLYPHS,
    JOKER,
    KINDS,
    NONE,
    STYLES,
    faces_of,
    style_chances,
    usual_styles,
)

Floats = npt.NDArray[np.float32]

NUMBERS, CARDS = usual_styles(cards=False), usual_styles(cards=True)
few = settings(max_examples=30)


def plain(signs: str) -> list[Floats]:
    """Crops read beyond doubt: `11`, `B`, `6^`, `joker`."""
    return [np.eye(KINDS, dtype=np.float32)[told.kind_of(sign)] for sign in signs.split()]


def style_of(rows: Sequence[Floats], before: Floats = NUMBERS) -> tuple[str, float]:
    chances = style_chances(np.stack(rows), before)
    best = int(chances.argmax())
    return STYLES[best].name, float(chances[best])


def number_of(row: Floats, others: Sequence[Floats], before: Floats = NUMBERS) -> tuple[int, float]:
    """The likeliest number of one crop among others, and how likely it is."""
    kinds = np.stack([row, *others])
    faces = faces_of(kinds, style_chances(kinds, before))[0]
    numbers = faces[:HIGHEST] + faces[HIGHEST : 2 * HIGHEST]
    return int(numbers.argmax()) + 1, float(numbers.max())


def chances_of(style: str) -> Floats:
    return np.asarray([s.name == style for s in STYLES], np.float32)


@pytest.mark.parametrize(("before", "cards"), [(NUMBERS, False), (CARDS, True)], ids=["numbers", "cards"])
def test_before_anything_is_seen_the_kind_of_box_tells_the_style(before: Floats, cards: bool) -> None:
    lettered = np.asarray([style.cards for style in STYLES])
    assert before.sum() == pytest.approx(1.0)
    assert (before > 0).all()
    assert bool(before[lettered].sum() > 0.5) is cards


@pytest.mark.parametrize(
    ("signs", "style"),
    [
        pytest.param("1 11 12 13 11 7", "numbers", id="numbers"),
        pytest.param("A J Q K J 7", "AJQK", id="English court"),
        pytest.param("A B D K B 7^", "ABDK", id="German court"),
        pytest.param("1 V D R V 7", "VDR", id="French court with a one"),
        pytest.param("B^ D^ K^ A^ 7", "ABDK", id="on their heads"),
    ],
)
@pytest.mark.parametrize("before", [NUMBERS, CARDS], ids=["box of numbers", "box of cards"])
def test_plain_signs_tell_the_style(signs: str, style: str, before: Floats) -> None:
    assert style_of(plain(signs) * 2, before) == (style, pytest.approx(1.0, abs=0.01))


def test_a_k_alone_leaves_english_and_german_cards_open() -> None:
    chances = style_chances(np.stack(plain("K K A A")), CARDS)
    named = {style.name: float(p) for style, p in zip(STYLES, chances, strict=True)}
    assert named["AJQK"] == pytest.approx(named["ABDK"])
    assert named["AJQK"] + named["ABDK"] > 0.95


def test_a_table_without_telling_signs_leaves_the_style_as_it_was() -> None:
    assert style_chances(np.stack(plain("2 3 4^ 10 joker back")), NUMBERS) == pytest.approx(NUMBERS, abs=1e-4)
    assert style_chances(np.zeros((0, KINDS), np.float32), CARDS) == pytest.approx(CARDS, abs=1e-4)


@pytest.mark.parametrize("odd", ["B", "J", "A^", "K"])
def test_a_single_odd_tile_does_not_switch_the_style(odd: str) -> None:
    style, chance = style_of([*plain("1 11 12 13 7 8"), *plain(odd)])
    assert style == "numbers"
    assert chance > 0.98


def test_the_odd_tile_itself_is_not_named_beyond_doubt() -> None:
    assert number_of(plain("B")[0], plain("1 11 12 13 7 8"))[1] < 0.5


def test_a_b_beside_an_eight_is_an_eight_in_a_box_of_numbers() -> None:
    number, chance = number_of(told.kinds(u8=0.6, uB=0.4), plain("1 11 12 13 5 6"))
    assert number == 8
    assert chance > 0.9


def test_a_b_beside_an_eight_is_an_eleven_where_plain_b_d_and_k_lie_around() -> None:
    number, chance = number_of(told.kinds(u8=0.02, uB=0.98), plain("A B D K B D^ 7"))
    assert number == 11
    assert chance > 0.97


def test_a_b_that_may_be_an_eight_stays_a_doubt_in_a_box_that_prints_both() -> None:
    number, chance = number_of(told.kinds(u8=0.4, uB=0.6), plain("A B D K B D^ 7"))
    assert number == 11
    assert chance == pytest.approx(0.6, abs=0.02)


def test_an_eleven_cannot_be_a_ten_and_a_j_at_once() -> None:
    seen = told.kinds(u10=0.9, uJ=0.1)
    assert number_of(seen, plain("1 11 12 13"))[1] > 0.98
    assert number_of(seen, plain("A J Q K"))[1] == pytest.approx(0.9, abs=0.02)


def test_both_styles_count_where_the_style_is_open() -> None:
    half = np.asarray([0.5 * (s.name in ("numbers", "ABDK")) for s in STYLES], np.float32)
    faces = faces_of(np.stack(plain("B 11 8")), half)
    assert faces[0, 10] == pytest.approx(0.5, abs=1e-3)
    assert faces[1, 10] == pytest.approx(0.5, abs=1e-3)
    assert faces[2, 7] == pytest.approx(1.0, abs=1e-3)


def test_what_a_style_does_not_print_leaves_doubt_behind() -> None:
    assert faces_of(np.stack(plain("B")), chances_of("numbers")).sum() < 0.1


def test_what_looks_like_a_letter_in_a_box_of_numbers_is_no_back() -> None:
    """The network takes an 11 that is outlined askew for an A, and the little that is left for a back."""
    kinds = 0.95 * np.stack(plain("A")) + 0.05 * np.stack(plain("back"))
    assert faces_of(kinds.astype(np.float32), chances_of("numbers"))[0, BACK] < 0.2


@pytest.mark.parametrize("style", [s.name for s in STYLES])
def test_each_sign_of_a_style_is_its_number_both_ways_up(style: str) -> None:
    glyphs = next(s for s in STYLES if s.name == style).glyphs
    upright = faces_of(np.stack(plain(" ".join(GLYPHS[g] for g in glyphs))), chances_of(style))
    inverted = faces_of(np.stack(plain(" ".join(f"{GLYPHS[g]}^" for g in glyphs))), chances_of(style))
    assert upright.argmax(axis=1).tolist() == list(range(HIGHEST))
    assert inverted.argmax(axis=1).tolist() == list(range(HIGHEST, 2 * HIGHEST))
    assert min(upright.max(axis=1).min(), inverted.max(axis=1).min()) == pytest.approx(1.0)


def test_jokers_backs_and_nothing_are_no_numbers() -> None:
    faces = faces_of(np.stack(plain("joker back none")), NUMBERS)
    assert faces.argmax(axis=1).tolist() == [JOKER, BACK, NONE]
    assert faces.max(axis=1) == pytest.approx([1.0, 1.0, 1.0], abs=1e-3)


def test_a_box_without_jokers_has_none_to_read() -> None:
    seen = np.stack([told.kinds(joker=0.75, u4=0.25)])
    assert faces_of(seen, chances_of("numbers"))[0, JOKER] == pytest.approx(0.75)
    without = faces_of(seen, chances_of("numbers"), jokers=False)[0]
    assert without[JOKER] == 0
    assert without.argmax() == 3
    assert without[3] < 0.98


kind_rows = st.lists(
    st.lists(st.floats(0.001, 1), min_size=KINDS, max_size=KINDS).map(
        lambda values: np.asarray(values, np.float32) / np.float32(sum(values))
    ),
    min_size=1, max_size=6,
).map(np.stack)  # fmt: skip


@few
@given(kind_rows)
def test_faces_are_chances_and_never_more_than_was_believed(kinds: Floats) -> None:
    styles = style_chances(kinds, NUMBERS)
    faces = faces_of(kinds, styles)
    assert faces.shape == (len(kinds), FACES)
    assert styles.sum() == pytest.approx(1.0, abs=1e-4)
    assert (faces >= 0).all()
    assert (faces.sum(axis=1) <= 1 + 1e-4).all()


@few
@given(kind_rows)
def test_the_order_of_tiles_does_not_matter(kinds: Floats) -> None:
    one, other = style_chances(kinds, CARDS), style_chances(kinds[::-1], CARDS)
    assert other == pytest.approx(one, abs=1e-4)
    assert faces_of(kinds[::-1], one)[::-1] == pytest.approx(faces_of(kinds, one), abs=1e-6)


def test_a_style_that_was_ruled_out_stays_so() -> None:
    only = chances_of("numbers")
    assert style_chances(np.stack(plain("1 11 12 13") * 20), only) == pytest.approx(only)
    many = style_chances(np.stack(plain("1 11 12 13") * 20), NUMBERS)
    assert style_chances(np.stack(plain("1 11 12 13") * 20), many) == pytest.approx(only)


def test_nothing_that_was_believed_is_changed() -> None:
    kinds, before = np.stack(plain("joker B 7")), NUMBERS.copy()
    kept = kinds.copy()
    faces_of(kinds, style_chances(kinds, before), jokers=False)
    assert np.array_equal(kinds, kept)
    assert np.array_equal(before, NUMBERS)
