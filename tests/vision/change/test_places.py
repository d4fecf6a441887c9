"""Where tiles lay that cannot be found: the bare table is told from a book of its colour, and from the tile itself."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from referee.game.notation import parse_table
from referee.game.tiles import Colour, Tile
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import MAKES, Placed, Scene
from referee.vision.change.absence import Lies, Place, places, without_bare_places, without_shadows_outside
from referee.vision.change.bare_table import Bare
from referee.vision.change.occlusion import RIM_PX, TopView
from referee.vision.change.patches import match
from referee.vision.sighting import Quality, Read, Sighting

TABLE_MM = (900.0, 600.0)
CORNERS_MM = np.float32([[0, 0], [900, 0], [900, 600], [0, 600]])
CAMERA = Camera(x_mm=452, y_mm=298, width_px=1152, height_px=648, tilt_deg=0.5, pan_deg=-0.4, roll_deg=0.9)
EMPTY_SEED, LAID_SEED, NOW_SEED = 1, 2, 3


def row(text, x, y):
    (tiles,) = parse_table(text)
    return tuple(Placed(tile, x + 27.0 * i, y, 0.0) for i, tile in enumerate(tiles))


SETS = (*row("R10 B10 K10", 150, 150), *row("B3 B4 B5", 600, 300))
AT_THE_EDGE = (*row("R10 B10 K10", 300, -15), *row("B3 B4 B5", 600, 300))
LAST = SETS[-1].tile


@cache
def view(tiles, surface, seed, camera=CAMERA, look="cream"):
    """What a reader that errs in nothing makes of a picture."""
    scene = Scene(tiles=tiles, surface=surface, look=MAKES[look])
    picture = render(scene, camera, LIGHTS["even"], np.random.default_rng(seed))
    quads = truth(scene, camera)
    reads = [Read(tile.tile, 1.0, False, (), np.float32(quad), 0.0) for tile, quad in zip(tiles, quads, strict=True)]
    outline = np.float32(camera.project_flat(CORNERS_MM))
    made = TopView.from_sighting(
        picture, Sighting("rummikub", "markers", tuple(reads), (), outline_px=outline), TABLE_MM
    )
    assert made is not None
    return made


def bare_of(surface, tiles=SETS):
    """The table as it is known after a first turn."""
    return Bare.with_view(Bare.with_view(None, view((), surface, EMPTY_SEED)), view(tiles, surface, LAID_SEED))


def less(now, *indices):
    """A view in which some tiles were not found."""
    kept = [i for i in range(len(now.names)) if i not in indices]
    return replace(now, tiles=now.tiles[kept], names=tuple(now.names[i] for i in kept))


def under_a_book(now, colour, size_mm=(100.0, 80.0)):
    """The view with something flat over the last tile."""
    x, y = now.tiles[5].mean(axis=0)
    width, height = size_mm[0] * 0.3, size_mm[1] * 0.3
    picture = now.picture.copy()
    picture[int(y - height) : int(y + height), int(x - width) : int(x + width)] = colour
    return less(replace(now, picture=picture), 3, 4, 5)


def lies(known, now, bare):
    return {str(place.tile): place.lies for place in places(known, now, bare)}


@pytest.mark.parametrize("light", [1.0, 0.7])
def test_the_place_of_a_tile_that_was_taken_away_is_seen_bare(light):
    known, now = view(SETS, "walnut", LAID_SEED), view(SETS[:5], "walnut", NOW_SEED)
    assert lies(known, replace(now, picture=np.uint8(now.picture * light)), bare_of("walnut")) == {"B5": Lies.NOTHING}


def test_a_camera_that_was_knocked_sees_it_bare_too():
    known = view(SETS, "walnut", LAID_SEED)
    now = view(SETS[:5], "walnut", NOW_SEED, camera=replace(CAMERA, x_mm=455.0, roll_deg=1.4))
    assert lies(known, now, bare_of("walnut")) == {"B5": Lies.NOTHING}


@pytest.mark.parametrize("surface", ["white", "green"])
def test_a_table_without_texture_is_not_told_from_a_sheet_of_its_colour(surface):
    known, now = view(SETS, surface, LAID_SEED), view(SETS[:5], surface, NOW_SEED)
    assert lies(known, now, bare_of(surface)) == {"B5": Lies.UNTOLD}


def mean_of(views):
    return np.mean([one.picture for one in views], axis=0, dtype=np.float32)


@cache
def often_seen(surface, tiles=SETS):
    """The table as it is known from six pictures of it bare, and one with tiles."""
    bare = None
    for seed in range(20, 26):
        bare = Bare.with_view(bare, view((), surface, seed))
    return Bare.with_view(bare, view(tiles, surface, LAID_SEED))


@pytest.mark.parametrize("surface", ["blue", "white"])
def test_a_weak_texture_or_none_is_seen_again_in_the_mean_of_several_pictures(surface):
    """Cloth by its weave, lacquer by having just the colour that it had."""
    bare, known = often_seen(surface), view(SETS, surface, LAID_SEED)
    left = [view(SETS[:3], surface, seed) for seed in range(NOW_SEED, NOW_SEED + 5)]
    assert Lies.UNTOLD in lies(known, left[0], bare).values()
    assert {place.lies for place in places(known, left[0], bare, mean_of(left))} == {Lies.NOTHING}


def test_a_table_without_texture_is_known_in_another_light_and_after_many_looks_with_tiles():
    bare, known = often_seen("white"), view(SETS, "white", LAID_SEED)
    for seed in range(30, 40):
        laid = view(SETS, "white", seed)
        bare = Bare.with_view(bare, replace(laid, picture=np.uint8(laid.picture * (0.5 + 0.05 * seed % 0.5))))
    left = [view(SETS[:3], "white", seed) for seed in range(NOW_SEED, NOW_SEED + 5)]
    mean = mean_of(left) * np.float32(0.95)
    now = replace(left[0], picture=mean.astype(np.uint8))
    assert {place.lies for place in places(known, now, bare, mean)} == {Lies.NOTHING}


def with_a_sheet(views, sheet, size_mm, change=lambda picture: picture):
    """The views with a flat sheet (h, w, 3) of levels over the last three tiles, seen with noise of their own."""
    x, y = views[0].tiles[5].mean(axis=0)
    across, down = size_mm[0] * 0.3, size_mm[1] * 0.3
    here = np.s_[max(0, int(y - down)) : int(y + down), max(0, int(x - across)) : int(x + across)]
    rng = np.random.default_rng(7)
    for one in views:
        picture = one.picture.astype(np.float32)
        picture[here] = sheet[here] + rng.normal(0, 1.5, sheet[here].shape)
        picture = np.clip(np.rint(change(picture)), 0, 255).astype(np.uint8)
        yield less(replace(one, picture=picture), 3, 4, 5)


@pytest.mark.parametrize(
    "tint", [(1, 0.97, 1), (1.03, 1, 1), (0.98, 0.98, 0.98), (1.02, 1.02, 1.02), (0.98, 0.985, 0.985)]
)
@pytest.mark.parametrize("size_mm", [(78.0, 42.0), (210.0, 148.0), (297.0, 210.0)])
@pytest.mark.parametrize("surface", ["blue", "white"])
def test_a_sheet_of_nearly_the_tables_colour_is_not_taken_for_it_in_the_mean_either(surface, size_mm, tint):
    bare, known = often_seen(surface), view(SETS, surface, LAID_SEED)
    sheet = cv2.GaussianBlur(bare.mean.picture, (0, 0), 12) * np.float32(tint)
    laid = [view(SETS, surface, seed) for seed in range(NOW_SEED, NOW_SEED + 5)]
    covered = list(with_a_sheet(laid, sheet, size_mm))
    found = places(known, covered[0], bare, mean_of(covered))
    assert len(found) == 3
    assert Lies.NOTHING not in {place.lies for place in found}


@pytest.mark.parametrize("darker", [0.92, 0.95])
def test_what_is_bleached_looks_like_nothing(darker):
    bare, known = often_seen("white"), view(SETS, "white", LAID_SEED)
    laid = [view(SETS, "white", seed) for seed in range(NOW_SEED, NOW_SEED + 5)]
    sheet = bare.mean.picture * np.float32(darker)
    covered = list(with_a_sheet(laid, sheet, (100.0, 80.0), lambda picture: picture * 1.4))
    assert Lies.NOTHING not in {p.lies for p in places(known, covered[0], bare, mean_of(covered))}


def crossed_by_an_edge(known, depth, wide_px, slant):
    """What a light does whose edge runs through the place of the last tile but one, as a change of a picture."""
    x, y = known.tiles[4].mean(axis=0)
    rows, columns = np.indices(known.picture.shape[:2], np.float32)
    away = (columns - x) + slant * (rows - y)
    factor = (1 - depth / 2 * (1 + np.tanh(away * 2 / wide_px)))[..., None]
    return lambda picture: picture * factor


@pytest.mark.parametrize(
    ("depth", "wide_px", "slant"),
    [(0.02, 6, 0.7), (0.04, 9, 0.0), (0.1, 9, 0.0), (0.1, 3, 0.7), (0.25, 2, 0.0), (0.25, 2, 0.7), (0.4, 5, 0.0)],
)
@pytest.mark.parametrize("darker", [0.8, 0.95])
def test_an_edge_of_light_that_falls_on_a_sheet_as_well_is_not_the_table(depth, wide_px, slant, darker):
    known = view(SETS, "white", LAID_SEED)
    edge = crossed_by_an_edge(known, depth, wide_px, slant)

    def lit(one):
        return replace(one, picture=np.uint8(np.rint(edge(one.picture))))

    bare = None
    for seed in range(20, 26):
        bare = Bare.with_view(bare, lit(view((), "white", seed)))
    sheet = cv2.GaussianBlur(view((), "white", 20).picture.astype(np.float32), (0, 0), 12) * np.float32(darker)
    laid = [view(SETS, "white", seed) for seed in range(NOW_SEED, NOW_SEED + 5)]
    covered = list(with_a_sheet(laid, sheet, (60.0, 60.0), edge))
    for mean in (None, mean_of(covered)):
        assert Lies.NOTHING not in {p.lies for p in places(lit(known), covered[0], bare, mean)}


@pytest.mark.parametrize("tint", [(0.8, 0.8, 0.8), (1, 1, 0.85)])
def test_what_lies_over_most_of_the_table_is_not_taken_for_another_light(tint):
    bare, known = often_seen("white"), view(SETS, "white", LAID_SEED)
    sheet = cv2.GaussianBlur(bare.mean.picture, (0, 0), 12) * np.float32(tint)
    laid = [view(SETS, "white", seed) for seed in range(NOW_SEED, NOW_SEED + 5)]
    covered = list(with_a_sheet(laid, sheet, (780.0, 1200.0)))
    assert Lies.NOTHING not in {p.lies for p in places(known, covered[0], bare, mean_of(covered))}


def test_the_slope_of_a_light_is_no_texture():
    """It falls on the table and on a sheet alike, and must not be what both are recognised by."""
    light = np.linspace(150, 210, 120, dtype=np.float32)[None, :, None] * np.ones((90, 1, 3), np.float32)
    rng = np.random.default_rng(3)
    one, other = (light + rng.normal(0, 0.4, light.shape).astype(np.float32) for _ in range(2))
    inside = np.zeros((90, 120), bool)
    inside[30:50, 40:56] = True
    assert abs(match(one, other, inside).correlation) < 0.25


@pytest.mark.parametrize("light", [0.75, 1.0, 1.2])
@pytest.mark.parametrize("surface", ["walnut", "oak", "pine", "white", "green", "blue"])
def test_a_book_of_the_tables_colour_is_never_taken_for_the_table(surface, light):
    known, bare = view(SETS, surface, LAID_SEED), bare_of(surface)
    colour = np.median(bare.first, axis=(0, 1)) * light
    for size_mm in ((100.0, 80.0), (78.0, 42.0)):
        found = lies(known, under_a_book(view(SETS, surface, NOW_SEED), colour, size_mm), bare)
        assert Lies.NOTHING not in found.values()
        assert len(found) == 3


def in_its_shadow(now, depth=0.4, reach_px=9.0):
    """The view with a deep shadow around every tile."""
    away = cv2.distanceTransform((~now.fill(now.tiles)).astype(np.uint8), cv2.DIST_L2, 5)
    factor = np.where(away > 0, 1 - depth * np.clip(1 - away / reach_px, 0, 1), 1.0)
    return replace(now, picture=np.uint8(now.picture * factor[..., None]))


@pytest.mark.parametrize("surface", ["oak", "pine"])
def test_the_table_is_seen_in_the_shadow_of_a_tile_that_is_left(surface):
    known, bare = view(SETS, surface, LAID_SEED), bare_of(surface)
    assert lies(known, in_its_shadow(view(SETS[:5], surface, NOW_SEED)), bare) == {"B5": Lies.NOTHING}
    sheet = under_a_book(view(SETS, surface, NOW_SEED), np.median(bare.first, axis=(0, 1)), (24.0, 36.0))
    covered = less(replace(view(SETS, surface, NOW_SEED), picture=sheet.picture), 5)
    assert lies(known, in_its_shadow(covered), bare)["B5"] is not Lies.NOTHING


SHADOWS = [(0.2, 7.0), (0.4, 7.0), (0.3, 8.0)]


@pytest.mark.parametrize(("depth", "reach_px"), SHADOWS)
@pytest.mark.parametrize("surface", ["white", "green", "blue", "oak"])
def test_the_table_is_seen_beyond_the_shadow_of_a_neighbour_in_the_mean(surface, depth, reach_px):
    bare, known = often_seen(surface), view(SETS, surface, LAID_SEED)
    left = [in_its_shadow(view(SETS[:5], surface, seed), depth, reach_px) for seed in range(NOW_SEED, NOW_SEED + 5)]
    assert places(known, left[0], bare, mean_of(left)) == (Place(LAST, Lies.NOTHING),)


@pytest.mark.parametrize(("depth", "reach_px"), SHADOWS)
@pytest.mark.parametrize("tint", [(1, 0.97, 1), (1.03, 1, 1), (0.98, 0.98, 0.98), (1.02, 1.02, 1.02)])
@pytest.mark.parametrize("surface", ["white", "green", "blue", "oak"])
def test_a_sheet_in_the_shadow_of_a_neighbour_is_not_taken_for_the_table(surface, tint, depth, reach_px):
    bare, known = often_seen(surface), view(SETS, surface, LAID_SEED)
    sheet = cv2.GaussianBlur(bare.mean.picture, (0, 0), 12) * np.float32(tint)
    laid = [view(SETS[:5], surface, seed) for seed in range(NOW_SEED, NOW_SEED + 5)]
    x, y = (int(at) for at in known.tiles[5].mean(axis=0))
    here = np.s_[y - 20 : y + 20, x - 8 : x + 30]
    covered = []
    for one in laid:
        picture = one.picture.copy()
        picture[here] = np.clip(np.rint(sheet[here]), 0, 255)
        covered.append(in_its_shadow(replace(one, picture=picture), depth, reach_px))
    (found,) = places(known, covered[0], bare, mean_of(covered))
    assert found.lies is not Lies.NOTHING


@pytest.mark.parametrize(("depth", "reach_px"), SHADOWS)
@pytest.mark.parametrize(
    ("surface", "look"), [("white", "white"), ("white", "cream"), ("oak", "maple"), ("blue", "cream")]
)
def test_a_tile_in_the_shadow_of_its_neighbour_is_not_taken_for_the_table(surface, look, depth, reach_px):
    bare, known = often_seen(surface), view(SETS, surface, LAID_SEED, look=look)
    laid = [view(SETS, surface, seed, look=look) for seed in range(NOW_SEED, NOW_SEED + 5)]
    missed = [in_its_shadow(less(one, 5), depth, reach_px) for one in laid]
    (found,) = places(known, missed[0], bare, mean_of(missed))
    assert found.lies is not Lies.NOTHING


@pytest.mark.parametrize("light", [1.0, 0.9])
@pytest.mark.parametrize("gap_mm", [54.0, 75.0, 110.0])
@pytest.mark.parametrize("surface", ["oak", "pine", "walnut"])
def test_a_grain_along_the_edges_of_tiles_is_not_found_in_a_sheet(surface, gap_mm, light):
    """What is taken away as shadow, ring by ring around tiles, must not paint the table onto what lies there."""
    laid = (*row("R10 B10 K10", 600, 300 - gap_mm), *row("B3 B4 B5", 600, 300))
    bare = Bare.with_view(Bare.with_view(None, view((), surface, EMPTY_SEED)), view(laid, surface, LAID_SEED))
    colour = np.median(bare.first, axis=(0, 1)) * light
    covered = under_a_book(view(laid, surface, NOW_SEED), colour, (100.0, 42.0))
    assert Lies.NOTHING not in lies(view(laid, surface, LAID_SEED), covered, bare).values()


def test_a_table_that_was_seen_near_its_tiles_only_is_known_there():
    grown = view(SETS, "oak", LAID_SEED)
    bare = Bare.with_view(Bare.with_view(None, view(SETS[:5], "oak", EMPTY_SEED)), grown)
    assert lies(grown, view(SETS[:5], "oak", NOW_SEED), bare) == {"B5": Lies.NOTHING}


def test_whatever_lies_there_visibly_is_seen():
    known, now = view(SETS, "walnut", LAID_SEED), view(SETS, "walnut", NOW_SEED)
    for bare in (None, bare_of("walnut")):
        found = lies(known, under_a_book(now, (110, 50, 20)), bare)
        assert found == {"B3": Lies.SOMETHING, "B4": Lies.SOMETHING, "B5": Lies.SOMETHING}
    brown = lies(known, under_a_book(now, (40, 60, 90)), bare_of("walnut"))
    assert brown["B5"] is Lies.SOMETHING


def test_a_place_that_was_never_seen_bare_tells_nothing():
    known, now = view(SETS, "walnut", LAID_SEED), view(SETS[:5], "walnut", NOW_SEED)
    assert lies(known, now, None) == {"B5": Lies.UNTOLD}
    assert lies(known, now, Bare.with_view(None, known)) == {"B5": Lies.UNTOLD}


def test_tiles_that_overhang_the_edge_are_looked_for_there():
    known, now = view(AT_THE_EDGE, "walnut", LAID_SEED), view(AT_THE_EDGE, "walnut", NOW_SEED)
    picture = now.picture.copy()
    picture[: RIM_PX + 8, 120:300] = (110, 50, 20)
    pushed = less(replace(now, picture=picture), 0, 1, 2)
    assert set(lies(known, pushed, bare_of("walnut", AT_THE_EDGE)).values()) == {Lies.SOMETHING}
    taken = view(AT_THE_EDGE[3:], "walnut", NOW_SEED)
    assert set(lies(known, taken, bare_of("walnut", AT_THE_EDGE)).values()) == {Lies.NOTHING}


@pytest.mark.parametrize(("surface", "look"), [("walnut", "cream"), ("white", "white"), ("oak", "maple")])
@pytest.mark.parametrize("light", [1.0, 0.95, 0.8, 0.6])
def test_a_tile_that_was_not_found_lies_there_still_whatever_the_light(surface, look, light):
    known = view(SETS, surface, LAID_SEED, look=look)
    now = less(view(SETS, surface, NOW_SEED, look=look), 0)
    assert lies(known, replace(now, picture=np.uint8(now.picture * light)), None) == {"R10": Lies.SOMETHING}
    gone = view(SETS[1:], surface, NOW_SEED, look=look)
    assert lies(known, replace(gone, picture=np.uint8(gone.picture * light)), None) == {"R10": Lies.UNTOLD}


def test_it_lies_there_still_in_a_shadow_and_where_the_camera_was_knocked():
    known = view(SETS, "walnut", LAID_SEED)
    now = less(view(SETS, "walnut", NOW_SEED), 0)
    picture = now.picture.astype(float)
    picture[70:150, 70:160] *= 0.8
    assert lies(known, replace(now, picture=np.uint8(picture)), None) == {"R10": Lies.SOMETHING}
    knocked = view(SETS, "walnut", NOW_SEED, camera=replace(CAMERA, x_mm=453.0, roll_deg=1.2))
    assert lies(known, less(knocked, 0), None) == {"R10": Lies.SOMETHING}


def test_where_other_tiles_lie_by_now_it_lies_no_more():
    known = view(SETS, "walnut", LAID_SEED)
    other = (*SETS[:5], replace(SETS[5], tile=parse_table("K9")[0][0], y_mm=SETS[5].y_mm + 20))
    assert lies(known, view(other, "walnut", NOW_SEED), None) == {"B5": Lies.NOTHING}
    moved_up = (*SETS[:4], replace(SETS[5], x_mm=SETS[4].x_mm))
    assert lies(known, view(moved_up, "walnut", NOW_SEED), None) == {"B4": Lies.NOTHING}
    misread = (*SETS[:5], replace(SETS[5], tile=parse_table("B6")[0][0]))
    assert lies(known, view(misread, "walnut", NOW_SEED), None) == {"B5": Lies.UNTOLD}
    back = (*SETS[:5], replace(SETS[5], tile=None, y_mm=SETS[5].y_mm + 20))  # a card may be taken for one
    assert lies(known, view(back, "walnut", NOW_SEED), None) == {"B5": Lies.UNTOLD}


def test_tiles_are_counted_and_those_that_were_moved_are_not_missing():
    moved = tuple(replace(tile, y_mm=tile.y_mm + 90) for tile in SETS)
    known = view(SETS, "walnut", LAID_SEED)
    assert places(known, view(moved, "walnut", NOW_SEED), None) == ()
    assert places(known, replace(known, picture=known.picture[:50], names=(), tiles=known.tiles[:0]), None) == ()


def test_all_of_a_table_may_be_gone():
    known, now = view(SETS, "walnut", LAID_SEED), view((), "walnut", NOW_SEED)
    assert set(lies(known, now, bare_of("walnut")).values()) == {Lies.NOTHING}
    assert places(view((), "walnut", LAID_SEED), now, bare_of("walnut")) == ()


def test_a_table_full_of_tiles_tells_nothing():
    known = view(SETS, "walnut", LAID_SEED)
    whole = np.float32([[[0, 0], [600, 0], [600, 420], [0, 420]]])
    full = replace(known, tiles=np.concatenate([known.tiles[:5], whole]), names=(*known.names[:5], None))
    assert lies(known, full, bare_of("walnut")) == {"B5": Lies.UNTOLD}


def test_what_was_let_stay_for_a_while_is_not_the_table():
    empty, bowl = view((), "walnut", EMPTY_SEED), view((), "walnut", EMPTY_SEED)
    bowl = replace(bowl, picture=cv2.circle(bowl.picture.copy(), (394, 204), 40, (200, 30, 30), -1))
    known, now = view(SETS, "walnut", LAID_SEED), view(SETS[:5], "walnut", NOW_SEED)
    for first, last in ((empty, bowl), (bowl, empty)):
        bare = Bare.with_view(Bare.with_view(Bare.with_view(None, first), last), known)
        assert lies(known, now, bare) == {"B5": Lies.NOTHING}


@pytest.mark.parametrize(("doubtful", "expected"), [(True, Lies.SOMETHING), (False, Lies.NOTHING)])
def test_a_tile_in_doubt_across_two_places_takes_neither(doubtful, expected):
    """Two tiles side by side that were outlined as one lie there still; a tile that is certain leaves no room."""
    known, now = view(SETS, "walnut", LAID_SEED), view(SETS, "walnut", NOW_SEED)
    across = now.tiles[4] + 0.41 * (now.tiles[5] - now.tiles[4])
    names = (*now.names[:4], Tile(9, Colour.BLACK))
    one = replace(now, tiles=np.concatenate([now.tiles[:4], across[None]]), names=names,
                  doubtful=frozenset([4] if doubtful else []))  # fmt: skip
    assert lies(known, one, bare_of("walnut"))["B5"] is expected


@pytest.mark.parametrize(("confidence", "doubtful"), [(0.95, frozenset()), (0.5, frozenset([5]))])
def test_a_tile_that_players_have_named_is_outlined_no_better_than_before(confidence, doubtful):
    """A word settles what the tile is, and not where it lies."""
    seen = perhaps(SETS)
    reads = [replace(read, confidence=1.0) for read in seen.reads[:5]]
    named = replace(seen, reads=(*reads, replace(seen.reads[5], confidence=confidence)), sure_from=0.9)
    picture = render(Scene(tiles=SETS, surface="walnut"), CAMERA, LIGHTS["even"], np.random.default_rng(1))
    now = TopView.from_sighting(picture, named, TABLE_MM)
    assert now is not None
    assert now.doubtful == now.with_sighting(named).doubtful == doubtful


def perhaps(laid, *bare):
    """The sighting behind tiles of which some may not be there at all."""
    quads = truth(Scene(tiles=laid), CAMERA)
    reads = [
        Read(tile.tile, 0.5, i in bare, (("face-down", 0.5),), np.float32(quad), 0.0, tile.x_mm, tile.y_mm,
             bare=0.5 if i in bare else 0.0)
        for i, (tile, quad) in enumerate(zip(laid, quads, strict=True))
    ]  # fmt: skip
    return Sighting("rummikub", "markers", tuple(reads), (), outline_px=np.float32(CAMERA.project_flat(CORNERS_MM)))


def shown_as(sighting, shown):
    """A view in which the tiles of the sighting are believed in, but only those of `shown` lie on the table."""
    now = view(shown, "walnut", NOW_SEED)
    return TopView(now.picture, view(SETS, "walnut", LAID_SEED).tiles, tuple(read.tile for read in sighting.reads))


def test_a_place_that_looks_as_the_table_did_bare_is_bare():
    seen = perhaps(SETS, 5)
    left = without_bare_places(seen, shown_as(seen, SETS[:5]), bare_of("walnut"))
    assert [read.tile for read in left.reads] == [tile.tile for tile in SETS[:5]]
    assert sorted(map(len, left.sets)) == [2, 3]


def test_a_tile_that_lies_there_stays_in_doubt():
    seen = perhaps(SETS, 5)
    assert without_bare_places(seen, shown_as(seen, SETS), bare_of("walnut")) is seen


@pytest.mark.parametrize("known", [None, "elsewhere"])
def test_a_place_that_was_never_seen_bare_stays_in_doubt(known):
    seen = perhaps(SETS, 5)
    bare = None if known is None else Bare.with_view(None, view(SETS, "walnut", LAID_SEED))
    assert without_bare_places(seen, shown_as(seen, SETS[:5]), bare) is seen


OUTSIDE = Placed(None, 300.0, -17.0, 0.0)
RED_7 = Tile(7, Colour.RED)


@pytest.mark.parametrize(
    ("changed", "stays"),
    [
        pytest.param({}, False, id="a shadow that may be a back"),
        pytest.param({"tile": RED_7, "bare": 0.4}, False, id="a shadow that may be a print"),
        pytest.param({"tile": RED_7}, True, id="a print that is not clear"),
        pytest.param({"doubtful": False}, True, id="a back beyond doubt"),
        pytest.param({"y_mm": 17.0}, True, id="a doubt inside the play area"),
    ],
)
def test_outside_the_play_area_only_what_may_be_a_print_is_in_doubt(changed, stays):
    seen = perhaps((*SETS[:1], OUTSIDE, *SETS[1:]))
    last = len(seen.reads) - 1
    odd = replace(seen.reads[1], **{"doubtful": True, **changed})
    quality = Quality(bleached=frozenset({1, last}), unlit=frozenset({0}))
    seen = replace(seen, reads=(seen.reads[0], odd, *seen.reads[2:]), quality=quality, table_mm=TABLE_MM)
    left = without_shadows_outside(seen)
    assert len(left.reads) == len(seen.reads) - (not stays)
    if not stays:
        assert [read.tile for read in left.reads] == [tile.tile for tile in SETS]
        assert (left.quality.bleached, left.quality.unlit) == ({last - 1}, {0})
