"""Waiting in the browser goes on where a new page replaces what is looked at, and passes on every other error."""

import pytest
from browser import GONE, Browser

exceptions = pytest.importorskip("selenium.common.exceptions", reason="selenium is not installed")


class Driver:
    page_source = ""


def look_that_fails(message):
    """Return a look that fails once with that message and then finds "it"."""
    messages = [message]

    def look():
        if messages:
            raise exceptions.WebDriverException(messages.pop())
        return "it"

    return look


@pytest.mark.parametrize("message", GONE)
def test_waiting_goes_on_where_a_new_page_has_replaced_an_element(message):
    look = look_that_fails(f"unknown error: unhandled inspector error: {message}")
    assert Browser(Driver()).wait(look) == "it"


def test_every_other_error_of_the_driver_is_passed_on():
    with pytest.raises(exceptions.WebDriverException, match="disconnected"):
        Browser(Driver()).wait(look_that_fails("disconnected"))
