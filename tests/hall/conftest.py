"""One browser for the pages of the tournament: starting it takes longer than most of their tests."""

import pytest
from browser import browser


@pytest.fixture(scope="session")
def chromium():
    with browser() as opened:
        yield opened


@pytest.fixture
def screen(chromium):
    """A browser on which nothing is left of the test before."""
    chromium.open("about:blank")
    yield chromium.as_new()
    chromium.open("about:blank")


def pytest_collection_modifyitems(items):
    """Whatever starts this browser is left to `make test-page`."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.page)
