"""Files written whole: links stay, and nothing that is no file is replaced."""

import os
import socket

import pytest

from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path):
    target, link = tmp_path / "there" / "lens.json", tmp_path / "link.json"
    target.parent.mkdir()
    link.symlink_to(target)
    for data in (b"first", b"second"):
        write_whole(link, data, "a place for a lens")
        assert link.is_symlink()
        assert target.read_bytes() == data
    assert [path.name for path in target.parent.iterdir()] == ["lens.json"]


def test_a_circle_of_links_is_named(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.symlink_to(other)
    other.symlink_to(one)
    with pytest.raises(BadInput, match="one: expected a place for a lens, found: Too many levels"):
        write_whole(one, b"data", "a place for a lens")


@pytest.mark.parametrize("kind", ["device", "pipe", "socket"])
def test_what_is_no_file_is_refused_and_stays(tmp_path, kind):
    path, opened = tmp_path / "out", socket.socket(socket.AF_UNIX)
    if kind == "device":
        path.symlink_to(os.devnull)  # to make one needs root; the link leads to one
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        opened.bind(str(path))
    before = path.stat()
    with pytest.raises(BadInput, match=f"out: expected a place for a lens, found a {kind}$"):
        write_whole(path, b"data", "a place for a lens")
    opened.close()
    assert (path.stat().st_ino, path.stat().st_mode) == (before.st_ino, before.st_mode)
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("kind", "found"), [("device", "a device"), ("pipe", "a pipe"), ("folder", "a folder"), ("none", ": No such file")]
)
def test_what_is_no_file_is_not_read(tmp_path, kind, found):
    """A device such as /dev/zero never ends, and a pipe that nobody writes into never begins."""
    path = tmp_path / "in"
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    with pytest.raises(BadInput, match=f"in: expected a lens, found{found if found[0] == ':' else ' ' + found}"):
        read_whole(path, 100, "a lens")


def test_a_file_is_read_up_to_the_longest_that_it_may_be(tmp_path):
    path = tmp_path / "in"
    path.write_bytes(b"x" * 100)
    assert read_whole(path, 100, "a lens") == b"x" * 100
    with pytest.raises(BadInput, match="in: expected a lens of at most 99 bytes, found more"):
        read_whole(path, 99, "a lens")
    with pytest.raises(BadInput, match=r"expected a lens, found: (stat: )?embedded null (byte|character in path)$"):
        read_whole(tmp_path / "a\0b", 99, "a lens")
