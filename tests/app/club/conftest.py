"""Whatever needs a real broker is left to `make test-club`."""

import pytest
from mosquitto import mosquitto

__all__ = ["mosquitto"]


def pytest_collection_modifyitems(items):
    for item in items:
        if "mosquitto" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.club)
