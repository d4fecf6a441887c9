"""Bundles on a stick: which files are offered, by which names, and what is never read."""

import os
from pathlib import Path

import pytest
from bundle_files import bundle_bytes

from referee.devices import stick_bundles
from referee.devices.stick_bundles import MOST_BUNDLES, find_bundles

DATA = bundle_bytes("2-abc")


def test_bundles_are_found_by_their_content_and_ending(tmp_path: Path) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    (tmp_path / "CAPITALS.BUNDLE").write_bytes(DATA)
    (tmp_path / "photo.bundle").write_bytes(b"\xff\xd8" + bytes(5000))
    (tmp_path / "short.bundle").write_bytes(DATA[:300])
    (tmp_path / "referee.tar").write_bytes(DATA)
    (tmp_path / "folder.bundle").mkdir()
    (tmp_path / "link.bundle").symlink_to(tmp_path / "referee.bundle")
    os.mkfifo(tmp_path / "pipe.bundle")
    found = find_bundles([tmp_path, tmp_path / "gone"])
    assert [(one.name, one.version) for one in found] == [("CAPITALS.BUNDLE", "2-abc"), ("referee.bundle", "2-abc")]
    assert len({one.id for one in found}) == 2


@pytest.mark.parametrize("version", ["", "2 <b>", "../../x", "x" * 100, "2\u202eabc", "-rf"])
def test_a_version_that_could_be_no_name_is_not_shown(tmp_path: Path, version: str) -> None:
    (tmp_path / "referee.bundle").write_bytes(bundle_bytes(version))
    assert [one.version for one in find_bundles([tmp_path])] == [""]


def test_a_list_that_is_damaged_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA[:512] + b"no json" + DATA[519:])
    (tmp_path / "cut.bundle").write_bytes(DATA[:520])
    assert [one.version for one in find_bundles([tmp_path])] == ["", ""]


def test_long_and_strange_names_are_shown_shortened(tmp_path: Path) -> None:
    (tmp_path / ("a" * 200 + ".bundle")).write_bytes(DATA)
    (tmp_path / "b\n\u202e.bundle").write_bytes(DATA)
    names = [one.name for one in find_bundles([tmp_path])]
    assert [len(name) for name in names] == [60, 8]
    assert all(name.isprintable() for name in names)


def test_a_stick_full_of_bundles_is_not_read_to_its_end(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.bundle").write_bytes(DATA)
    assert len(find_bundles([tmp_path])) == MOST_BUNDLES


def test_a_file_that_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    found = find_bundles([tmp_path])
    monkeypatch.setattr(stick_bundles, "read_bundle", lambda *_: None)
    assert find_bundles([tmp_path], found) == found
    (tmp_path / "referee.bundle").write_bytes(DATA + bytes(512))
    assert find_bundles([tmp_path], found) == ()
