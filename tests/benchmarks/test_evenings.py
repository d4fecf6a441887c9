"""Evenings: a short match through the real loop before a reader that knows the truth, or bends it; and the figures."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import evening_match, evenings
from benchmarks.evening_match import Evening, Seats, Tally, play
from benchmarks.evenings import ENROLLED, UNKNOWN, Saved, rows_of
from referee.table.looking.more_pictures import MOST_FRAMES
from referee.vision.sighting import Image, Read, Sighting

Bend = Callable[[int, list[Read]], list[Read]]
"""Takes the number of the look and its reads."""


class Truthful:
    """Reads the virtual table without looking at the picture; `bend` may change what is read."""

    def __init__(self, seats: Seats, bend: Bend) -> None:
        self._match, self._bend, self._looks = seats.match, bend, 0

    def read(self, picture: Image, tileset: Any, table_mm: tuple[float, float], *, marked_only: bool) -> Sighting:  # noqa: ARG002
        self._looks += 1
        layout = self._match.table.layout
        placed = [tile for row in layout.rows for tile in row.placed]
        corners = np.zeros((4, 2), np.float32)
        reads = [Read(tile.tile, 1.0, False, (), corners, tile.angle_deg, tile.x_mm, tile.y_mm) for tile in placed]
        sets, start = [], 0
        for row in layout.rows:
            sets.append(tuple(range(start, start + len(row.tiles))))
            start += len(row.tiles)
        read = tuple(self._bend(self._looks, reads))
        shown = tuple(tuple(i for i in row if i < len(read)) for row in sets)
        return Sighting(tileset.name, "markers", read, tuple(filter(None, shown)))


@pytest.fixture(autouse=True)
def _no_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    def picture(match: Any, *, hand: bool = False) -> Image:  # noqa: ARG001
        match.taken = np.full((54, 96, 3), 90, np.uint8)
        return match.taken

    monkeypatch.setattr(evening_match.SpoiltMatch, "picture", picture)


def evening(folder: Path, bend: Bend, *, turns: int = 4, seed: int = 1, book: str = "rummikub") -> Tally:
    which = Evening(book, seed, turns)
    seats = Seats(which)
    return play(which, seats, Truthful(seats, bend), folder / "journal", folder / "kept")


def test_a_reader_that_is_right_is_never_blamed(tmp_path: Path) -> None:
    tally = evening(tmp_path, lambda _, reads: reads, turns=2)
    assert tally.failures == []
    assert tally.judged >= 2
    assert (tally.legal_refused, tally.slips_accepted, tally.misread, tally.asked_turns) == (0, 0, 0, 0)
    assert not (tmp_path / "kept").exists()


def doubted(reads: list[Read]) -> list[Read]:
    return [replace(reads[0], doubtful=True, confidence=0.5), *reads[1:]] if reads else reads


def test_a_doubt_in_every_picture_of_a_press_makes_a_turn_that_is_asked_about(tmp_path: Path) -> None:
    seen: list[int] = []

    def at_first(look: int, reads: list[Read]) -> list[Read]:
        if reads and len(seen) < MOST_FRAMES:
            seen.append(look)
            return doubted(reads)
        return reads

    tally = evening(tmp_path, at_first, turns=2, book="gin")
    assert len(seen) == MOST_FRAMES
    assert tally.asked_turns == 1
    assert tally.doubts == 1
    assert tally.failures == []


def test_a_question_about_a_tile_that_was_taken_away_is_counted_apart(tmp_path: Path) -> None:
    tally = evening(tmp_path, lambda _, reads: reads, turns=8, seed=1)
    assert (tally.asked_turns, tally.asked_taken) == (1, 1)
    assert tally.failures == []


def test_a_question_about_a_tile_that_still_lies_there_is_not(tmp_path: Path) -> None:
    looks: list[int] = []

    def hide(look: int, reads: list[Read]) -> list[Read]:
        looks.extend([look] if reads else [])
        return reads[:-1] if reads and 1 < len(looks) <= 1 + MOST_FRAMES else reads

    tally = evening(tmp_path, hide, turns=3, seed=3)
    assert tally.asked["a tile that is gone"] == tally.asked_turns == 2
    assert tally.asked_taken == 0


def test_a_reader_that_never_gets_sure_stands_still_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening_match, "MOST_ASKS", 2)
    tally = evening(tmp_path, lambda _, reads: doubted(reads), turns=40, book="gin")
    assert tally.stood_still == 1
    assert "stands still: asked 2 times; asked last: " in tally.failures[-1]
    assert list((tmp_path / "kept").glob("gin-seed-1-*.jpg"))


def test_what_is_read_wrongly_is_found_out(tmp_path: Path) -> None:
    def bent(_: int, reads: list[Read]) -> list[Read]:
        return [replace(reads[0], tile=replace(reads[0].tile, number=reads[0].tile.number % 13 + 1)), *reads[1:]] \
            if reads and reads[0].tile is not None and not reads[0].tile.is_joker else reads  # fmt: skip

    tally = evening(tmp_path, bent, turns=1, book="gin")
    assert tally.misread
    assert any("read " in line and ".jpg]" in line for line in tally.failures)


def test_the_same_evening_has_the_same_room_and_people() -> None:
    one, other = (Seats(Evening("classic", 3, 10)) for _ in range(2))
    assert (one.setting, one.players, one.lens.gains) == (other.setting, other.players, other.lens.gains)


def test_tallies_add_up() -> None:
    one = Tally(matches=1, turns=3, asked_turns=1, failures=["x"])
    one.asked["a tile's print"] += 2
    other = Tally(matches=2, hands=4, stood_still=1, failures=["y"])
    other.asked["a tile's print"] += 1
    one.add(other)
    assert (one.matches, one.judged, one.asked_turns, one.stood_still, one.failures) == (3, 7, 1, 1, ["x", "y"])
    assert one.asked["a tile's print"] == 3


def fake(turns: int, played: list[Any]) -> Callable[[Any], Tally | None]:
    def play_one(job: Any) -> Tally | None:
        played.append(job)
        return None if job[0] == ENROLLED else Tally(matches=1, turns=min(turns, job[1].turns), legal=turns)

    return play_one


def test_every_book_gets_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Any] = []
    monkeypatch.setattr(evenings, "play_one", fake(30, played))
    came = evenings.evenings(UNKNOWN, ["gin", "classic"], 130, 2, map, Saved(None, UNKNOWN))
    assert came is not None
    assert {book: tally.judged for book, tally in came.items()} == {"gin": 65, "classic": 65}
    assert len({job[1].seed for job in played if job[1].book == "gin"}) == 3
    assert all(job[1].seed >= 2_000_000 for job in played)


def test_matches_that_were_played_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, played = tmp_path / "evenings.jsonl", []
    monkeypatch.setattr(evenings, "play_one", fake(40, played))
    one = evenings.evenings(UNKNOWN, ["gin"], 80, 1, map, Saved(file, UNKNOWN))
    assert len(played) == len(file.read_text().splitlines()) == 2
    other = evenings.evenings(UNKNOWN, ["gin"], 120, 1, map, Saved(file, UNKNOWN))
    assert len(played) == 3
    assert one is not None
    assert other is not None
    assert (one["gin"].judged, other["gin"].judged) == (80, 120)
    assert evenings.evenings(UNKNOWN, ["gin"], 120, 1, map, Saved(file, UNKNOWN)) == other
    assert {json.loads(line)["known"] for line in file.read_text().splitlines()} == {UNKNOWN}


def test_what_was_asked_and_refused_is_kept_by_its_name(tmp_path: Path) -> None:
    tally = Tally(matches=1)
    tally.asked["a tile's print"] += 2
    tally.faults["vanished"] += 1
    evening = evenings.Evening("gin", 1, 40)
    Saved(tmp_path / "kept", UNKNOWN).put(evening, tally)
    assert Saved(tmp_path / "kept", UNKNOWN).get(evening) == tally


def test_a_box_that_cannot_be_enrolled_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "play_one", fake(40, []))
    came = evenings.evenings(ENROLLED, ["gin"], 80, 1, map, Saved(None, ENROLLED))
    assert came is None
    (row,) = rows_of(ENROLLED, came, 80)
    assert row.figure.startswith("skipped")
    assert row.reached is None


def test_one_box_that_cannot_be_enrolled_costs_its_match_only(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Any] = []

    def play_one(job: Any) -> Tally | None:
        played.append(job)
        return None if len(played) == 2 else Tally(matches=1, turns=job[1].turns)

    monkeypatch.setattr(evenings, "play_one", play_one)
    came = evenings.evenings(ENROLLED, ["gin"], 120, 1, map, Saved(None, ENROLLED))
    assert came is not None
    assert (came["gin"].judged, came["gin"].matches, came["gin"].not_learnt) == (120, 3, 1)
    (row,) = (row for row in rows_of(ENROLLED, came, 120) if row.what.startswith("matches not played"))
    assert (row.figure, row.count) == ("1", "4 matches")


@pytest.fixture
def tally() -> Tally:
    return Tally(matches=80, turns=2800, hands=210, legal=2200, slips=800, looks=3200, doubts=30, asked_turns=20)


def test_a_good_evening_reaches_everything(tally: Tally) -> None:
    rows = rows_of(ENROLLED, {"gin": tally}, 3000)
    assert all(row.reached is not False for row in rows)
    page = evenings.page(rows, {ENROLLED: ["gin seed 1, turn 7: refused"]}, "python -m benchmarks.evenings")
    assert "| accused wrongly | evenings, enrolled | 0.00 %" in page
    assert "### enrolled\n\n- gin seed 1, turn 7: refused" in page


@pytest.mark.parametrize(
    ("name", "value"),
    [("turns", 2700), ("legal_refused", 1), ("slips_accepted", 1), ("misread", 1), ("stood_still", 1),
     ("asked_turns", 40)],
)  # fmt: skip
def test_whatever_goes_wrong_makes_a_figure_fall_short(tally: Tally, name: str, value: int) -> None:
    setattr(tally, name, value)
    assert sum(row.reached is False for row in rows_of(ENROLLED, {"gin": tally}, 3000)) == 1
