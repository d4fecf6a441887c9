"""Learning a box from pictures of all its tiles: what is learnt, what is wrong with them, and what must be asked."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

import drawn_tiles as drawn
import numpy as np
import pytest
import told

from referee.game.notice import Notice
from referee.game.tiles import HIGHEST, TILE_SETS, TileSet
from referee.i18n import ENGLISH
from referee.vision.boxes.box import Box, centre_embeddings, likeness
from referee.vision.boxes.enrol import Batch, Enrolment, enrol, tileset_count
from referee.vision.reading.answers import Predictions
from referee.vision.reading.glyphs import JOKER
from referee.vision.reading.joint import Calibration, Known, candidates, read_together, tile_named
from referee.vision.sighting import Read, Sighting

RUMMIKUB, CLASSIC, GIN = (TILE_SETS[name] for name in ("rummikub", "classic", "gin"))
LETTERS = {1: "A", 11: "J", 12: "Q", 13: "K"}
NOTHING = told.tiles("red-1")[[]]
HALF_OPEN = {"8": 0.6, "3": 0.4}

Told = tuple[str, Predictions, Predictions]
"""A tile as the person sees it, and what the reader answers to it and to its crop on its head."""


def plain(name: str) -> Told:
    return name, told.tile(name), told.tile(name, upright=False)


def in_doubt(name: str, shares: Mapping[str, float]) -> Told:
    """A tile whose number the net is not sure of; on its head it is the same."""
    colour = told.Tile.from_name(name).colour
    assert colour is not None
    return name, told.one(shares, colour), told.one({f"{sign}^": share for sign, share in shares.items()}, colour)


def whole(tileset: TileSet) -> list[str]:
    return [tile.name for tile, count in tileset.inventory().items() for _ in range(count)]


@cache
def laid(tileset: TileSet) -> tuple[Told, ...]:
    return tuple(plain(name) for name in whole(tileset))


def changed(tileset: TileSet, *changes: tuple[str, Told | None]) -> list[Told]:
    """All tiles of a box, one tile of each name replaced, or left away."""
    tiles = list(laid(tileset))
    for name, instead in changes:
        place = next(i for i, tile in enumerate(tiles) if tile[0] == name)
        tiles[place : place + 1] = [] if instead is None else [instead]
    return tiles


def pictures(tiles: Iterable[Told], count: int = 2) -> list[Batch]:
    """The tiles dealt out over so many pictures."""
    every = list(tiles)
    return [_picture(f"p{i + 1}.jpg", every[i::count]) for i in range(count)]


def _picture(name: str, tiles: list[Told]) -> Batch:
    corners = np.zeros((4, 2), np.float32)
    reads = tuple(Read(tile_named(tile), 1.0, False, (), corners, 0.0, 0.0, 0.0) for tile, _, _ in tiles)
    sides = np.tile(np.asarray([25.4, 37.1], np.float32), (len(tiles), 1))
    sighting = Sighting("box", "markers", reads, tuple((i,) for i in range(len(reads))))
    return Batch(
        name, sighting, told.table(NOTHING, *(t[1] for t in tiles)), told.table(NOTHING, *(t[2] for t in tiles)), sides
    )


def learn(
    tiles: Iterable[Told], tileset: TileSet = RUMMIKUB, named: Mapping[tuple[int, int], str] | None = None,
    count: int = 2,
) -> Enrolment:  # fmt: skip
    return enrol("ours", tileset, pictures(tiles, count), "reader 1", drawn.KNOWN, Calibration(), named)


@pytest.fixture(scope="module")
def box() -> Box:
    found = learn(laid(RUMMIKUB))
    assert found.box is not None
    return found.box


def test_a_whole_box_is_learnt_without_a_question() -> None:
    found = learn(laid(RUMMIKUB))
    assert found.box is not None
    assert (found.problems, found.questions) == ((), ())


def test_a_box_has_its_name_its_measures_and_its_style(box: Box) -> None:
    assert (box.name, box.tileset, box.reader, box.style) == ("ours", "rummikub", "reader 1", "numbers")
    assert box.size_mm == (25.4, 37.1, RUMMIKUB.size_mm[2])


def test_a_box_has_a_prototype_of_every_number_both_ways_up_and_of_its_jokers(box: Box) -> None:
    assert box.faces[: 2 * HIGHEST] == tuple(range(2 * HIGHEST))
    assert set(box.faces[2 * HIGHEST :]) == {JOKER}
    assert np.linalg.norm(box.prototypes, axis=1) == pytest.approx(np.ones(len(box.faces)), abs=1e-5)
    looks = np.stack([drawn.LOOKS[told.kind_of(sign)] for sign in ("7", "7^", "13", "joker")])
    assert likeness(box, looks).argmax(axis=1).tolist() == [6, HIGHEST + 6, 12, JOKER]
    assert centre_embeddings(looks[:1], box.centre)[0] @ box.prototypes[6] > 0.95


def test_a_box_has_its_inks_as_each_picture_shows_them(box: Box) -> None:
    assert box.inks.shape == (2, 4, 3)
    for inks in box.inks:
        assert inks == pytest.approx(np.asarray([drawn.ABSORBED[c] for c in RUMMIKUB.colours]), abs=0.01)


def test_an_ink_that_is_not_in_a_picture_is_inferred() -> None:
    reds = [tile for tile in laid(RUMMIKUB) if tile[0].startswith("red")]
    others = [tile for tile in laid(RUMMIKUB) if not tile[0].startswith("red")]
    batches = [_picture("p1.jpg", others), _picture("p2.jpg", reds)]
    found = enrol("ours", RUMMIKUB, batches, "reader 1", drawn.KNOWN, Calibration())
    assert found.box is not None
    expected = np.asarray([drawn.ABSORBED[c] for c in RUMMIKUB.colours])
    assert np.isfinite(found.box.inks).all()
    assert found.box.inks[0] == pytest.approx(expected, abs=0.05)


def test_a_learnt_box_reads_its_own_tiles(box: Box) -> None:
    known = Known(drawn.KNOWN.priors, box=box)
    names = "red-7 blue-6 joker orange-9 black-13"
    table = read_together(told.tiles(names), RUMMIKUB, known, Calibration())
    found = [names[0] for names in candidates(table.faces, table.colours)]
    assert [name for name, _ in found] == names.split()
    assert min(chance for _, chance in found) > 0.98


def test_a_box_of_cards_is_learnt_with_its_letters() -> None:
    def lettered(name: str) -> Told:
        tile = told.Tile.from_name(name)
        if tile.colour is None or tile.number not in LETTERS:
            return plain(name)
        sign = LETTERS[tile.number]
        return name, told.one(sign, tile.colour), told.one(f"{sign}^", tile.colour)

    found = learn([lettered(name) for name in whole(CLASSIC)], CLASSIC)
    assert found.problems == ()
    assert found.box is not None
    assert found.box.style == "AJQK"


def test_a_box_without_jokers_has_no_prototype_of_one() -> None:
    found = learn(laid(GIN), GIN, count=1)
    assert found.box is not None
    assert found.box.faces == tuple(range(2 * HIGHEST))


@pytest.mark.parametrize("count", [1, 3, 5])
def test_tiles_may_lie_in_as_many_pictures_as_wanted_and_anyhow(count: int) -> None:
    order = np.random.default_rng(count).permutation(RUMMIKUB.total)
    turned = [
        (name, second, first) if i % 3 == 0 else (name, first, second)
        for i, (name, first, second) in enumerate(laid(RUMMIKUB)[k] for k in order)
    ]
    found = learn(turned, count=count)
    assert found.box is not None
    assert found.box.inks.shape == (count, 4, 3)
    looks = np.stack([drawn.LOOKS[told.kind_of(sign)] for sign in ("6", "6^", "9", "9^")])
    assert likeness(found.box, looks).argmax(axis=1).tolist() == [5, HIGHEST + 5, 8, HIGHEST + 8]


def test_the_same_pictures_give_the_same_box(box: Box) -> None:
    again = learn(laid(RUMMIKUB)).box
    assert again is not None
    assert again.to_json() == box.to_json()


def refused(found: Enrolment) -> tuple[str, ...]:
    assert found.box is None
    assert found.questions == ()
    problems = tuple(map(ENGLISH, found.problems))
    assert all("\n" not in line for line in problems)
    return problems


def test_a_missing_tile_is_named() -> None:
    assert refused(learn(changed(RUMMIKUB, ("red-7", None)))) == ("Missing from the pictures: red 7.",)


def test_many_missing_tiles_are_not_all_named() -> None:
    (line,) = refused(learn(laid(RUMMIKUB)[:60]))
    assert line.startswith("Missing from the pictures: ")
    assert line.endswith(" and more.")


def test_a_doubled_tile_is_named() -> None:
    found = refused(learn([*laid(RUMMIKUB), plain("red-7")]))
    assert found == ("More than a box of rummikub holds: red 7 (3 times).",)


def test_a_tile_that_stands_in_for_another_is_told_with_the_one_that_is_missing() -> None:
    found = refused(learn(changed(RUMMIKUB, ("red-7", plain("blue-7")))))
    assert found == ("More than a box of rummikub holds: blue 7 (3 times).", "Missing from the pictures: red 7.")


def mixed_boxes() -> list[Told]:
    """As many tiles as a box holds, half of them of another box."""
    others = [tile for tile in laid(TILE_SETS["ravensburger"]) if "green" in tile[0] or "yellow" in tile[0]]
    return [*laid(RUMMIKUB)[: RUMMIKUB.total - len(others)], *others]


def test_of_two_boxes_mixed_none_is_learnt() -> None:
    assert learn(mixed_boxes()).box is None
    found = refused(learn([*laid(RUMMIKUB), *laid(RUMMIKUB)[:20]]))
    assert any(line.startswith("More than a box of rummikub holds: ") for line in found)


def test_two_boxes_mixed_are_told_in_one_line() -> None:
    assert len(refused(learn(mixed_boxes()))) == 1


def test_a_face_down_tile_is_told_with_its_picture() -> None:
    tiles = changed(RUMMIKUB, ("black-2", plain("face-down")))
    place = [tile[0] for tile in tiles].index("face-down")
    assert refused(learn(tiles)) == (f"p{place % 2 + 1}.jpg: 1 tile is face down.",)


def test_no_tiles_at_all_are_refused() -> None:
    (line,) = refused(learn([], count=1))
    assert line.startswith("Missing from the pictures: ")


def test_a_tile_of_an_ink_no_such_box_has_is_never_learnt() -> None:
    alien = ("green-5", told.one("5", (0.0, 0.6, 0.1)), told.one("5^", (0.0, 0.6, 0.1)))
    for tiles in (changed(RUMMIKUB, ("red-5", alien)), [*laid(RUMMIKUB), alien]):
        found = learn(tiles)
        assert found.box is None
        assert found.problems or found.questions


def test_one_tile_too_many_that_nobody_can_name_is_counted() -> None:
    extra = in_doubt("red-8", HALF_OPEN)
    assert refused(learn([*laid(RUMMIKUB), extra])) == (
        "All the pictures together should show 106 tiles, but 107 were found.",
    )


def test_a_tile_in_doubt_is_named_by_what_is_left_of_the_box() -> None:
    found = learn(changed(RUMMIKUB, ("red-3", in_doubt("red-3", HALF_OPEN))))
    assert found.questions == ()
    assert found.box is not None


def test_what_is_left_is_not_enough_for_a_tile_that_looks_like_quite_another() -> None:
    found = learn(changed(RUMMIKUB, ("red-3", in_doubt("red-3", {"8": 0.88, "10": 0.12}))))
    assert found.box is None
    (question,) = found.questions
    assert question.names[0] == "red-3"


def both_open() -> list[Told]:
    twice = {"8": 0.5, "3": 0.5}
    return changed(RUMMIKUB, ("red-3", in_doubt("red-3", twice)), ("red-8", in_doubt("red-8", twice)))


def test_two_tiles_that_may_be_each_other_are_asked_about() -> None:
    tiles = both_open()
    found = learn(tiles)
    assert (found.box, found.problems) == (None, ())
    places = [i for i, tile in enumerate(tiles) if tile[1].kinds.max() < -0.5]
    assert {(q.batch, q.read) for q in found.questions} == {(i % 2, i // 2) for i in places}
    assert all(set(q.names) == {"red-3", "red-8"} for q in found.questions)


def answered(found: Enrolment, choose: Callable[[int], str]) -> dict[tuple[int, int], str]:
    return {(q.batch, q.read): choose(i) for i, q in enumerate(found.questions)}


def test_an_answer_to_one_question_settles_the_other() -> None:
    first = learn(both_open()).questions[0]
    found = learn(both_open(), named={(first.batch, first.read): "red-8"})
    assert found.box is not None


def test_answers_are_taken_as_they_are_given() -> None:
    found = learn(both_open())
    for order in (("red-3", "red-8"), ("red-8", "red-3")):
        learnt = learn(both_open(), named=answered(found, order.__getitem__))
        assert learnt.box is not None


def test_answers_that_cannot_be_are_problems() -> None:
    found = learn(both_open())
    lines = refused(learn(both_open(), named=answered(found, lambda _: "red-8")))
    assert lines == ("More than a box of rummikub holds: red 8 (3 times).", "Missing from the pictures: red 3.")


def nine_like_a_six(colour: str) -> Told:
    """A nine that stands upright, and that the net rather takes for a six on its head."""
    ink, looks = told.tile(f"{colour}-9").absorbed, (told.one("9").embedding, told.one("9^").embedding)
    first, second = told.one({"9": 0.45, "6^": 0.55}), told.one({"9^": 0.45, "6": 0.55})
    return (
        f"{colour}-9", replace(first, absorbed=ink, embedding=looks[0]),
        replace(second, absorbed=ink, embedding=looks[1]),
    )  # fmt: skip


def test_a_nine_that_looked_like_a_six_on_its_head_is_learnt_the_right_way_up() -> None:
    colours = [colour.value for colour in RUMMIKUB.colours]
    found = learn(changed(RUMMIKUB, *((f"{colour}-9", nine_like_a_six(colour)) for colour in colours)))
    assert found.box is not None
    way_up = [centre_embeddings(told.one(sign).embedding, found.box.centre)[0] for sign in ("9", "9^")]
    assert way_up[0] @ found.box.prototypes[8] > 0.95
    assert way_up[1] @ found.box.prototypes[HIGHEST + 8] > 0.95


@pytest.mark.parametrize(("name", "count"), [("red-7", 2), ("joker", 2), ("yellow-7", 0), ("face-down", 0)])
def test_a_box_is_known_to_hold_so_many_of_a_tile(name: str, count: int) -> None:
    assert tileset_count(RUMMIKUB, name) == count


def test_nothing_that_was_answered_is_changed() -> None:
    batches = pictures(both_open())
    before = [batch.answers.kinds.copy() for batch in batches]
    enrol("ours", RUMMIKUB, batches, "reader 1", drawn.KNOWN, Calibration())
    for batch, kinds in zip(batches, before, strict=True):
        assert np.array_equal(batch.answers.kinds, kinds)


def test_without_markers_a_box_has_the_usual_measures() -> None:
    batches = [replace(batch, sides_mm=np.zeros((0, 2), np.float32)) for batch in pictures(laid(RUMMIKUB))]
    found = enrol("ours", RUMMIKUB, batches, "reader 1", drawn.KNOWN, Calibration())
    assert found.box is not None
    assert found.box.size_mm == RUMMIKUB.size_mm


def misread(name: str, chances: Mapping[str, float], colour: str) -> Told:
    """A tile whose ink looks like another's: as far between the two as `colour` and these chances tell."""
    own, other = (
        np.asarray(drawn.ABSORBED[told.Tile.from_name(f"{c}-1").colour]) for c in (name.split("-")[0], colour)
    )
    ink = np.asarray(own + (other - own) * chances[colour], np.float32)[None]
    upright, turned = told.tile(name), told.tile(name, upright=False)
    return name, replace(upright, absorbed=ink), replace(turned, absorbed=ink)


def test_tiles_misread_in_one_light_do_not_spoil_a_whole_box() -> None:
    names = [f"red-{n}" for n in range(1, 6)]
    tiles = changed(RUMMIKUB, *((name, misread(name, {"orange": 0.55}, "orange")) for name in names))
    found = learn(tiles)
    assert found.problems == ()
    assert found.box is not None or {tiles[2 * q.read + q.batch][0] for q in found.questions} <= set(names)


def test_if_two_inks_look_alike_whiter_light_is_asked_for() -> None:
    """As under a lamp of one colour; an orange and a red that lie between the two may be either."""
    between = [misread(f"{own}-{n}", {other: 0.5}, other)
               for own, other in (("red", "orange"), ("orange", "red")) for n in range(1, 8)]  # fmt: skip
    found = learn(changed(RUMMIKUB, *((told[0], told) for told in between)))
    assert [problem.key for problem in found.problems] == ["box.inks_alike"]


def test_if_numbers_cannot_be_read_it_is_not_for_the_light() -> None:
    halves = {"3": 0.5, "8": 0.5}
    found = learn([in_doubt(tile[0], halves) if tile[0].endswith(("-3", "-8")) else tile for tile in laid(RUMMIKUB)])
    assert [problem.key for problem in found.problems] == ["box.too_many_open"]


def test_a_box_whose_inks_look_like_another_kind_is_asked_about_and_learnt_where_people_are_sure() -> None:
    batches, told_as = pictures(laid(RUMMIKUB)), TILE_SETS["piatnik"]
    yellow = [_renamed(batch, told_as) for batch in batches]
    found = enrol("ours", told_as, yellow, "reader 1", drawn.KNOWN, Calibration())
    assert (found.box, found.problems, found.questions, found.looks_like) == (None, (), (), "rummikub")
    sure = enrol("ours", told_as, yellow, "reader 1", drawn.KNOWN, Calibration(), sure=True)
    assert sure.box is not None
    assert sure.looks_like is None


@pytest.mark.parametrize(
    ("held", "told_as", "others"),
    [
        pytest.param("classic", "piatnik", ("classic",), id="four jokers too many"),
        pytest.param("classic", "gin", ("classic",), id="two copies of everything"),
        pytest.param("ravensburger", "rummikub", ("ravensburger",), id="other inks and two jokers more"),
        pytest.param("brettspielnetz", "ravensburger", ("brettspielnetz",), id="two jokers missing"),
    ],
)
def test_a_box_that_fits_another_kind_better_by_its_tiles_is_told_so(
    held: str, told_as: str, others: tuple[str, ...]
) -> None:
    tileset = TILE_SETS[told_as]
    found = learn(laid(TILE_SETS[held]), tileset)
    assert found.box is None
    *_, hint = found.problems
    assert hint == Notice("box.fits_better", box=told_as, others=others)


@pytest.mark.parametrize("missing", [1, 40, 80])
@pytest.mark.parametrize("kind", ["rummikub", "piatnik", "ravensburger", "classic", "gin"])
def test_a_box_of_its_kind_that_is_not_whole_yet_is_told_of_no_other(kind: str, missing: int) -> None:
    tileset = TILE_SETS[kind]
    found = learn([tile for tile in laid(tileset) if tile[0] != "joker"][missing:], tileset)
    assert "box.fits_better" not in {problem.key for problem in found.problems}


def _renamed(batch: Batch, tileset: TileSet) -> Batch:
    """The same answers, in a sighting of somebody who takes orange for yellow."""
    assert tileset.name == "piatnik"
    reads = tuple(
        replace(read, tile=tile_named(read.name.replace("orange", "yellow"))) for read in batch.sighting.reads
    )
    return replace(batch, sighting=replace(batch.sighting, reads=reads))


@pytest.mark.parametrize("kind", ["rummikub", "piatnik", "ravensburger", "classic", "gin"])
def test_a_box_that_is_what_it_is_said_to_be_is_not_asked_about(kind: str) -> None:
    assert learn(laid(TILE_SETS[kind]), TILE_SETS[kind]).looks_like is None
