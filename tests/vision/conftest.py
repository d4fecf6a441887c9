"""Examples are the same on every run, and a busy machine is no failure."""

import numpy as np
import pytest
from hypothesis import settings

from referee.vision import partial_reader
from referee.vision.finding import search

settings.register_profile("steady", settings.get_profile("unhurried"), derandomize=True)
settings.load_profile("steady")


@pytest.fixture
def without_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    """No place is proposed because of its print, so that tiles are found by the finder alone."""
    for module in (search, partial_reader):
        monkeypatch.setattr(module, "find_prints", lambda *_: np.zeros((0, 2), np.float32))
