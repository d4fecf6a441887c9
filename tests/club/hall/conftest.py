"""The hall's file, for the tests of what is kept in it."""

import pytest

from referee.club.hall.store import HallStore


@pytest.fixture
def path(tmp_path):
    return tmp_path / "hall.sqlite"


@pytest.fixture
def store(path):
    made = HallStore(path)
    yield made
    made.close()
