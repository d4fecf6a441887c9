"""A look from picture to sighting, with drawn tiles and a finder and a reader made for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import drawn_tiles as drawn
import numpy as np
import pytest

from referee.errors import BadInput, CannotJudge
from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile, TileSet
from referee.i18n import error_text
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import Placed, Scene
from referee.vision import pipeline
from referee.vision.boxes.box import Box, centre_embeddings
from referee.vision.boxes.pictures import EnrolmentReader
from referee.vision.finding.finder import CHANNELS, STRIDE
from referee.vision.finding.search import BORDER_MM, PLANE_SHORT_PX
from referee.vision.geometry.markers import grey_of, locate
from referee.vision.pipeline import TableReader
from referee.vision.reading import look_alikes
from referee.vision.reading.answers import COLUMNS
from referee.vision.reading.certainty import BLURRED, Trust
from referee.vision.reading.glyphs import BACK_KIND, INVERTED, KINDS, NONE_KIND
from referee.vision.reading.look_alikes import PAIRS
from referee.vision.sighting import Floats, Image, Quality, Read, Sighting

CAMERA = Camera(x_mm=455, y_mm=299, height_mm=1020, tilt_deg=0.6, pan_deg=-0.8, roll_deg=1.5)
RUMMIKUB = TILE_SETS["rummikub"]
STEP_MM = 30.0  # drawn tiles do not touch, since their finder goes by outlines
Laid = list[tuple[str, Placed]]


def row(names: str, x: float, y: float, turn: float = 0.0, on_their_heads: tuple[int, ...] = ()) -> Laid:
    """Tiles side by side, the first at (x, y), in reading order for somebody who sees them at `turn` degrees."""
    along = np.asarray([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * STEP_MM
    return [
        (name, Placed(None, x + along[0] * i, y + along[1] * i, turn + (180 if i in on_their_heads else 0)))
        for i, name in enumerate(names.split())
    ]


def taken(laid: Laid, box: TileSet = RUMMIKUB, markers: tuple[int, ...] = (0, 1, 2, 3)) -> Image:
    picture = render(Scene(markers=markers), CAMERA, LIGHTS["even"], np.random.default_rng(1))
    for name, place in laid:
        drawn.paint(picture, CAMERA.project_flat(place.corners(box.size_mm[:2]), box.size_mm[2]), name)
    return picture


def sighting_of(
    picture: Image, box: TileSet | None = RUMMIKUB, reader: drawn.Model = drawn.reader,
    description: Mapping[str, Any] | None = None,
) -> Sighting:  # fmt: skip
    return TableReader(drawn.nets(reads=reader), description or {}, drawn.KNOWN).read(picture, box)


def sets_of(sighting: Sighting) -> set[tuple[str, ...]]:
    return {tuple(sighting.reads[i].name for i in members) for members in sighting.sets}


TABLE = [
    *row("red-7 blue-7 black-7", 150, 120),
    *row("orange-3 orange-4 joker orange-6", 480, 100, 12),
    *row("black-10 black-11 black-12 black-13", 300, 300, 180),
    *row("blue-1 blue-2 blue-3", 700, 200, 90),
    *row("red-5", 820, 480, 300),
]
SETS = {
    ("red-7", "blue-7", "black-7"),
    ("orange-3", "orange-4", "joker", "orange-6"),
    ("black-10", "black-11", "black-12", "black-13"),
    ("blue-1", "blue-2", "blue-3"),
    ("red-5",),
}
PICTURE = taken(TABLE)


@pytest.fixture(scope="module")
def seen() -> Sighting:
    return sighting_of(PICTURE)


def test_a_table_is_read_as_it_was_laid(seen: Sighting) -> None:
    assert sets_of(seen) == SETS
    assert (seen.tileset, seen.scale, seen.doubts) == ("rummikub", "markers", ())


def test_every_tile_is_placed_in_the_table_frame(seen: Sighting) -> None:
    for name, place in TABLE:
        read = next(r for r in seen.reads if r.name == name)
        assert (read.x_mm, read.y_mm) == pytest.approx((place.x_mm, place.y_mm), abs=0.8)
        if name != "joker":  # the disc of a drawn joker has no top
            assert (read.angle_deg - place.angle_deg + 180) % 360 - 180 == pytest.approx(0, abs=2)


def test_corners_are_told_in_pixels_from_the_printed_top_left(seen: Sighting) -> None:
    for name, place in TABLE:
        if name != "joker":
            truth = CAMERA.project_flat(place.corners(RUMMIKUB.size_mm[:2]), RUMMIKUB.size_mm[2])
            read = next(r for r in seen.reads if r.name == name)
            assert read.corners_px == pytest.approx(truth, abs=3)  # a pixel and a half of what the finder sees


def test_sets_hold_every_face_up_tile_once(seen: Sighting) -> None:
    assert sorted(i for members in seen.sets for i in members) == list(range(len(seen.reads)))


def test_a_tile_on_its_head_is_read_in_its_set() -> None:
    seen = sighting_of(taken(row("red-3 red-4 red-5 red-6", 300, 300, on_their_heads=(2,))))
    assert sets_of(seen) == {("red-3", "red-4", "red-5", "red-6")}
    assert next(r for r in seen.reads if r.name == "red-5").angle_deg == pytest.approx(180, abs=2)


def test_a_face_down_tile_is_in_no_set_and_parts_its_row() -> None:
    seen = sighting_of(taken(row("red-3 red-4 face-down red-6", 300, 300)))
    assert sets_of(seen) == {("red-3", "red-4"), ("red-6",)}
    assert [r.tile for r in seen.reads if r.name == "face-down"] == [None]


def test_more_of_a_tile_than_the_box_holds_is_in_doubt() -> None:
    picture = taken([*row("red-7 blue-7 black-7", 200, 150), *row("red-7 red-8", 500, 400)])
    seen = sighting_of(picture, TILE_SETS["gin"])
    assert [seen.reads[i].name for i in seen.doubts] == ["red-7", "red-7"]
    assert sighting_of(picture).doubts == ()


def test_a_reader_that_is_not_sure_enough_leaves_doubts() -> None:
    unsure = {"reader": {"kind_temperature": 6.0, "suit_temperature": 6.0}}
    seen = sighting_of(PICTURE, description=unsure)
    assert len(seen.doubts) == len(TABLE)
    assert sets_of(seen) == SETS
    assert all(len(read.alternatives) >= 1 for read in seen.reads)


def test_the_threshold_of_doubt_comes_from_the_description(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.vision.pipeline.assess", lambda *_: Quality())
    unsure = {"reader": {"kind_temperature": 4.0, "suit_temperature": 6.0, "sure_from": 0.01}}
    assert sighting_of(PICTURE, description=unsure).doubts == ()


def test_in_a_poor_picture_the_same_print_is_believed_less(monkeypatch: pytest.MonkeyPatch) -> None:
    described = {"reader": {"kind_temperature": 2.0, "suit_temperature": 6.0, "sure_from": 0.9}}
    colourless = Quality(packed=True, colourless=True)
    believed = []
    poor = Quality(dark=True), Quality(sharp=False), Quality(bright=True), Quality(grey=True), colourless
    for quality in (Quality(), *poor):
        monkeypatch.setattr("referee.vision.pipeline.assess", lambda *_, found=quality: found)
        believed.append(sighting_of(PICTURE, description=described).reads[0].confidence)
    assert all(less < believed[0] for less in believed[1:])
    assert believed[-1] == min(believed) < 0.9


def test_only_the_tiles_that_are_bleached_are_believed_less(monkeypatch: pytest.MonkeyPatch) -> None:
    described = {"reader": {"kind_temperature": 2.0, "suit_temperature": 6.0}}
    monkeypatch.setattr("referee.vision.pipeline.assess", lambda *_: Quality())
    usual = [read.confidence for read in sighting_of(PICTURE, description=described).reads]
    monkeypatch.setattr("referee.vision.pipeline.assess", lambda *_: Quality(bleached=frozenset([1])))
    bleached = [read.confidence for read in sighting_of(PICTURE, description=described).reads]
    assert [i for i, (one, other) in enumerate(zip(usual, bleached, strict=True)) if one != other] == [1]
    assert bleached[1] < usual[1]


def test_the_ink_of_a_faded_print_is_in_doubt_and_a_faint_back_is_a_back(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = row("red-7 blue-7 black-7 orange-7 face-down", 300, 300)
    plain = sighting_of(taken(laid))
    faint = Quality(faint=frozenset({i for i, read in enumerate(plain.reads) if read.name in {"red-7", FACE_DOWN}}))
    monkeypatch.setattr(pipeline, "assess", lambda *_: faint)
    seen = sighting_of(taken(laid))
    assert [read.name for read in seen.reads if read.doubtful] == ["red-7"]


def test_the_places_of_prints_are_asked_about_a_6_or_9_that_lies_whole_in_the_picture(monkeypatch) -> None:
    asked: list[list[int]] = []

    def settle_turned(_: Image, reads: Sequence[Read], turned: Sequence[int], __: float) -> tuple[Read, ...]:
        asked.append(list(turned))
        return tuple(replace(read, doubtful=read.doubtful and i not in turned) for i, read in enumerate(reads))

    monkeypatch.setattr(pipeline, "settle_turned", settle_turned)
    laid = taken(row("red-6", 300, 300))
    assert [read.doubtful for read in sighting_of(laid, reader=drawn.six_or_nine).reads] == [False]
    monkeypatch.setattr(pipeline, "assess", lambda *_: Quality())
    monkeypatch.setattr(pipeline, "replace", lambda value, **changes: replace(value, **{
        **changes, **({"cut": frozenset({0})} if "cut" in changes else {})}))  # fmt: skip
    assert [read.doubtful for read in sighting_of(laid, reader=drawn.six_or_nine).reads] == [True]
    assert asked == [[0], []]


def test_what_the_places_of_prints_settle_still_counts_against_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two red 9 are sure; the third one was in doubt, and would have been settled as one more."""
    monkeypatch.setattr(
        pipeline, "settle_turned",
        lambda _, reads, __, sure: tuple(
            replace(r, tile=Tile.from_name("red-9"), doubtful=False, confidence=sure) for r in reads)
    )  # fmt: skip
    laid = [*row("red-9", 200, 200), *row("red-9", 400, 200), *row("red-6", 600, 300)]
    seen = sighting_of(taken(laid), reader=drawn.six_or_nine)
    assert [read.doubtful for read in seen.reads] == [True] * 3


def outlined(sides: Mapping[int, float]) -> Callable[[Floats], Floats]:
    """What is told of the sides of outlines: all as usual except these."""
    return lambda corners: np.asarray([sides.get(i, 1.0) for i in range(len(corners))], np.float32)


@pytest.mark.parametrize(
    ("laid", "markers", "doubted"),
    [
        pytest.param(TABLE, (0, 1, 2, 3), {1}, id="among many on a marked table"),
        pytest.param(TABLE[:4], (0, 1, 2, 3), set(), id="too few to compare"),
        pytest.param(TABLE, (), set(), id="without markers, where tiles may lie at different distances"),
    ],
)
def test_a_tile_whose_outline_is_too_small_is_in_doubt(monkeypatch, laid: Laid, markers, doubted: set[int]) -> None:
    """A part of its print lies outside: a 13 is read as a 3."""
    monkeypatch.setattr(pipeline.crops, "relative_sides", outlined({1: 0.79, 2: 0.81}))
    seen = sighting_of(taken(laid, markers=markers))
    assert {i for i, read in enumerate(seen.reads) if read.doubtful} == doubted


def unsure_of(faded: int) -> drawn.Model:
    """A reader to which the first so many prints may well be something else."""

    def reads(array: Image) -> tuple[Image]:
        (answers,) = drawn.reader(array)
        prints = np.flatnonzero(answers[:, :BACK_KIND].max(axis=1) > 0)
        answers[prints[:faded], :KINDS] *= 0.2
        return (answers,)

    return reads


@pytest.mark.parametrize(("faded", "sure"), [(0, True), (1, True), (2, False), (4, False)])
def test_a_back_among_prints_that_cannot_be_told_may_be_a_print_as_well(faded: int, sure: bool) -> None:
    laid = [*row("red-4 blue-7 black-8 orange-10", 300, 300), *row(FACE_DOWN, 300, 150)]
    seen = sighting_of(taken(laid), reader=unsure_of(faded))
    (back,) = [read for read in seen.reads if read.tile is None]
    assert sum(read.doubtful for read in seen.reads if read.tile is not None) == faded
    assert back.doubtful is not sure


@pytest.mark.parametrize("names", ["red-5 red-6 red-7", "red-8 red-9 red-10"])
@pytest.mark.parametrize("turn", [0.0, 180.0])
def test_neighbours_tell_a_six_from_a_nine_on_its_head(names: str, turn: float) -> None:
    seen = sighting_of(taken(row(names, 450, 300, turn)), reader=drawn.six_or_nine)
    assert sets_of(seen) == {tuple(names.split())}


def test_a_six_that_lies_alone_may_be_a_nine() -> None:
    seen = sighting_of(taken(row("red-6", 300, 300)), reader=drawn.six_or_nine)
    assert len(seen.reads) == 1
    assert seen.doubts == (0,)
    assert {seen.reads[0].name, seen.reads[0].alternatives[0][0]} == {"red-6", "red-9"}


def four_or_one(gap: float, other: int, strength: float) -> drawn.Model:
    """A reader to which a 1 is less likely than a 4 by `gap`; once a 4 is on its head, it sees the glyph `other`."""

    def reads(array: Image) -> tuple[Image]:
        (answers,) = drawn.reader(array)
        for row_ in answers:
            if row_[3] > 0:
                row_[0] = row_[3] - gap
            elif row_[INVERTED + 3] > 0:
                row_[INVERTED + 3] = 0.0
                row_[INVERTED + other] = strength
        return (answers,)

    return reads


@pytest.mark.parametrize(("other", "sure"), [(3, True), (0, False)])
def test_a_second_reading_settles_a_doubt_but_makes_no_other_face_of_it(other: int, sure: bool) -> None:
    (read,) = sighting_of(taken(row("red-4", 300, 300)), reader=four_or_one(0.5, other, 24.0)).reads
    assert read.doubtful is not sure
    assert read.name == ("red-4" if sure else "red-1")
    assert (read.confidence > 0.9) is sure


@pytest.mark.parametrize(("other", "sure"), [(3, True), (0, False)])
def test_what_is_nearly_sure_must_not_be_contradicted_on_its_head(
    monkeypatch: pytest.MonkeyPatch, other: int, sure: bool
) -> None:
    monkeypatch.setattr("referee.vision.pipeline.assess", lambda *_: Quality())
    laid, nearly = row("red-4 blue-7 black-8 orange-10", 300, 300), four_or_one(4.3, other, 12.0)
    seen = sighting_of(taken(laid), reader=nearly, description={"reader": {"sure_from": 0.9}})
    assert drawn.names_of(seen.reads) == sorted(name for name, _ in laid)
    assert [seen.reads[i].name for i in seen.doubts] == ([] if sure else ["red-4"])


@pytest.mark.parametrize(
    ("names", "box"),
    [
        pytest.param("orange-1 blue-2 red-3 black-4", "rummikub", id="orange"),
        pytest.param("yellow-1 blue-2 red-3 green-4", "ravensburger", id="green"),
        pytest.param("yellow-1 blue-2 red-3 black-4", "piatnik", id="yellow beside black"),
    ],
)
def test_a_box_that_was_not_named_is_told_by_its_inks(names: str, box: str) -> None:
    assert sighting_of(taken(row(names, 300, 300)), None).tileset == box


def test_thick_tiles_are_placed_by_their_own_height() -> None:
    thick = replace(RUMMIKUB, size_mm=(26.0, 37.5, 22.0))
    picture = taken(row("red-7", 860, 540), thick)
    right, wrong = (sighting_of(picture, box).reads[0] for box in (thick, RUMMIKUB))
    assert (right.x_mm, right.y_mm) == pytest.approx((860, 540), abs=0.8)
    assert wrong.x_mm is not None
    assert wrong.x_mm > 863


def test_without_markers_there_are_sets_but_no_millimetres() -> None:
    picture = taken(TABLE, markers=())
    seen = sighting_of(picture)
    assert seen.scale == "tiles"
    assert sets_of(seen) == SETS
    assert {(read.x_mm, read.y_mm) for read in seen.reads} == {(None, None)}


def test_a_tile_that_is_too_large_for_every_scale_is_read_in_a_smaller_picture_and_told_in_the_whole_one() -> None:
    picture, corners = drawn.bare(2400, 2000), drawn.quad(1000, 1200, 4, 1150, 1650)
    drawn.paint(picture, corners, "red-7")
    (read,) = sighting_of(picture).reads
    assert read.name == "red-7"
    assert read.corners_px == pytest.approx(corners, abs=25)
    with pytest.raises(CannotJudge):
        TableReader(drawn.nets(), {}, drawn.KNOWN).read(picture, RUMMIKUB, marked_only=True)


def test_tiles_too_small_to_read_are_counted_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.vision.pipeline.READ_FROM_PX", 12.0)  # the drawn finder sees no smaller tiles
    picture = drawn.bare(400, 600)
    for i, short in enumerate((10.0, 10.0, 10.0)):
        drawn.paint(picture, drawn.quad(100 + 90.0 * i, 200, 10 * i, short, 1.44 * short), "red-7")

    def sees_tiles(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array)
        answers[:, NONE_KIND] = -20.0
        return (answers,)

    seen = sighting_of(picture, reader=sees_tiles)
    assert seen.reads == ()
    assert seen.quality.too_small == 3
    assert sighting_of(taken(row("red-7", 860, 540))).quality.too_small == 0


def test_without_markers_a_picture_that_must_have_some_is_refused_before_any_search_for_tiles() -> None:
    searched = []

    def finder(planes: Any) -> tuple[Any, ...]:
        searched.append(planes)
        return drawn.finder(planes)

    reader = TableReader(drawn.nets(finder), {}, drawn.KNOWN)
    with pytest.raises(CannotJudge) as refused:
        reader.read(taken(TABLE, markers=()), RUMMIKUB, marked_only=True)
    assert error_text(refused.value) == "I cannot see any of the markers at the corners of the table."
    assert searched == []
    assert sets_of(reader.read(taken(TABLE), RUMMIKUB, marked_only=True)) == SETS


def test_without_markers_angles_are_those_in_the_picture() -> None:
    picture = drawn.bare(750, 1000)
    drawn.paint(picture, drawn.quad(400, 300, 137), "blue-7")
    assert sighting_of(picture).reads[0].angle_deg == pytest.approx(137, abs=2)


def test_a_covered_marker_is_a_hand_and_the_rest_is_read() -> None:
    seen = sighting_of(taken(TABLE, markers=(0, 1, 3)))
    assert seen.quality.hand
    assert sets_of(seen) == SETS


def test_two_markers_cannot_be_judged() -> None:
    with pytest.raises(CannotJudge) as refused:
        sighting_of(taken(TABLE, markers=(0, 1)))
    assert "found 2 (0, 1)" in error_text(refused.value)


@pytest.mark.parametrize("markers", [(0, 1, 2, 3), ()], ids=["marked", "unmarked"])
@pytest.mark.parametrize("box", [RUMMIKUB, None], ids=["named box", "unnamed box"])
def test_a_bare_table_has_no_reads(markers: tuple[int, ...], box: TileSet | None) -> None:
    seen = sighting_of(taken([], markers=markers), box)
    assert (seen.reads, seen.sets) == ((), ())


@pytest.mark.parametrize(
    ("keep_from", "nothing", "kept"),
    [
        pytest.param(1.0, 1.0, True, id="a certain finder outweighs a doubting reader"),
        pytest.param(12.0, 1.0, False, id="unless more evidence is asked for"),
        pytest.param(1.0, 20.0, False, id="but not a certain one"),
    ],
)
def test_what_reader_and_finder_do_not_agree_on_goes_to_the_surer(
    keep_from: float, nothing: float, kept: bool
) -> None:
    def doubting(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array)
        answers[:, NONE_KIND] = answers[:, :NONE_KIND].max(axis=1) + nothing
        return (answers,)

    seen = sighting_of(PICTURE, reader=doubting, description={"finder": {"keep_from": keep_from}})
    assert (len(seen.reads) == len(TABLE)) is kept
    assert (len(seen.reads) == 0) is not kept


@pytest.mark.usefixtures("without_prints")
def test_a_finder_below_its_threshold_finds_nothing() -> None:
    assert sighting_of(PICTURE, description={"finder": {"threshold": 0.999}}).reads == ()


def test_what_the_finder_sees_on_bare_wood_the_reader_overrules() -> None:
    def imagining(array: Any) -> tuple[Any]:
        maps = np.full((1, CHANNELS, array.shape[2] // STRIDE, array.shape[3] // STRIDE), -20.0, np.float32)
        maps[0, :, 60, 80] = [3.0, 0, 0, -3.5, 0, 2.6, 0]
        return (maps,)

    asked: list[int] = []

    def reader(array: Any) -> tuple[Any]:
        asked.append(len(array))
        answers = np.zeros((len(array), COLUMNS), np.float32)
        answers[:, NONE_KIND] = 20.0
        return (answers,)

    assert TableReader(drawn.nets(imagining, reader), {}, drawn.KNOWN).read(taken([]), RUMMIKUB).reads == ()
    assert sum(asked) > 0


@pytest.mark.parametrize(("box", "asked"), [("classic", True), ("piatnik", False)])
def test_an_open_4_on_its_head_is_no_ace_in_a_box_of_cards(box: str, asked: bool) -> None:
    """However surely the reader takes it for one: the network for look-alikes contradicts it."""

    def mistaken(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array)
        for row in answers:
            if row[INVERTED + 3] > 0:
                row[0], row[INVERTED + 3] = row[INVERTED + 3], 0.0
        return (answers,)

    def tells_apart(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array[:, :3])
        is_4 = (answers[:, 3] > 0) | (answers[:, INVERTED + 3] > 0)
        return (np.where(is_4[:, None], -9.0, 9.0).repeat(len(PAIRS), axis=1).astype(np.float32),)

    cards = TILE_SETS[box]
    reader = TableReader(drawn.nets(reads=mistaken, tells_apart=tells_apart), {}, drawn.KNOWN)
    seen = reader.read(taken(row("black-4 blue-4 red-7", 300, 250, 20, (0,)), cards), cards)
    doubtful = {read.tile.number: read.doubtful for read in seen.reads if read.tile is not None}
    assert sorted(doubtful) == [1, 4, 7]
    assert (doubtful[1], doubtful[4], doubtful[7]) == (asked, False, False)


def test_an_open_4_that_may_be_an_ace_does_not_put_the_aces_in_doubt() -> None:
    """There are more aces than the box holds only as long as it counts as one of them."""

    def unsure(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array)
        for row in answers:
            for four, ace in ((INVERTED + 3, 0), (3, INVERTED)):
                if row[four] > 0:
                    row[ace] = row[four]
        return (answers,)

    def tells_apart(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array[:, :3])
        is_4 = (answers[:, 3] > 0) | (answers[:, INVERTED + 3] > 0)
        return (np.where(is_4[:, None], -9.0, 9.0).repeat(len(PAIRS), axis=1).astype(np.float32),)

    cards = TILE_SETS["classic"]
    laid = row("black-1 black-4 black-1", 300, 250, 0, (1,))
    reader = TableReader(drawn.nets(reads=unsure, tells_apart=tells_apart), {}, drawn.KNOWN)
    seen = reader.read(taken(laid, cards), cards)
    assert [(read.name, read.doubtful) for read in sorted(seen.reads, key=lambda read: read.x_mm or 0.0)] == [
        ("black-1", False), ("black-4", False), ("black-1", False)]  # fmt: skip
    four = next(read for read in seen.reads if read.name == "black-4")
    assert four.angle_deg == pytest.approx(180.0, abs=3.0)


def test_the_network_for_look_alikes_is_believed_as_much_in_an_enrolled_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clear black 4 was asked about at three turns of an evening, since so much less was believed (seed 96)."""
    trusts: list[Trust] = []

    def settle(read: Read, answer: Floats, trust: Trust, sure_from: float, *, contested: bool) -> Read:
        trusts.append(trust)
        return look_alikes.settle(read, answer, trust, sure_from, contested=contested)

    monkeypatch.setattr(pipeline, "settle", settle)
    cards = TILE_SETS["classic"]
    centre = drawn.LOOKS.mean(axis=0)[None]
    inks = np.asarray([[drawn.ABSORBED[colour] for colour in cards.colours]], np.float32)
    ours = Box("ours", "classic", cards.size_mm, cards.colours, "ABDK", inks, centre[0],
               centre_embeddings(drawn.LOOKS[:1], centre[0]), (0,), "reader 1")  # fmt: skip
    picture = taken(row("black-4 blue-4 red-7", 300, 250), cards)
    for known in (drawn.KNOWN, replace(drawn.KNOWN, box=ours)):
        TableReader(drawn.nets(), {}, known).read(picture, cards)
    assert trusts == [BLURRED] * 4  # as drawn tiles are


def test_a_look_changes_no_picture() -> None:
    before = PICTURE.copy()
    sighting_of(PICTURE)
    assert np.array_equal(PICTURE, before)


def test_the_same_picture_gives_the_same_sighting() -> None:
    table_reader = TableReader(drawn.nets(), {}, drawn.KNOWN, lambda: 0.0)
    one, other = (table_reader.read(PICTURE, RUMMIKUB).to_json("t.jpg") for _ in range(2))
    assert one == other


def test_timings_are_taken_from_the_given_clock_in_milliseconds() -> None:
    ticks = count()
    seen = TableReader(drawn.nets(), {}, drawn.KNOWN, lambda: float(next(ticks))).read(PICTURE, RUMMIKUB)
    assert set(seen.timings_ms) == {"locate", "find", "read", "total"}
    assert seen.timings_ms["total"] >= seen.timings_ms["locate"] + seen.timings_ms["find"] + seen.timings_ms["read"]
    assert seen.timings_ms["locate"] == 1000.0


def test_a_table_of_another_size_is_read_in_its_own_millimetres() -> None:
    camera = replace(CAMERA, x_mm=350, y_mm=250, height_mm=800)
    picture = render(Scene(table_mm=(700.0, 500.0)), camera, LIGHTS["even"], np.random.default_rng(1))
    drawn.paint(picture, camera.project_flat(Placed(None, 600, 400, 0).corners((26, 37.5)), 9.5), "red-7")
    (read,) = TableReader(drawn.nets(), {}, drawn.KNOWN).read(picture, RUMMIKUB, (700.0, 500.0)).reads
    assert (read.x_mm, read.y_mm) == pytest.approx((600, 400), abs=0.8)


GIN = TILE_SETS["gin"]
WHOLE_BOX = [
    tile
    for i, colour in enumerate(GIN.colours)
    for tile in row(" ".join(f"{colour.value}-{n}" for n in range(1, 14)), 150, 120 + 110 * i, 0, (2, 7))
]


@pytest.fixture(scope="module")
def whole_box() -> Image:
    return taken(WHOLE_BOX, GIN)


def test_a_box_is_learnt_from_a_picture_of_all_its_tiles_and_known_afterwards(whole_box: Image) -> None:
    reader = TableReader(drawn.nets(), {}, drawn.KNOWN)
    batch = EnrolmentReader(reader).batch(whole_box, "all.png", GIN, (900.0, 600.0))
    assert len(batch.sighting.reads) == len(batch.answers) == len(batch.turned) == len(batch.sides_mm) == GIN.total
    found = EnrolmentReader(reader).enrol("ours", GIN, [batch], "drawn")
    assert (found.problems, found.questions) == ((), ())
    assert found.box is not None
    assert found.box.size_mm[:2] == pytest.approx(GIN.size_mm[:2], abs=0.9)
    again = reader.reader_for(found.box).read(whole_box, GIN)
    assert again.doubts == ()
    assert drawn.names_of(again.reads) == sorted(name for name, _ in WHOLE_BOX)
    assert reader.reader_for(None).read(PICTURE, RUMMIKUB).doubts == ()


def test_a_batch_without_markers_is_refused() -> None:
    with pytest.raises(CannotJudge) as refused:
        EnrolmentReader(TableReader(drawn.nets(), {}, drawn.KNOWN)).batch(
            drawn.bare(300, 400), "p.png", GIN, (900.0, 600.0)
        )
    assert "cannot see any of the markers" in error_text(refused.value)


LOST = row("red-7", 700, 480, 20)[0]
"""A tile that lies there and is not found."""


def doubting(spot_mm: tuple[float, float], score: float) -> drawn.Model:
    """A finder that gives what lies there this score, a logit, and sees all other tiles plainly."""
    per_mm = PLANE_SHORT_PX / GIN.size_mm[0]
    column, line = (round((part + BORDER_MM) * per_mm / STRIDE) for part in spot_mm)

    def finds(array: Any) -> tuple[Any]:
        (maps,) = drawn.finder(array)
        there = maps[0, 0, line - 3 : line + 4, column - 3 : column + 4]
        there[there > 0] = score
        return (maps,)

    return finds


WITHOUT = [tile for tile in WHOLE_BOX if tile[0] != "red-7"]


def pixel_of(place_mm: tuple[float, float]) -> tuple[float, float]:
    """Where the middle of a tile there is seen."""
    located = locate(grey_of(taken([])), (900.0, 600.0))
    assert located is not None
    x, y = located.pose.on_plane([place_mm], GIN.size_mm[2])[0]
    return float(x), float(y)


@pytest.mark.usefixtures("without_prints")
@pytest.mark.parametrize("off_px", [(0.0, 0.0), (7.0, -5.0)], ids=["in its middle", "beside its middle"])
def test_a_tile_that_the_finder_does_not_see_is_learnt_from_where_people_say_it_lies(
    off_px: tuple[float, float],
) -> None:
    picture = taken([*WITHOUT, LOST], GIN)
    reader = TableReader(drawn.nets(finds=doubting((700, 480), -20.0)), {}, drawn.KNOWN)
    batch = EnrolmentReader(reader).batch(picture, "all.png", GIN, (900.0, 600.0))
    assert len(batch.sighting.reads) == GIN.total - 1
    assert EnrolmentReader(reader).enrol("ours", GIN, [batch], "drawn").problems != ()
    x, y = pixel_of((700, 480))
    place = x + off_px[0], y + off_px[1]
    more = EnrolmentReader(reader).with_tile_named(batch, picture, place, Tile.from_name("red-7"), GIN, (900.0, 600.0))
    read = more.sighting.reads[-1]
    assert (read.name, read.doubtful, more.named) == ("red-7", False, {GIN.total - 1: "red-7"})
    assert (read.x_mm, read.y_mm) == pytest.approx((700, 480), abs=5)  # the drawn aligner moves nothing
    assert len(more.answers) == len(more.turned) == len(more.sides_mm) == GIN.total
    found = EnrolmentReader(reader).enrol("ours", GIN, [more], "drawn")
    assert found.box is not None
    assert reader.reader_for(found.box).read(taken(row("red-6 red-7 red-8", 300, 300), GIN), GIN).doubts == ()


UNSURE = {"finder": {"keep_from": 6.0, "ask_from": 6.0}}
"""A description by which what the finder doubts is no tile, and is not asked about."""


def test_what_was_taken_for_no_tile_is_passed_over_and_is_one_where_people_say_so() -> None:
    picture = taken([*WITHOUT, LOST], GIN)
    reader = TableReader(drawn.nets(finds=doubting((700, 480), -0.8)), UNSURE, drawn.KNOWN)
    batch = EnrolmentReader(reader).batch(picture, "all.png", GIN, (900.0, 600.0))
    assert len(batch.sighting.reads) == GIN.total - 1
    place = pixel_of((700, 480))
    assert batch.passed_px.mean(axis=1) == pytest.approx(np.asarray([place]), abs=3)
    named = EnrolmentReader(reader).with_tile_named(
        batch, picture, place, Tile.from_name("red-7"), GIN, (900.0, 600.0)
    )
    assert len(named.passed_px) == 0
    assert named.sighting.reads[-1].name == "red-7"
    assert named.sighting.reads[-1].corners_px.mean(axis=0) == pytest.approx(place, abs=3)


def test_a_found_tile_that_people_show_gets_the_name_that_they_give(whole_box: Image) -> None:
    reader = TableReader(drawn.nets(), {}, drawn.KNOWN)
    batch = EnrolmentReader(reader).batch(whole_box, "all.png", GIN, (900.0, 600.0))
    place = tuple(float(v) for v in batch.sighting.reads[3].corners_px.mean(axis=0))
    named = EnrolmentReader(reader).with_tile_named(
        batch, whole_box, place, Tile.from_name("black-9"), GIN, (900.0, 600.0)
    )
    assert len(named.sighting.reads) == GIN.total
    assert (named.sighting.reads[3].name, named.named) == ("black-9", {3: "black-9"})


@pytest.mark.parametrize("place", [(-1.0, 5.0), (5.0, 1e5)])
def test_a_place_outside_of_the_picture_is_refused(whole_box: Image, place: tuple[float, float]) -> None:
    reader = TableReader(drawn.nets(), {}, drawn.KNOWN)
    batch = EnrolmentReader(reader).batch(whole_box, "all.png", GIN, (900.0, 600.0))
    with pytest.raises(BadInput, match="within"):
        EnrolmentReader(reader).with_tile_named(batch, whole_box, place, Tile.from_name("red-7"), GIN, (900.0, 600.0))
