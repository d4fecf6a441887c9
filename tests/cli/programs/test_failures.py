"""What was misread is kept for training: within bounds, and never half of it."""

import json

import numpy as np
import pytest

from referee.cli.programs.picture_keeper import Failures
from referee.errors import BadInput
from referee.table.looking.look import Failure

PICTURE = np.zeros((40, 60, 3), np.uint8)


def kept(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_failure_is_a_picture_and_what_is_known_of_it(tmp_path):
    Failures(tmp_path / "failures").keep(Failure(PICTURE, {"truth": ["red-10"]}))
    assert kept(tmp_path / "failures") == ["000001.jpg", "000001.json"]
    assert json.loads((tmp_path / "failures" / "000001.json").read_text()) == {"truth": ["red-10"]}


def test_the_oldest_go_first(tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    failures = Failures(tmp_path, most=2)
    for number in range(4):
        failures.keep(Failure(PICTURE.copy(), {"number": number}))
    assert kept(tmp_path) == ["000003.jpg", "000003.json", "000004.jpg", "000004.json", "note.txt"]


def test_there_is_a_largest_size_of_all(tmp_path):
    failures = Failures(tmp_path, most_bytes=1)
    for _ in range(3):
        failures.keep(Failure(PICTURE.copy(), {}))
    assert kept(tmp_path) == ["000003.jpg", "000003.json"]


def test_a_folder_that_is_none_is_told(tmp_path):
    (tmp_path / "failures").write_text("no folder")
    with pytest.raises(BadInput):
        Failures(tmp_path / "failures").keep(Failure(PICTURE, {}))


def test_a_look_is_kept_once_however_often_that_is_asked_for(tmp_path):
    failures, other = Failures(tmp_path), PICTURE.copy()
    for _ in range(10):
        failures.keep(Failure(PICTURE, {"truth": ["red-10"]}))
    assert kept(tmp_path) == ["000001.jpg", "000001.json"]
    failures.keep(Failure(PICTURE, {"truth": ["red-1"]}))  # people have said more since
    assert json.loads((tmp_path / "000001.json").read_text()) == {"truth": ["red-1"]}
    failures.keep(Failure(other, {"truth": ["red-1"]}))
    assert kept(tmp_path) == ["000001.jpg", "000001.json", "000002.jpg", "000002.json"]


def test_what_json_cannot_hold_is_told_and_leaves_nothing(tmp_path):
    with pytest.raises(BadInput):
        Failures(tmp_path).keep(Failure(PICTURE, {"confidence": float("nan")}))
    assert kept(tmp_path) == []
