"""Pictures stay within their budget, the newest stay longest, and none of it ever stops the game."""

import os
from pathlib import Path

import pytest

from referee.i18n import ENGLISH
from referee.journal.pictures import FOLDER, Pictures, free_bytes

PLENTY = 10**12


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / FOLDER


def kept(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.glob("*/*"))


def pictures(place: Path, budget: int = 1000, free: int = PLENTY) -> Pictures:
    return Pictures(place, budget, spare=100, free=lambda _: free)


def test_a_picture_is_found_again_by_match_and_event(place: Path) -> None:
    album = pictures(place)
    paths = album.keep(12, 34, b"first", b"second")
    assert [str(path.relative_to(place)) for path in paths] == ["000012/00034-1.jpg", "000012/00034-2.jpg"]
    assert [path.read_bytes() for path in pictures(place).pictures_of(12, 34)] == [b"first", b"second"]
    assert album.pictures_of(12, 3) == ()


def test_the_latest_of_a_match_come_first(place: Path) -> None:
    album = pictures(place)
    for match, number in [(3, 9), (2, 2), (2, 10), (2, 9)]:
        album.keep(match, number, b"x")
    (place / "000002" / "notes.jpg").write_bytes(b"of somebody else")
    assert [path.name for path in album.latest(2, 2)] == ["00010-1.jpg", "00009-1.jpg"]
    assert album.latest(4, 2) == ()


def test_the_oldest_go_first(place: Path) -> None:
    album = pictures(place, budget=30)
    for match, number in [(2, 1), (1, 900), (2, 2), (2, 10), (2, 11)]:
        album.keep(match, number, bytes(10))
    assert kept(place) == ["000002/00002-1.jpg", "000002/00010-1.jpg", "000002/00011-1.jpg"]


def test_the_budget_holds_over_a_new_start(place: Path) -> None:
    pictures(place, budget=30).keep(1, 1, bytes(20))
    pictures(place, budget=30).keep(1, 2, bytes(20))
    assert kept(place) == ["000001/00002-1.jpg"]


def test_the_same_event_again_counts_once(place: Path) -> None:
    album = pictures(place, budget=30)
    for _ in range(3):
        album.keep(1, 1, bytes(15))
    album.keep(1, 2, bytes(15))
    assert len(kept(place)) == 2


def test_a_picture_beyond_the_whole_budget_drops_no_other(place: Path) -> None:
    album = pictures(place, budget=30)
    album.keep(1, 1, bytes(20))
    assert album.keep(1, 2, bytes(31)) == ()
    assert kept(place) == ["000001/00001-1.jpg"]
    assert pictures(place, budget=0).keep(1, 3, b"x") == ()
    assert album.keep(1, 4) == ()


def test_pictures_leave_room_for_the_journal(place: Path) -> None:
    pictures(place).keep(1, 1, bytes(50))
    pictures(place).keep(1, 2, bytes(50))
    pictures(place, free=115).keep(1, 3, bytes(50))
    assert kept(place) == ["000001/00002-1.jpg", "000001/00003-1.jpg"]


def test_where_room_stays_short_no_picture_is_kept_and_that_is_told(place: Path) -> None:
    pictures(place).keep(1, 1, bytes(50))
    album = pictures(place, free=30)
    assert album.keep(1, 2, bytes(50)) == ()
    assert album.trouble is not None
    assert "No space left" in ENGLISH(album.trouble)
    assert kept(place) == []


def test_a_picture_is_on_the_disk_before_it_has_its_name(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", lambda _: names.append(kept(place)))
    pictures(place).keep(1, 1, bytes(50))
    assert names == [["000001/00001-1.part"]]


def test_a_folder_that_could_not_be_read_through_is_read_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        pictures(place).keep(1, number, bytes(20))
    album, stat, calls = pictures(place, budget=50), Path.stat, [0]

    def fails(path: Path, **options: bool) -> os.stat_result:
        calls[0] += path.suffix == ".jpg"
        if calls[0] == 2:
            raise OSError(5, "Input/output error", str(path))
        return stat(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", fails)
        assert album.keep(1, 3, bytes(20)) == ()
    assert album.keep(1, 4, bytes(20)) != ()
    assert kept(place) == ["000001/00002-1.jpg", "000001/00004-1.jpg"]


def test_room_can_be_made_for_something_that_matters_more(place: Path) -> None:
    album = pictures(place)
    for number in range(1, 5):
        album.keep(1, number, bytes(50))
    album.make_room(60)
    assert kept(place) == ["000001/00003-1.jpg", "000001/00004-1.jpg"]
    album.make_room(PLENTY)
    assert kept(place) == []


def test_what_a_power_cut_left_goes_and_files_of_others_stay(place: Path) -> None:
    (place / "000001").mkdir(parents=True)
    for name in ("00001-1.part", "holiday.jpg"):
        (place / "000001" / name).write_bytes(bytes(500))
    (place / "notes").mkdir()
    (place / "notes" / "00001-1.jpg").write_bytes(bytes(500))
    pictures(place, budget=20).keep(1, 2, bytes(20))
    assert kept(place) == ["000001/00002-1.jpg", "000001/holiday.jpg", "notes/00001-1.jpg"]


def test_a_disk_that_takes_no_pictures_is_told_and_nothing_else_happens(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    album = pictures(place)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert album.keep(1, 1, b"picture") == ()
    assert album.trouble is not None
    assert "No space left on device" in ENGLISH(album.trouble)
    assert kept(place) == []
    assert album.keep(1, 2, b"picture") != ()
    assert album.trouble is None


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    album = pictures(tmp_path / "file")
    assert album.keep(1, 1, b"picture") == ()
    assert album.trouble is not None


def test_a_picture_that_somebody_took_away_is_no_trouble(place: Path) -> None:
    album = pictures(place, budget=20)
    (path,) = album.keep(1, 1, bytes(20))
    path.unlink()
    assert album.keep(1, 2, bytes(20)) != ()


def test_what_is_free_is_what_the_disk_says(tmp_path: Path) -> None:
    assert free_bytes(tmp_path) > 0
