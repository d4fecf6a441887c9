"""A backup or a bundle that arrives: closed while another thread writes, and a disk that fails at the end."""

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from bundle_files import bundle_bytes
from saved_tables import saved, table

from referee.backup import arriving
from referee.backup.apart import examine_apart
from referee.backup.arriving import ArrivingBackup
from referee.backup.contents import Places
from referee.backup.examining import NotRestorable
from referee.backup.manifest import CHOSEN
from referee.devices.update_files import ArrivingBundle

PATIENCE_S, LONGEST_S = 0.3, 60.0
"""How long to wait, in seconds, for what must not happen, and for what must."""
ARRIVING = [
    pytest.param(lambda state: ArrivingBackup(Places(state)), b"PK\x03\x04 and more", id="backup"),
    pytest.param(ArrivingBundle, bundle_bytes(), id="bundle"),
]


@pytest.mark.parametrize(("begin", "piece"), ARRIVING)
def test_a_piece_is_written_to_its_end_before_the_file_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: Callable[[Path], Any], piece: bytes
) -> None:
    """Otherwise the rest of it might get into the file that has the number next, such as the journal."""
    arrives, writes, go, write = begin(tmp_path), threading.Event(), threading.Event(), os.write

    def write_slowly(file: int, data: bytes) -> int:
        writes.set()
        assert go.wait(LONGEST_S)
        return write(file, data)

    with monkeypatch.context() as slow, ThreadPoolExecutor(2) as threads:
        slow.setattr(os, "write", write_slowly)
        written = threads.submit(arrives.write, piece)
        assert writes.wait(LONGEST_S)
        closed = threads.submit(arrives.close)
        with suppress(TimeoutError):
            closed.result(PATIENCE_S)
        was_closed = closed.done()
        go.set()
        written.result()
        closed.result()
    assert not was_closed
    with pytest.raises(ValueError, match="one that has ended"):
        arrives.write(b"more")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("pieces", [[b"a long video"], [b"P", b"", b"N"], [b"PK\x05\x06"], [b"\0"]])
def test_a_file_that_cannot_be_a_backup_is_refused_with_its_first_bytes(tmp_path: Path, pieces: list[bytes]) -> None:
    with ArrivingBackup(Places(tmp_path)) as arrives:
        for piece in pieces[:-1]:
            arrives.write(piece)
        with pytest.raises(NotRestorable) as refused:
            arrives.write(pieces[-1])
    assert refused.value.reason == "not_one"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_a_backup_may_arrive_in_pieces_of_any_size(tmp_path: Path, size: int) -> None:
    data = b"PK\x03\x04" + b"what follows"
    with ArrivingBackup(Places(tmp_path)) as arrives:
        for start in range(0, len(data), size):
            arrives.write(data[start : start + size])
        assert (tmp_path / arriving.PART).read_bytes() == data


def test_a_backup_whose_name_is_not_on_the_disk_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old").mkdir()
    data = saved(tmp_path / "old.zip", table(tmp_path / "old", "old")).read_bytes()
    places = table(tmp_path, "one")

    def fail(_: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(arriving, "sync_folder", fail)
    with ArrivingBackup(places) as arrives:
        arrives.write(data)
        with pytest.raises(NotRestorable) as refused:
            arrives.take(examine_apart)
    assert refused.value.reason == "disk"
    assert not (places.state / CHOSEN).exists()
