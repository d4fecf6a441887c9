"""What an evening teaches: bounded, from sure reads only, forgotten when it no longer holds."""

import json
from dataclasses import replace

import numpy as np
import pytest
from made_up import INKS, box_for, embedding_of, prior_for, sighting_for

from referee.game.tiles import Colour, tile_set
from referee.vision.boxes.box import SURPRISE, likeness
from referee.vision.boxes.evening import HOURS_S, JUMP, MOST_PRINTS, MOST_TABLES, Evening, table_inks
from referee.vision.reading.inks import read_inks

GIN = tile_set("gin")
T = 1.7e9
NAMES = [f"{c}-{n}" for c in ("red", "blue", "black") for n in (3, 4, 5)]


def shifted(sighting, by):
    """The sighting in another light: every ink absorbs so much more."""
    reads = tuple(replace(r, absorbed=tuple(a + by for a in r.absorbed)) for r in sighting.reads)
    return replace(sighting, reads=reads)


def after(*sightings):
    evening = Evening("k")
    for i, sighting in enumerate(sightings):
        evening = evening.with_table(sighting, 1800, T + 60 * i)
    return evening


def test_the_inks_of_a_table_are_those_of_its_sure_tiles() -> None:
    sighting = sighting_for([*NAMES, "joker", "face-down", "yellow-1"], GIN, {11: "red-1"})
    inks = table_inks(sighting)
    assert inks is not None
    assert inks.colours == (Colour.BLACK, Colour.BLUE, Colour.RED)
    assert inks.tiles == (3, 3, 3)
    assert np.allclose(inks.means[2], INKS[Colour.RED])


def test_a_table_without_measured_inks_teaches_nothing() -> None:
    bare = sighting_for(NAMES, GIN)
    reads = tuple(replace(read, absorbed=None) for read in bare.reads)
    assert after(replace(bare, reads=reads)) == Evening("k")
    assert after(replace(bare, scale="tiles")) == Evening("k")


def test_doubtful_reads_teach_neither_inks_nor_faces() -> None:
    evening = after(sighting_for(["red-3", "blue-7"], GIN, {1: "blue-1"}))
    assert evening.tables[0].colours == (Colour.RED,)
    assert set(evening.prints) == {3}


def test_what_is_kept_is_bounded_and_the_newest() -> None:
    sighting = sighting_for(NAMES, GIN)
    evening = after(*[shifted(sighting, 0.001 * i) for i in range(MOST_TABLES + 5)])
    assert len(evening.tables) == MOST_TABLES
    assert np.allclose(evening.tables[-1].means[2], np.asarray(INKS[Colour.RED]) + 0.001 * (MOST_TABLES + 4))
    assert all(len(rows) == MOST_PRINTS for rows in evening.prints.values())
    assert len(json.dumps(evening.to_json())) < 300_000


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda s: (shifted(s, JUMP + 0.01), 1800, T + 60), id="another light"),
        pytest.param(lambda s: (s, 1200, T + 60), id="another camera or mode"),
        pytest.param(lambda s: (replace(s, outline_px=s.outline_px + 90), 1800, T + 60), id="a camera that was moved"),
        pytest.param(lambda s: (replace(s, outline_px=None), 1800, T + 60), id="no play area"),
        pytest.param(lambda s: (replace(s, tileset="classic"), 1800, T + 60), id="another box"),
        pytest.param(lambda s: (s, 1800, T + HOURS_S + 1), id="another evening"),
        pytest.param(lambda s: (s, 1800, T - 3600), id="a clock that was set back"),
    ],
)
def test_it_is_forgotten_when_it_no_longer_holds(other) -> None:
    sighting = sighting_for(NAMES, GIN)
    evening = after(sighting).with_table(*other(sighting))
    assert len(evening.tables) == 1


@pytest.mark.parametrize("by", [0.0, 0.05, -0.05])
def test_small_changes_are_still_the_same_evening(by) -> None:
    sighting = sighting_for(NAMES, GIN)
    evening = after(sighting).with_table(
        shifted(replace(sighting, outline_px=sighting.outline_px + 4), by), 1800, T + 60
    )
    assert len(evening.tables) == 2


def test_few_tiles_do_not_tell_another_light() -> None:
    evening = after(sighting_for(NAMES, GIN), shifted(sighting_for(["red-3", "red-4"], GIN), 0.3))
    assert len(evening.tables) == 2


def test_it_comes_back_from_plain_values() -> None:
    evening = after(sighting_for([*NAMES, "joker"], GIN))
    again = Evening.from_json(json.loads(json.dumps(evening.to_json())))
    assert (again.key, again.tileset, again.t) == (evening.key, evening.tileset, evening.t)
    assert np.allclose(again.tables[0].means, evening.tables[0].means, atol=1e-4)
    assert set(again.prints) == {0, 3, 4, 5}
    assert Evening.from_json(Evening("k").to_json()) == Evening("k")
    assert again.fresh("k", T + 60)
    assert not again.fresh("other", T + 60)


@pytest.mark.parametrize(
    "change",
    [{"prints": {"14": [[0.0] * 64]}}, {"prints": {"3": [[1.0]]}}, {"t": None}, {"tables": [{"colours": ["pink"]}]},
     {"tables": [{"colours": ["red"], "means": [[float("nan")] * 3], "tiles": [1]}]}, {"outline": [1]}],
)  # fmt: skip
def test_other_values_are_refused(change) -> None:
    value = {**after(sighting_for(NAMES, GIN)).to_json(), **change}
    with pytest.raises((ValueError, KeyError, TypeError)):
        Evening.from_json(value)


def test_nothing_seen_changes_no_prior() -> None:
    prior = prior_for(GIN)
    assert Evening("k").sharpen(prior) is prior


def test_a_prior_is_sharpened_for_the_inks_that_were_seen_and_never_for_others() -> None:
    prior = prior_for(GIN, 0.2)
    evening = after(*[shifted(sighting_for(NAMES, GIN), 0.1)] * 3)
    sharp = evening.sharpen(prior)
    assert np.isclose(sharp.weights.sum(), 1)
    assert np.isclose(sharp.weights[-1], SURPRISE)
    red, yellow = prior.colours.index(Colour.RED), prior.colours.index(Colour.YELLOW)
    assert np.allclose(sharp.means[0, red, 0], np.asarray(INKS[Colour.RED]) + 0.1)
    assert sharp.covariances[0, red, 0, 0, 0] < 0.08**2
    assert np.allclose(sharp.means[0, yellow], prior.means[0, yellow])
    assert np.allclose(sharp.covariances[0, yellow], prior.covariances[0, yellow])


def test_an_ink_between_two_names_is_told_by_the_evening() -> None:
    """A teal that anybody's prior takes for black or blue alike is blue once sure tiles have shown both."""
    prior = prior_for(GIN, 0.25)
    teal = tuple(0.5 * a + 0.5 * b for a, b in zip(INKS[Colour.BLACK], INKS[Colour.BLUE], strict=True))
    table = sighting_for(["blue-3", "blue-4", "blue-5", "black-3", "black-4", "black-5"], GIN)
    reads = [replace(r, absorbed=teal if r.tile.colour is Colour.BLUE else r.absorbed) for r in table.reads]
    evening = after(*[replace(table, reads=tuple(reads))] * 2)
    one, spread = np.asarray([teal], np.float32), np.full((1, 3), 0.05, np.float32)
    blue = prior.colours.index(Colour.BLUE)
    before, now = (read_inks(one, spread, p).chances[0, blue] for p in (prior, evening.sharpen(prior)))
    assert before < 0.9
    assert now > 0.98


def test_an_enrolled_box_gets_the_light_of_the_evening_and_its_faces() -> None:
    box, prior = box_for(GIN), prior_for(GIN)
    evening = after(*[shifted(sighting_for(NAMES, GIN), 0.05)] * 3)
    taught = evening.teach_box(box, prior)
    assert len(taught.inks) == len(box.inks) + 1
    assert np.allclose(taught.inks[-1, box.colours.index(Colour.RED)], np.asarray(INKS[Colour.RED]) + 0.05)
    assert np.isfinite(taught.inks).all()
    assert taught.faces[len(box.faces) :] == (2, 3, 4)
    assert taught.to_json()["faces"] == list(taught.faces)
    rows = np.asarray([embedding_of("red-3"), embedding_of("red-9")])
    assert np.allclose(likeness(taught, rows), likeness(box, rows), atol=0.02)


def test_a_print_that_looks_like_another_face_teaches_nothing() -> None:
    box = box_for(GIN)
    sighting = sighting_for(["red-3", "red-4"], GIN)
    reads = tuple(replace(read, embedding=embedding_of("red-9")) for read in sighting.reads)
    taught = after(*[replace(sighting, reads=reads)] * 3).teach_box(box, prior_for(GIN))
    assert taught.faces == box.faces
