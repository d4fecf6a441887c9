"""What a look is held against: the confirmed table, the bare one, and pictures from before a power cut."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from referee.devices.camera.camera import Frame
from referee.errors import CannotJudge
from referee.game.notation import parse_table
from referee.game.table import tiles_on
from referee.game.tiles import TILE_SETS
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import MAKES, Placed, Scene
from referee.table.looking.known_table import KnownTable
from referee.table.looking.look import Earlier
from referee.table.looking.table_watcher import MORE, MOST, TableWatcher
from referee.vision.change.absence import Lies
from referee.vision.change.occlusion import TopView
from referee.vision.sighting import Read, Sighting

TABLE_MM = (900.0, 600.0)
BOX = TILE_SETS["rummikub"]
CAMERA = Camera(x_mm=452, y_mm=298, width_px=1152, height_px=648)
CORNERS_MM = np.float32([[0, 0], [900, 0], [900, 600], [0, 600]])
GROUP, RUN = parse_table("R10 B10 K10 | B3 B4 B5")
EARLY = tuple(Placed(tile, 150 + 27.0 * i, 150, 0.0) for i, tile in enumerate(GROUP))
LATE = (*EARLY, *(Placed(tile, 600 + 27.0 * i, 300, 0.0) for i, tile in enumerate(RUN)))


@cache
def taken(tiles, seed, surface="walnut"):
    """A picture, and what a reader that errs in nothing sees in it."""
    scene = Scene(tiles=tiles, surface=surface, look=MAKES["cream"])
    picture = render(scene, CAMERA, LIGHTS["even"], np.random.default_rng(seed))
    quads = truth(scene, CAMERA)
    reads = tuple(Read(t.tile, 1.0, False, (), np.float32(q), 0.0, t.x_mm, t.y_mm)
                  for t, q in zip(tiles, quads, strict=True))  # fmt: skip
    sets = tuple(tuple(range(i, i + 3)) for i in range(0, len(tiles) - 2, 3))
    return picture, Sighting(
        "rummikub", "markers", reads, sets, outline_px=np.float32(CAMERA.project_flat(CORNERS_MM))
    )


def view(tiles, seed):
    made = TopView.from_sighting(*taken(tiles, seed), TABLE_MM)
    assert made is not None
    return made


def lies(table, now):
    return {str(place.tile): place.lies for place in table.places(now)}


def test_what_pictures_from_before_a_cut_show_tells_that_a_place_is_bare():
    table = KnownTable()
    late = view(LATE[:5], 3)
    assert (table.covers_in(late), table.places(late)) == ((), ())
    table.recall(view(LATE, 2), confirmed=True)
    assert table.has_confirmed_view
    assert not table.is_accustomed
    assert lies(table, view(LATE[:5], 3)) == {"B5": Lies.UNTOLD}
    table.recall(view(EARLY, 1), confirmed=False)
    assert lies(table, view(LATE[:5], 3)) == {"B5": Lies.NOTHING}
    table.clear()
    assert not table.has_confirmed_view


def test_what_was_confirmed_since_stands():
    table = KnownTable()
    table.confirm(view(EARLY, 1))
    table.recall(view(LATE, 2), confirmed=True)
    assert lies(table, view(EARLY, 3)) == {}
    assert table.is_accustomed


class Still:
    """A camera before which nothing moves, and a reader that knows its pictures."""

    def __init__(self, tiles, seed):
        self.shown = taken(tiles, seed)[0]
        self.known = {id(taken(*key)[0]): taken(*key)[1] for key in ((tiles, seed), (EARLY, 1), (LATE, 2))}

    def frame(self, after):
        return Frame(self.shown, after + 0.1)

    def preview(self, after):  # noqa: ARG002
        return np.full((120, 160), 80, np.uint8)

    def read(self, picture, tileset, table_mm, *, marked_only):  # noqa: ARG002
        if id(picture) not in self.known:
            raise CannotJudge("no markers")
        return self.known[id(picture)]


def before_the_cut(pictures, *, lacks):
    return Earlier(pictures, lambda table: tiles_on(table) == tiles_on((GROUP, RUN)), lambda _: lacks)


def test_who_waits_for_a_table_that_lacks_a_tile_gets_all_of_them_looked_at():
    still = Still(LATE[:5], 3)
    pictures = iter([taken(LATE, 2)[0], taken(EARLY, 1)[0]])
    watcher = TableWatcher(
        still, still, lambda: BOX, TABLE_MM, lambda: 1.0, earlier=before_the_cut(pictures, lacks=True)
    )
    assert [(str(place.tile), place.lies) for place in watcher.look(1.0).places] == [("B5", Lies.NOTHING)]
    assert not list(pictures)


@pytest.mark.parametrize("cleared", [False, True])
def test_earlier_pictures_are_looked_at_one_by_one_while_nobody_waits(cleared):
    still = Still(LATE[:5], 3)
    pictures = iter([np.zeros_like(still.shown), taken(LATE, 2)[0], taken(EARLY, 1)[0]])
    watcher = TableWatcher(
        still, still, lambda: BOX, TABLE_MM, lambda: 1.0, earlier=before_the_cut(pictures, lacks=False)
    )
    if cleared:
        watcher.clear()
    assert watcher.look(1.0).places == ()
    for _ in range(5):
        watcher.glance()
    look = watcher.look(1.0)
    assert [(str(place.tile), place.lies) for place in look.places] == ([] if cleared else [("B5", Lies.NOTHING)])
    assert len(list(pictures)) == (3 if cleared else 0)


@pytest.mark.parametrize("ahead", [False, True])
def test_the_table_read_ahead_before_anything_was_laid_is_known_all_round(ahead):
    """Also in the next round: other tiles lie there, but the table is the same."""
    still = Still((), 4)
    still.known = {id(taken(*key)[0]): taken(*key)[1] for key in (((), 4), (LATE, 2), (LATE[:5], 3))}
    watcher = TableWatcher(still, still, lambda: BOX, TABLE_MM, lambda: 1.0)
    if ahead:
        watcher.read_ahead()
    for _round in range(2):
        watcher.clear()
        still.shown = taken(LATE, 2)[0]
        watcher.confirm(watcher.look(1.0))
        still.shown = taken(LATE[:5], 3)[0]
        told = [(str(place.tile), place.lies) for place in watcher.look(1.0).places]
        assert told == [("B5", Lies.NOTHING if ahead else Lies.UNTOLD)]
        if not ahead:
            break


def test_a_table_over_which_a_hand_rests_is_not_what_is_known():
    still = Still((), 4)
    picture, sighting = taken((), 4)
    still.known = {id(picture): replace(sighting, quality=replace(sighting.quality, hand=True))}
    watcher = TableWatcher(still, still, lambda: BOX, TABLE_MM, lambda: 1.0)
    watcher.read_ahead()
    for tiles, seed in ((LATE, 2), (LATE[:5], 3)):
        picture, sighting = taken(tiles, seed)
        still.shown, still.known = picture, {id(picture): sighting}
        look = watcher.look(1.0)
        watcher.confirm(look)
    assert [(str(place.tile), place.lies) for place in look.places] == [("B5", Lies.UNTOLD)]


class Noisy:
    """A camera whose pictures of one table differ in their noise, and a reader that knows them all."""

    def __init__(self, surface, grain=0.0):
        """`grain` is the standard deviation of noise, in levels, that is added to that of the room."""
        self.surface, self.grain, self.tiles, self.seed, self.moves = surface, grain, (), 100, False
        self.known, self.kept = {}, []

    def frame(self, after):
        self.seed += 1
        picture, sighting = taken(self.tiles, self.seed, self.surface)
        grain = np.random.default_rng(self.seed).normal(0, 1, picture.shape) * self.grain
        picture = np.clip(picture + grain, 0, 255).astype(np.uint8)
        self.known[id(picture)] = sighting
        self.kept.append(picture)
        return Frame(picture, after + 0.1)

    def preview(self, after):  # noqa: ARG002
        grey = np.full((120, 160), 80, np.uint8)
        if self.moves and len(self.kept) > self.moves:
            grey[40:80, 60:100] = 200
        return grey

    def read(self, picture, tileset, table_mm, *, marked_only):  # noqa: ARG002
        return self.known[id(picture)]


@pytest.mark.parametrize("moves", [False, True])
def test_a_place_on_a_table_without_texture_is_told_from_the_mean_of_more_pictures(moves):
    """And from none where something has moved in the meantime."""
    room = Noisy("white")
    watcher = TableWatcher(room, room, lambda: BOX, TABLE_MM, lambda: 1.0)
    watcher.read_ahead()
    room.tiles = LATE
    watcher.confirm(watcher.look(1.0))
    room.tiles = EARLY
    room.moves = len(room.kept) + 4 if moves else False
    look = watcher.look(1.0)
    assert {place.lies for place in look.places} == {Lies.UNTOLD if moves else Lies.NOTHING}
    assert look.clear is not moves
    assert look.frames == (2 if moves else 2 + MORE)


@pytest.mark.parametrize(("grain", "frames"), [(7.0, 2 + 2 * MORE), (14.0, 2 + MOST)])
def test_more_pictures_are_taken_before_players_are_asked_about_a_tile_that_is_gone(grain, frames):
    """Where five pictures leave too much noise on the weave of a cloth, ten show it; in still more noise none do."""
    room = Noisy("green", grain)
    watcher = TableWatcher(room, room, lambda: BOX, TABLE_MM, lambda: 1.0)
    watcher.read_ahead()
    room.tiles = LATE
    watcher.confirm(watcher.look(1.0))
    room.tiles = EARLY
    look = watcher.look(1.0)
    assert look.frames == frames
    assert look.clear is (frames < 2 + MOST)
