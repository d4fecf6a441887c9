"""Tables of a club, for the tests of what they tell."""

import pytest
from club_table import ClubTable


@pytest.fixture
def tables(tmp_path):
    """Makes tables that are closed at the end."""
    made = []

    def table(**club):
        made.append(ClubTable(tmp_path / "state", **club))
        return made[-1]

    yield table
    for one in made:
        one.close()


@pytest.fixture
def table(tables):
    return tables()
