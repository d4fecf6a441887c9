"""One browser for all tests of the page, and one more for those of two: starting it takes longer than most of them."""

import pytest
from browser import browser


@pytest.fixture(scope="session")
def chromium():
    with browser() as opened:
        yield opened


@pytest.fixture(scope="session")
def second_chromium():
    with browser() as opened:
        yield opened


@pytest.fixture
def screen(chromium):
    """A browser on which nothing is left of the test before."""
    yield chromium.as_new()
    chromium.open("about:blank")


@pytest.fixture
def other(second_chromium):
    """Another one, as of somebody else."""
    yield second_chromium.as_new()
    second_chromium.open("about:blank")


def pytest_collection_modifyitems(items):
    """Whatever starts a browser is left to `make test-page`."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.page)
