"""Bundles that arrive for the updater: completely or not at all, one at a time, and only where there is room."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bundle_files import bundle_bytes
from updater.asking import ORDER as READ_ORDER
from updater.asking import ORDERS, take_order
from updater.bundle import FOR_INSTALLING as UPDATER_NEEDS
from updater.installing import INCOMING as UPDATER_INCOMING
from updater.installing import WAITING

from referee.devices import update_files
from referee.devices.installed_versions import INCOMING
from referee.devices.update_files import (
    BUNDLE,
    FOR_INSTALLING,
    ORDER,
    PART,
    UPDATES,
    ArrivingBundle,
    NotTaken,
    ask_updater,
    is_arriving,
    is_asked,
    is_waiting,
)

DATA = bundle_bytes()


def left(state: Path) -> list[str]:
    return sorted(path.name for path in (state / UPDATES).iterdir()) if (state / UPDATES).exists() else []


def refused(state: Path, *pieces: bytes, size: int | None = None, free: int = 10**10) -> str:
    """The word for why these pieces are not handed over."""
    try:
        with ArrivingBundle(state, size, lambda _: free) as bundle:
            for piece in pieces:
                bundle.write(piece)
            bundle.finish()
    except NotTaken as error:
        return error.reason
    raise AssertionError("it was handed over")


def test_both_sides_mean_the_same_files_and_words(tmp_path: Path) -> None:
    assert f"{UPDATES}/{BUNDLE}" == WAITING
    assert f"{UPDATES}/{ORDER}" == READ_ORDER
    assert FOR_INSTALLING == UPDATER_NEEDS
    assert INCOMING == UPDATER_INCOMING
    for order in ORDERS:
        ask_updater(tmp_path, order)
        assert is_asked(tmp_path)
        assert take_order(tmp_path) == order
        assert not is_asked(tmp_path)


@pytest.mark.parametrize("piece", [1, 100, 512, 7000, 10**6])
def test_it_gets_its_name_once_it_is_complete(tmp_path: Path, piece: int) -> None:
    with ArrivingBundle(tmp_path, len(DATA)) as bundle:
        for start in range(0, len(DATA), piece):
            bundle.write(DATA[start : start + piece])
            assert not is_waiting(tmp_path)
            assert is_arriving(tmp_path)
        bundle.finish()
    assert (tmp_path / UPDATES / BUNDLE).read_bytes() == DATA
    assert (left(tmp_path), is_waiting(tmp_path), is_arriving(tmp_path)) == ([BUNDLE], True, False)
    assert (tmp_path / UPDATES / BUNDLE).stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("pieces", "size", "reason"),
    [
        pytest.param([], None, "no_bundle", id="nothing"),
        pytest.param([DATA[:100]], None, "no_bundle", id="the beginning of one"),
        pytest.param([b"\xff\xd8" + bytes(10_000)], None, "no_bundle", id="a photo"),
        pytest.param([DATA.replace(b"manifest.json", b"manifest.jsox", 1)], None, "no_bundle", id="another tar file"),
        pytest.param([DATA[:-1]], len(DATA), "cut_off", id="one byte too few"),
        pytest.param([DATA, b"x"], len(DATA), "cut_off", id="one byte too many"),
        pytest.param([], 10**9, "too_large", id="too large by what is said"),
    ],
)
def test_what_is_no_complete_bundle_leaves_nothing(
    tmp_path: Path, pieces: list[bytes], size: int | None, reason: str
) -> None:
    assert refused(tmp_path, *pieces, size=size) == reason
    assert left(tmp_path) == []


def test_a_file_that_goes_on_and_on_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_files, "MOST_BYTES", 50_000)
    assert refused(tmp_path, DATA, *[bytes(1000)] * 100) == "too_large"
    assert left(tmp_path) == []


def test_without_room_nothing_is_begun_and_what_is_begun_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refused(tmp_path, DATA, size=len(DATA), free=FOR_INSTALLING + len(DATA)) == "no_room"
    assert left(tmp_path) == []
    monkeypatch.setattr(update_files, "SYNC_BYTES", 1000)  # as after many pieces
    assert refused(tmp_path, DATA, free=FOR_INSTALLING) == "no_room"
    assert left(tmp_path) == []


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, os.strerror(28))

    with ArrivingBundle(tmp_path) as bundle:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(NotTaken, match="not enough room"):
            bundle.write(DATA)
    assert left(tmp_path) == []


def test_one_arrives_at_a_time_and_none_while_one_waits(tmp_path: Path) -> None:
    with ArrivingBundle(tmp_path) as bundle:
        bundle.write(DATA)
        assert refused(tmp_path, DATA) == "busy"
        assert left(tmp_path) == [PART]  # the second one has not touched the first
        bundle.finish()
    assert refused(tmp_path, DATA) == "busy"
    (tmp_path / UPDATES / BUNDLE).unlink()  # as the updater does
    with ArrivingBundle(tmp_path) as bundle:
        bundle.write(DATA)
        (tmp_path / UPDATES / BUNDLE).write_bytes(b"of somebody who takes no lock")
        with pytest.raises(NotTaken):
            bundle.finish()
    assert left(tmp_path) == [BUNDLE]


def test_what_a_killed_program_has_left_is_no_obstacle(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from referee.devices.update_files import ArrivingBundle;"
        "bundle = ArrivingBundle(Path(sys.argv[1])); bundle.write(b'manifest.json'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, tmp_path], check=False)  # noqa: S603
    assert left(tmp_path) == [PART]
    assert not is_arriving(tmp_path)
    with ArrivingBundle(tmp_path) as bundle:
        bundle.write(DATA)
        bundle.finish()
    assert (tmp_path / UPDATES / BUNDLE).read_bytes() == DATA


def test_what_a_power_cut_has_left_does_not_take_the_room_of_the_next_one(tmp_path: Path) -> None:
    part = tmp_path / UPDATES / PART
    part.parent.mkdir()
    part.write_bytes(DATA)

    def free(_: Path) -> int:
        return FOR_INSTALLING + 2 * len(DATA) - (part.stat().st_size if part.exists() else 0)

    with ArrivingBundle(tmp_path, len(DATA), free) as bundle:
        bundle.write(DATA)
        bundle.finish()
    assert left(tmp_path) == [BUNDLE]


def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    state, precious = tmp_path / "state", tmp_path / "precious"
    (state / UPDATES).mkdir(parents=True)
    precious.write_text("kept")
    part = state / UPDATES / PART
    for plant in (lambda: part.symlink_to(precious), lambda: os.mkfifo(part), lambda: os.link(precious, part)):
        plant()
        with ArrivingBundle(state) as bundle:
            bundle.write(DATA)
            bundle.finish()
        assert (state / UPDATES / BUNDLE).read_bytes() == DATA
        assert precious.read_text() == "kept"
        (state / UPDATES / BUNDLE).unlink()


def test_a_file_that_was_taken_away_meanwhile_is_not_handed_over(tmp_path: Path) -> None:
    with ArrivingBundle(tmp_path) as bundle:
        bundle.write(DATA)
        part = tmp_path / UPDATES / PART
        part.unlink()
        with part.open("wb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            with pytest.raises(NotTaken):
                bundle.finish()
    assert left(tmp_path) == [PART]  # it is somebody else's


def test_after_its_end_nothing_can_be_added(tmp_path: Path) -> None:
    bundle = ArrivingBundle(tmp_path)
    bundle.close()
    bundle.close()
    for act in (lambda: bundle.write(DATA), bundle.finish, bundle.restart):
        with pytest.raises(ValueError, match="still arriving"):
            act()


def test_without_a_folder_of_the_service_nothing_is_made(tmp_path: Path) -> None:
    assert refused(tmp_path / "none", DATA) == "disk"
    assert not (tmp_path / "none").exists()
    assert (is_waiting(tmp_path / "none"), is_arriving(tmp_path / "none")) == (False, False)
