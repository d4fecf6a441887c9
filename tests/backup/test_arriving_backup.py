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
ARRIVING = [lambda state: ArrivingBackup(Places(state)), ArrivingBundle]


@pytest.mark.parametrize("begin", ARRIVING, ids=["backup", "bundle"])
def test_a_piece_is_written_to_its_end_before_the_file_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: Callable[[Path], Any]
) -> None:
    """Otherwise the rest of it might get into the file that has the number next, such as the journal."""
    arrives, writes, go, write = begin(tmp_path), threading.Event(), threading.Event(), os.write

    def write_slowly(file: int, data: bytes) -> int:
        writes.set()
        assert go.wait(LONGEST_S)
        return write(file, data)

    with monkeypatch.context() as slow, ThreadPoolExecutor(2) as threads:
        slow.setattr(os, "write", write_slowly)
        written = threads.submit(arrives.write, bundle_bytes())
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
