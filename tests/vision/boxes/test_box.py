"""An enrolled box: kept as plain values, and what it says of inks, styles and faces."""

import json
from dataclasses import replace
from typing import Any

import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest
import told

from referee.game.tiles import HIGHEST, TILE_SETS, Colour
from referee.vision.boxes.box import PALE, TINT, VERSION, Box, centre_embeddings, likeness, prior_of, styles_of
from referee.vision.reading.answers import EMBEDDING, Predictions
from referee.vision.reading.glyphs import BACK, FACES, JOKER, STYLES
from referee.vision.reading.inks import read_inks
from referee.vision.reading.joint import Calibration, Known, candidates, chances_of, read_together, tile_named

Floats = npt.NDArray[np.float32]

RUMMIKUB = TILE_SETS["rummikub"]
SIGNS = [*(str(n) for n in range(1, HIGHEST + 1)), *(f"{n}^" for n in range(1, HIGHEST + 1)), "joker"]
LOOKS = np.stack([drawn.LOOKS[told.kind_of(sign)] for sign in SIGNS])
PARTS = ("name", "tileset", "size_mm", "colours", "style", "faces", "reader")
PETROL = np.asarray([0.55, 0.85, 0.92])


def made(**changes: Any) -> Box:
    """A box of drawn tiles, its inks seen in two lights."""
    centre = LOOKS.mean(axis=0)
    inks = np.asarray([drawn.ABSORBED[colour] for colour in RUMMIKUB.colours])
    box = Box(
        "ours", "rummikub", (25.4, 37.1, 10.0), RUMMIKUB.colours, "numbers", np.stack([inks, inks - 0.1]), centre,
        centre_embeddings(LOOKS, centre), tuple(range(2 * HIGHEST + 1)), "reader 1",
    )  # fmt: skip
    return replace(box, **changes)


def through_a_file(box: Box) -> Box:
    return Box.from_json(json.loads(json.dumps(box.to_json())))


def look_of(sign: str, noise: float = 0.0) -> Floats:
    look = drawn.LOOKS[told.kind_of(sign)]
    return np.asarray(look + np.random.default_rng(3).normal(0, noise, look.shape), np.float32)[None]


def test_a_box_comes_back_from_its_file_as_it_was_written() -> None:
    box, again = made(), through_a_file(made())
    assert [getattr(again, part) for part in PARTS] == [getattr(box, part) for part in PARTS]
    for part in ("inks", "centre", "prototypes"):
        assert getattr(again, part) == pytest.approx(getattr(box, part), abs=6e-5)
        assert getattr(again, part).dtype == getattr(box, part).dtype
    assert again.to_json() == box.to_json() == through_a_file(again).to_json()


def test_a_box_that_was_written_and_read_says_the_same() -> None:
    looks = np.concatenate([look_of("7", 0.4), look_of("joker", 0.4), look_of("9^", 0.4)])
    assert likeness(through_a_file(made()), looks) == pytest.approx(likeness(made(), looks), abs=1e-3)


@pytest.mark.parametrize("version", [0, VERSION + 1, str(VERSION), None])
def test_a_file_of_another_version_is_refused(version: Any) -> None:
    with pytest.raises(ValueError, match=f"expected version {VERSION}, found"):
        Box.from_json(made().to_json() | {"version": version})


@pytest.mark.parametrize("part", sorted(made().to_json()))
def test_a_file_that_lacks_a_part_is_refused(part: str) -> None:
    value = made().to_json()
    del value[part]
    with pytest.raises(KeyError, match=part):
        Box.from_json(value)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        pytest.param("size_mm", [26.0, 37.5], id="two sides"),
        pytest.param("size_mm", "thick", id="a text for sides"),
        pytest.param("size_mm", None, id="no sides"),
        pytest.param("colours", ["black", "purple", "blue", "red"], id="an unknown ink"),
        pytest.param("colours", ["black", "blue", "red"], id="an ink too few"),
        pytest.param("style", "ABC", id="an unknown style"),
        pytest.param("inks", [[0.1, 0.2, 0.3]], id="inks of no picture"),
        pytest.param("inks", "dark", id="a text for inks"),
        pytest.param("centre", [0.0] * (EMBEDDING - 1), id="a shorter embedding"),
        pytest.param("prototypes", [[0.0] * EMBEDDING], id="prototypes of other faces"),
        pytest.param("prototypes", [[0.0] * EMBEDDING] * 26 + [[0.0]], id="a ragged array"),
        pytest.param("faces", [*range(2 * HIGHEST), FACES], id="an unknown face"),
        pytest.param("faces", ["one"], id="a text for a face"),
    ],
)
def test_a_file_that_was_edited_amiss_is_refused(part: str, value: Any) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        Box.from_json(made().to_json() | {part: value})


def test_a_tile_set_takes_the_boxs_own_measures() -> None:
    assert made().measure(RUMMIKUB) == replace(RUMMIKUB, size_mm=(25.4, 37.1, 10.0))


def test_its_style_is_as_good_as_known() -> None:
    chances = styles_of(made(style="ABDK"))
    assert STYLES[int(chances.argmax())].name == "ABDK"
    assert chances.max() > 0.99
    assert chances.min() > 0
    assert chances.sum() == pytest.approx(1.0)


def test_the_prior_of_a_box_holds_its_own_inks_plain_and_pale_and_the_usual_ones_rarely() -> None:
    usual = drawn.prior(RUMMIKUB.colours[::-1], lights=((0, 0, 0), (0.3, 0.3, 0.3)))
    found = prior_of(made(), usual)
    assert found.colours == usual.colours
    assert found.weights.sum() == pytest.approx(1.0)
    plain = len(made().inks) * len(PALE)
    own = 7 * plain
    assert found.weights[:own].sum() > 0.95
    assert found.weights[:plain].sum() > found.weights[plain:own].sum() / 2
    for tint in range(1, 7):
        shifted = found.means[tint * plain : (tint + 1) * plain] - found.means[:plain]
        assert np.abs(shifted - shifted[0, 0, 0]).max() < 1e-12, "all inks together"
        assert np.abs(shifted[0, 0, 0]).sum() == pytest.approx(TINT)
    for at, (kept, _) in zip(range(0, plain, len(made().inks)), PALE, strict=True):
        assert found.means[at, :, 0] == pytest.approx(kept * made().inks[0, ::-1])
    assert np.array_equal(found.means[own:], usual.means)
    assert found.shares.sum(axis=2) == pytest.approx(np.ones((own + 2, 4)))
    assert np.linalg.eigvalsh(found.covariances).min() > 0


def test_an_ink_that_nobody_expects_is_read_where_the_box_is_known() -> None:
    usual = drawn.prior(RUMMIKUB.colours)
    inks = made().inks.copy()
    inks[:, RUMMIKUB.colours.index(Colour.BLUE)] = PETROL
    seen = np.stack([PETROL, PETROL, drawn.ABSORBED[Colour.RED]]).astype(np.float32)
    spread = np.full(seen.shape, 0.03, np.float32)
    blue = RUMMIKUB.colours.index(Colour.BLUE)
    assert read_inks(seen, spread, usual).chances[0, blue] < 0.9
    assert read_inks(seen, spread, prior_of(made(inks=inks), usual)).chances[0, blue] > 0.99


def test_near_inks_keep_their_order_in_tinted_light() -> None:
    """Light that shifts all inks brings one where its neighbour was; their order says which is which."""
    usual = drawn.prior(RUMMIKUB.colours, own=0.3)
    inks = made().inks.copy()
    red, orange = (RUMMIKUB.colours.index(colour) for colour in (Colour.RED, Colour.ORANGE))
    inks[:, orange] = inks[:, red] - np.asarray([0, 0.2, 0])
    shown = [i for i in range(4) for _ in range(5)]
    seen = (inks[0, shown] + np.asarray([0, 0.12, 0])).astype(np.float32)
    found = read_inks(seen, np.full(seen.shape, 0.05, np.float32), prior_of(made(inks=inks), usual))
    assert found.chances.argmax(axis=1).tolist() == shown
    assert found.chances.max(axis=1).min() > 0.9


@pytest.mark.parametrize("kept", [0.75, 0.5])
def test_the_inks_of_a_known_box_are_named_in_haze(kept: float) -> None:
    """Haze over the whole table pales all inks, until those of other boxes would fit as well."""
    usual = drawn.prior(RUMMIKUB.colours, own=0.3)
    seen = np.repeat(kept * made().inks[0], 5, axis=0).astype(np.float32)
    found = read_inks(seen, np.full(seen.shape, 0.03, np.float32), prior_of(made(), usual))
    assert found.chances.argmax(axis=1).tolist() == [i for i in range(4) for _ in range(5)]
    assert found.chances.max(axis=1).min() > 0.98


@pytest.mark.parametrize("sign", SIGNS)
def test_a_face_is_likest_to_its_own_prototype(sign: str) -> None:
    chances = likeness(made(), look_of(sign, 0.3))[0]
    assert int(chances.argmax()) == SIGNS.index(sign)
    assert chances.max() > 0.98
    assert chances.sum() == pytest.approx(1.0, abs=1e-4)


def test_a_face_the_box_does_not_have_is_near_to_impossible() -> None:
    thirteenless = made(faces=tuple(range(2 * HIGHEST + 1))[:12], prototypes=made().prototypes[:12])
    assert likeness(thirteenless, look_of("5"))[0, [12, JOKER, BACK]] == pytest.approx([0, 0, 0], abs=1e-3)


def test_a_print_like_none_of_its_faces_says_nothing() -> None:
    away = 2 * made().centre - look_of("7") + 40 * np.eye(EMBEDDING, dtype=np.float32)[5] * np.float32(1e-6)
    assert likeness(made(), np.asarray(away, np.float32))[0] == pytest.approx(np.full(FACES, 1 / FACES))


def test_several_jokers_of_one_box_are_all_jokers() -> None:
    other = centre_embeddings(look_of("B"), made().centre)
    both = made(faces=(*made().faces, JOKER), prototypes=np.concatenate([made().prototypes, other]))
    found = likeness(both, np.concatenate([look_of("joker"), look_of("B")]))
    assert found.argmax(axis=1).tolist() == [JOKER, JOKER]


def test_directions_have_length_one_and_the_centre_itself_is_no_trouble() -> None:
    found = centre_embeddings(np.concatenate([look_of("3"), look_of("4"), made().centre[None]]), made().centre)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1.0, 1.0, 0.0], abs=1e-5)


def best_of(answers: Any, known: Known) -> list[tuple[str, float]]:
    table = read_together(answers, RUMMIKUB, known, Calibration())
    return [names[0] for names in candidates(table.faces, table.colours)]


KNOWN = Known(drawn.KNOWN.priors, box=made())


def test_a_table_of_the_box_is_read_beyond_doubt() -> None:
    names = ["red-7", "blue-7", "black-7", "orange-3", "orange-4", "joker", "orange-6"]
    found = best_of(told.tiles(" ".join(names)), KNOWN)
    assert [name for name, _ in found] == names
    assert min(chance for _, chance in found) > 0.98


def test_a_glyph_the_net_is_unsure_of_is_told_by_its_prototype() -> None:
    unsure = told.one({"8": 0.7, "3": 0.3})
    assert best_of(unsure, drawn.KNOWN)[0][1] < 0.8
    name, chance = best_of(unsure, KNOWN)[0]
    assert name == "red-8"
    assert chance > 0.99


def test_a_prototype_that_contradicts_the_net_leaves_doubt() -> None:
    plain = told.one("8")
    misprinted = replace(plain, embedding=look_of("3"))
    assert best_of(plain, KNOWN)[0] == ("red-8", pytest.approx(1.0, abs=0.02))
    assert best_of(misprinted, KNOWN)[0][1] < 0.5


def upside_down(told_kinds: dict[str, float], look: str) -> Predictions:
    return replace(told.one(told_kinds), embedding=look_of(look))


def chance_upside_down(answers: Predictions, name: str, known: Known) -> float:
    return float(chances_of(answers, [tile_named(name)], known, Calibration())[0])


def test_a_number_that_reads_otherwise_upside_down_is_told_by_the_prototypes_of_its_own_box() -> None:
    open_four = upside_down({"4^": 0.65, "1": 0.35}, "4^")
    assert chance_upside_down(open_four, "black-4", drawn.KNOWN) == pytest.approx(0.65, abs=0.01)
    assert chance_upside_down(open_four, "black-4", KNOWN) > 0.97


def test_upside_down_prototypes_that_say_another_number_leave_little_of_it() -> None:
    an_ace = upside_down({"4^": 0.65, "1": 0.35}, "1")
    assert chance_upside_down(an_ace, "black-4", KNOWN) < 0.2


@pytest.mark.parametrize("known", [drawn.KNOWN, KNOWN])
def test_jokers_and_backs_upside_down_are_what_they_are(known: Known) -> None:
    assert chance_upside_down(told.one("joker"), "joker", known) > 0.98
    assert chance_upside_down(told.one("back"), "face-down", known) > 0.98
    assert chance_upside_down(told.one("back"), "red-7", known) < 0.01


def test_a_face_down_tile_of_the_box_is_no_doubt() -> None:
    name, chance = best_of(told.tiles("face-down red-7 blue-7"), KNOWN)[0]
    assert name == "face-down"
    assert chance > 0.98


def test_a_known_box_of_other_inks_does_not_bend_the_priors_of_this_one() -> None:
    other = drawn.prior(TILE_SETS["ravensburger"].colours)
    assert Known((other,), box=made()).prior_of(TILE_SETS["ravensburger"]) is other


@pytest.mark.parametrize(
    ("part", "shape"),
    [("inks", (2, 3, 3)), ("inks", (4, 3)), ("prototypes", (26, EMBEDDING)), ("centre", (EMBEDDING, 1))],
    ids=["an ink too few", "no pictures", "a prototype too few", "a centre of another shape"],
)
def test_a_box_of_another_shape_is_refused(part: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        made(**{part: np.zeros(shape)})


@pytest.mark.parametrize("changes", [{"size_mm": (25.4, -1.0, 10.0)}, {"size_mm": (25.4, float("nan"), 10.0)}])
def test_a_box_of_impossible_tiles_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected sides of a tile in mm"):
        made(**changes)


def test_a_box_with_an_ink_that_is_no_number_is_refused() -> None:
    inks = made().inks.copy()
    inks[0, 0, 0] = np.nan
    with pytest.raises(ValueError, match="expected numbers throughout"):
        made(inks=inks)


def test_an_ink_that_absorbs_little_is_pale() -> None:
    inks = made().inks.copy()
    assert made().pale_colours == frozenset()
    inks[:, 1] *= 0.3
    assert made(inks=inks).pale_colours == {RUMMIKUB.colours[1]}
