"""The pictures of verdicts are kept beside the game: a disk that hangs holds up nothing."""

import asyncio
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from referee.cli.programs.picture_keeper import MOST_WAITING, Failures, PictureKeeper
from referee.cli.programs.table import make_teller
from referee.game.notice import Notice
from referee.game.tiles import Tile
from referee.i18n import ENGLISH
from referee.journal.pictures import Pictures
from referee.journal.tile_places import TilePlace, places_in
from referee.table.looking.look import Failure

PICTURE = np.full((48, 64, 3), 90, np.uint8)


class Disk:
    """Stands for `Pictures`: hangs until `goes_on` is set."""

    def __init__(self, trouble=None):
        self.trouble, self.after = None, trouble
        self.begun, self.goes_on = threading.Event(), threading.Event()
        self.kept = []

    def keep(self, match, number, data):
        self.begun.set()
        assert self.goes_on.wait(20)
        self.trouble = self.after
        self.kept.append((match, number, data[:2]))


@pytest.fixture
def told():
    return []


def hanging(disk, told, **more):
    keeper = PictureKeeper(disk, lambda notice: told.append(ENGLISH(notice)), **more)
    keeper.keep(1, 0, PICTURE)
    assert disk.begun.wait(5)
    return keeper


def test_a_picture_is_on_the_disk_when_the_end_has_come(tmp_path, told):
    pictures = Pictures(tmp_path, 1_000_000, spare=0)
    keeper = PictureKeeper(pictures, told.append)
    for number in range(MOST_WAITING):
        keeper.keep(1, number, PICTURE)
    keeper.close()
    assert all(pictures.pictures_of(1, number) for number in range(MOST_WAITING))
    assert told == []


def test_a_picture_carries_the_places_of_its_tiles(tmp_path, told):
    corners = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.3), (0.1, 0.3))
    places = ((TilePlace(Tile.from_name("red-7"), corners),),)
    keeper = PictureKeeper(Pictures(tmp_path, 1_000_000, spare=0), told.append)
    keeper.keep(1, 2, PICTURE, places)
    keeper.close()
    (path,) = Pictures(tmp_path, 0).pictures_of(1, 2)
    assert places_in(path.read_bytes()) == places
    (loaded,) = PictureKeeper(Pictures(tmp_path, 1_000_000), told.append).latest(1, 1)
    assert loaded.shape == PICTURE.shape


def test_what_the_disk_refuses_is_told_once(told):
    disk = Disk(Notice("journal.no_pictures", reason="No space left on device", where="the card"))
    disk.goes_on.set()
    keeper = PictureKeeper(disk, lambda notice: told.append(ENGLISH(notice)))
    keeper.keep(1, 1, PICTURE)
    keeper.keep(1, 2, PICTURE)
    keeper.close()
    assert told == ["pictures cannot be kept: No space left on device (the card)"]


def test_no_more_pictures_wait_than_the_memory_holds_and_those_left_out_are_told_once(told):
    disk = Disk()
    keeper = hanging(disk, told)
    for number in range(1, MOST_WAITING + 4):
        keeper.keep(1, number, PICTURE)
    assert told == ["pictures cannot be kept: the disk is too slow, or no longer accepts anything"]
    disk.goes_on.set()
    keeper.close()
    assert disk.kept == [(1, number, b"\xff\xd8") for number in range(MOST_WAITING + 1)]
    assert len(told) == 1


def test_the_end_does_not_wait_for_a_disk_that_hangs(told):
    disk = Disk()
    keeper = hanging(disk, told, patience_s=0.05)
    keeper.keep(1, 1, PICTURE)
    ending = threading.Thread(target=keeper.close, daemon=True)
    ending.start()
    ending.join(20)
    assert not ending.is_alive()
    assert told == ["pictures cannot be kept: the disk did not write the last 2 in time"]
    disk.goes_on.set()


def test_a_process_ends_though_its_disk_hangs():
    program = (
        "import sys, threading, numpy; from referee.cli.programs.picture_keeper import PictureKeeper\n"
        "class Disk:\n"
        "    trouble = None\n"
        "    keep = lambda *_: threading.Event().wait()\n"
        "keeper = PictureKeeper(Disk(), print, 0.1)\n"
        "keeper.keep(1, 1, numpy.zeros((8, 8, 3), numpy.uint8)); keeper.close()"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)  # noqa: S603 - our own program


def test_the_latest_pictures_are_loaded_and_broken_ones_left_out(tmp_path, told):
    keeper = PictureKeeper(Pictures(tmp_path, 10_000_000), told.append)
    for number in (1, 2, 3):
        keeper.keep(7, number, PICTURE + np.uint8(number))
    keeper.close()
    (tmp_path / "000007" / "00002-1.jpg").write_bytes(b"no picture")
    loaded = list(PictureKeeper(Pictures(tmp_path, 10_000_000), told.append).latest(7, 3))
    assert [picture.shape for picture in loaded] == [PICTURE.shape] * 2
    assert [round(float(picture.mean())) for picture in loaded] == [93, 91]
    assert told == []


@pytest.mark.parametrize(("known", "key"), [({}, "play.failure_kept"), ({"x": float("nan")}, "play.failure_not_kept")])
def test_whether_a_failure_was_kept_is_told_once_that_is_known(tmp_path, told, known, key):
    disk, answers = Disk(), []
    keeper = hanging(disk, told)
    keeper.keep_failure(Failures(tmp_path), answers.append, Failure(PICTURE, known))
    assert answers == []
    disk.goes_on.set()
    keeper.close()
    assert [answer.key for answer in answers] == [key]
    assert told == []


def test_a_failure_that_is_kept_is_told_in_the_loops_thread_to_whoever_follows():
    followed = []
    audience = SimpleNamespace(on_notice=lambda notice: followed.append((notice.key, threading.current_thread())))
    told = []

    async def run():
        tell = make_teller(told.append, audience)
        await asyncio.to_thread(tell, Notice("play.failure_kept"))
        while not followed:
            await asyncio.sleep(0)
        return tell

    tell = asyncio.run(run())
    tell(Notice("play.failure_kept"))  # nobody follows any more
    assert [notice.key for notice in told] == ["play.failure_kept"] * 2
    assert followed == [("play.failure_kept", threading.main_thread())]
