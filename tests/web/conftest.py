"""One browser for all tests of the page: starting it takes longer than most of them."""

import pytest
from browser import browser


@pytest.fixture(scope="session")
def chromium():
    with browser() as opened:
        yield opened


@pytest.fixture
def screen(chromium):
    """A browser on which nothing is left of the test before."""
    chromium.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})  # of every port
    chromium.resize(1280, 900)
    chromium.prefers()
    chromium.complaints()
    yield chromium
    chromium.open("about:blank")


def pytest_collection_modifyitems(items):
    """Whatever starts a browser is left to `make test-page`."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.page)
