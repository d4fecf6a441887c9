"""Whatever needs a real broker is left to `make test-club`."""

import pytest
from mosquitto import MISSING, PROGRAM, Mosquitto


@pytest.fixture
def mosquitto(tmp_path):
    """A broker that lets everybody in."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    broker = Mosquitto(tmp_path / "mosquitto")
    yield broker
    broker.close()


def pytest_collection_modifyitems(items):
    for item in items:
        if {"mosquitto", "guarded_broker"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.club)
