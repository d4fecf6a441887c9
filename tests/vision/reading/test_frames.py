"""Several sightings of one still table: what settles a doubt, what raises one, and what a picture may not do."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.game.tiles import FACE_DOWN, Tile
from referee.vision.reading.frame_fusion import NEAR_MM, fuse
from referee.vision.sighting import Quality, Read, Sighting

SURE_FROM = 0.985
RED_7 = ("red-7", 0.999)
MAYBE_7 = ("red-7", 0.8, ("red-1", 0.15))
MAYBE_1 = ("red-1", 0.8, ("red-7", 0.15))
RED_1 = ("red-1", 0.999)
BACK = (FACE_DOWN, 0.999)
HERE, THERE = (100.0, 200.0), (130.0, 200.0)
Seen = tuple  # a name, a confidence, alternatives


def read(seen: Seen, at: tuple[float, float] = HERE, *, doubtful: bool | None = None) -> Read:
    name, confidence, *others = seen
    tile = None if name == FACE_DOWN else Tile.from_name(name)
    doubt = confidence < SURE_FROM if doubtful is None else doubtful
    return Read(tile, confidence, doubt, tuple(others), np.zeros((4, 2), np.float32), 0.0, *at)


def sighting(*reads: Read, sets: Sequence[tuple[int, ...]] | None = None, quality: Quality | None = None) -> Sighting:
    kept = tuple((i,) for i, one in enumerate(reads) if one.tile is not None) if sets is None else tuple(sets)
    return Sighting("rummikub", "markers", reads, kept, quality or Quality(), {"read": 10.0}, SURE_FROM)


def fused(*seen: Seen | None) -> Read:
    """One tile, as each picture shows it, beside another one that all pictures show; None: not found."""
    sightings = [sighting(*([] if one is None else [read(one)]), read(("blue-3", 0.999), THERE)) for one in seen]
    reads = fuse(sightings).sighting.reads
    (found,) = (r for r in reads if r.x_mm == HERE[0])
    assert [r.doubtful for r in reads if r.x_mm == THERE[0]] == [False]
    return found


@pytest.mark.parametrize(
    ("seen", "name"),
    [
        pytest.param((RED_7, RED_7), "red-7", id="always sure"),
        pytest.param((MAYBE_7, RED_7), "red-7", id="sure in the second picture"),
        pytest.param((RED_7, MAYBE_7, MAYBE_7), "red-7", id="sure in one, the same in all"),
        pytest.param((MAYBE_1, RED_7, RED_7), "red-7", id="sure twice, and not against all that the first one says"),
        pytest.param((None, RED_7, RED_7), "red-7", id="sure in two pictures of three"),
        pytest.param((BACK, None), FACE_DOWN, id="a back that one picture does not show"),
    ],
)
def test_beyond_doubt(seen: tuple[Seen | None, ...], name: str) -> None:
    found = fused(*seen)
    assert (found.name, found.doubtful) == (name, False)
    assert found.confidence >= SURE_FROM


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param((MAYBE_7, MAYBE_7, MAYBE_7), id="the same doubt in all pictures"),
        pytest.param((RED_7, RED_1), id="sure of two faces"),
        pytest.param((RED_7, RED_7, RED_1), id="sure of two faces, though not as often"),
        pytest.param((MAYBE_1, RED_7), id="sure once, another face likelier in the other"),
        pytest.param((("blue-7", 0.97), RED_7, RED_7), id="sure twice, the third speaks clearly against it"),
        pytest.param((("red-7", 0.4, ("red-1", 0.35)), RED_7), id="the same face, but hardly"),
        pytest.param((RED_7, None), id="not found in the second picture"),
        pytest.param((None, None, RED_7), id="found in one picture of three"),
        pytest.param((RED_7, BACK), id="a back in the other picture"),
    ],
)
def test_in_doubt(seen: tuple[Seen | None, ...]) -> None:
    assert fused(*seen).doubtful


@pytest.mark.parametrize(
    ("believed", "doubtful"),
    [
        pytest.param((0.97, 0.96, 0.98), False, id="steadily the same"),
        pytest.param((0.97, 0.96), True, id="in two pictures only"),
        pytest.param((0.972, 0.861, 0.961), True, id="as in a misread: less in one"),
        pytest.param((0.999, 0.97, 0.7), True, id="in doubt for another reason, too"),
    ],
)
def test_a_number_that_looks_like_another_stands_if_three_pictures_show_it(
    believed: tuple[float, ...], doubtful: bool
) -> None:
    def jack(confidence: float) -> Read:
        shown = read(("red-11", confidence, ("red-8", 0.01)), doubtful=True)
        return replace(shown, look_again=confidence > 0.8)

    (found,) = fuse([sighting(jack(confidence)) for confidence in believed]).sighting.reads
    assert (found.name, found.doubtful, found.look_again) == ("red-11", doubtful, doubtful)


def test_faces_that_contradict_each_other_are_both_told() -> None:
    found = fused(RED_7, RED_1)
    assert {found.name, found.alternatives[0][0]} == {"red-7", "red-1"}


def test_confidence_is_a_mean_and_never_a_product() -> None:
    thrice = fused(MAYBE_7, MAYBE_7, MAYBE_7)
    assert thrice.confidence == pytest.approx(0.8)
    assert fused(MAYBE_7, ("red-7", 0.6)).confidence < 0.8


def test_a_tile_found_in_some_pictures_only_is_less_certain() -> None:
    assert fused(RED_7, None).confidence < SURE_FROM


def test_tiles_are_matched_by_their_places_one_to_one() -> None:
    one, other = read(RED_7), read(("red-8", 0.999), (HERE[0] + 1.2 * NEAR_MM, HERE[1]))
    swapped = sighting(other, one)
    reads = fuse([sighting(one, other), swapped]).sighting.reads
    assert [(r.name, r.doubtful) for r in reads] == [("red-7", False), ("red-8", False)]


def test_a_tile_that_only_another_picture_shows_lies_in_a_set_of_its_own_and_is_asked_about() -> None:
    beside = read(("blue-3", 0.999), THERE)
    found = fuse([sighting(beside), sighting(beside), sighting(beside, read(RED_7), sets=[(0, 1)])])
    # The third picture has all tiles: its sets are kept, and it is the one that shows them.
    assert found.shown_by == 2
    assert found.sighting.sets == ((0, 1),)
    assert [r.doubtful for r in found.sighting.reads] == [False, True]


def test_where_no_picture_has_all_tiles_those_missing_are_added_in_doubt() -> None:
    one, two = read(RED_7), read(("blue-3", 0.999), THERE)
    found = fuse([sighting(one), sighting(two), sighting(one), sighting(two)]).sighting
    assert [(r.name, r.doubtful) for r in found.reads] == [("red-7", False), ("blue-3", True)]
    assert found.sets == ((0,), (1,))


def test_more_of_a_tile_than_the_box_holds_stay_in_doubt() -> None:
    places = [(100.0 + 40 * i, 200.0) for i in range(3)]
    first = sighting(*(read(RED_7 if i else MAYBE_7, at) for i, at in enumerate(places)))
    second = sighting(*(read(RED_7, at) for at in places))
    assert fuse([first, second]).sighting.doubts == (0, 1, 2)


def test_what_was_only_doubted_beside_a_third_copy_is_free_once_that_was_read() -> None:
    places = [(100.0 + 40 * i, 200.0) for i in range(3)]
    first = sighting(*(read(RED_7, at, doubtful=True) for at in places[:2]), read(MAYBE_7, places[2]))
    second = sighting(*(read(RED_7, at) for at in places[:2]), read(RED_1, places[2]))
    third = sighting(*(read(RED_7, at) for at in places[:2]), read(RED_1, places[2]))
    assert fuse([first, second, third]).sighting.doubts == ()


def test_a_flag_counts_where_all_pictures_have_it_and_a_hand_where_any_has() -> None:
    good = Quality()
    bad = Quality(
        sharp=False, glare=True, bright=True, packed=True, colourless=True, grey=True, hand=True,
        glare_px=((1.0, 2.0),), cut_off_px=((3.0, 4.0),),
    )  # fmt: skip
    assert fuse([sighting(quality=bad), sighting(quality=good)]).sighting.quality == Quality(hand=True)
    assert fuse([sighting(quality=bad), sighting(quality=bad)]).sighting.quality == bad


def test_the_times_of_all_pictures_are_added() -> None:
    assert fuse([sighting(), sighting(), sighting()]).sighting.timings_ms == {"read": 30.0}


@pytest.mark.parametrize("scale", ["tiles", "markers"])
def test_one_picture_or_pictures_without_markers_stand_for_themselves(scale: str) -> None:
    one = Sighting("rummikub", scale, (read(MAYBE_7),), ((0,),), sure_from=SURE_FROM)
    several = [one] if scale == "markers" else [one, one]
    assert fuse(several).sighting is one
