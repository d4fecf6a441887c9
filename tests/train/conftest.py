"""Type faces of this machine: what is drawn with them is skipped, with the reason, where there are too few."""

import pytest

from referee.train.pictures.typefaces import Faces, find_faces


@pytest.fixture(scope="session")
def faces() -> Faces:
    try:
        return find_faces()
    except FileNotFoundError as error:
        pytest.skip(f"type faces: {error}")
