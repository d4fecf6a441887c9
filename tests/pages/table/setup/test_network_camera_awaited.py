"""A network camera that does not answer, or may not be used: what is waited for, for how long, and the ways out."""

import socket
import tomllib

import cv2
import pytest
from page_process import PageProcess, rendered

from referee.i18n import LANGUAGES

pytestmark = pytest.mark.page


@pytest.fixture
def table(tmp_path):
    """A table that stands, with pictures of a folder, which was chosen on the page."""
    cv2.imwrite(str(tmp_path / "0.png"), rendered())
    process = PageProcess(tmp_path / "state", "panel.kind=console")
    try:
        process.until(lambda parts: parts["setup"]["stage"] == "missing")
        assert process.configure(camera__kind="folder", camera__source=str(tmp_path)) == (200, "")
        process.until(lambda parts: parts["setup"]["stage"] == "ready")
        process.chosen = lambda: tomllib.loads((tmp_path / "state" / "page.toml").read_text(encoding="utf-8"))[
            "camera"
        ]
        yield process
    finally:
        process.close()


@pytest.fixture
def dead():
    """An address at which nothing answers."""
    with socket.socket() as taken:  # bound but not listening: nothing else may answer there meanwhile
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/video"


def enter_address(screen, address):
    if not screen.all("#another[open]"):
        screen.find("#another summary").click()
    screen.find("#kind option[value=network]").click()
    screen.find("#source").clear()
    screen.find("#source").send_keys(address)
    screen.find("#settings button[type=submit]").click()


def displayed_elements(screen, selector):
    return [element for element in screen.all(selector) if element.is_displayed()]


def find_while_trying(screen, selector):
    """Return an element that is displayed only while a camera is tried, which is tried again if that is over."""

    def find():
        for again in displayed_elements(screen, "#try-again"):
            again.click()
        return displayed_elements(screen, selector)

    return screen.wait(find, selector)[0]


def tells_seconds_left(screen):
    """Return whether it is told for how many seconds the camera is still tried."""
    found = find_while_trying(screen, "#waiting").text.split()
    return bool(found) and 0 < int(found[3]) <= 20


def test_a_dead_camera_is_told_with_the_seconds_left_and_a_way_back(table, dead, screen, tmp_path):
    screen.resize(390, 844)
    screen.open(f"{table.url}/setup/camera?lang=en")
    screen.find("#view img")
    enter_address(screen, dead)
    screen.until("#missing", "check that it is on")
    screen.wait(lambda: tells_seconds_left(screen), "the seconds left")
    hidden = screen.wait(lambda: screen.all("#waiting")[0].get_attribute("aria-hidden"), "aria-hidden")
    assert hidden == "true"  # a screen reader is not told every second
    assert (screen.violations(), screen.small(), screen.sideways()) == ([], [], 0)
    old = screen.run("return performance.timeOrigin")
    screen.find("#camera-back").click()
    screen.wait(lambda: screen.run("return performance.timeOrigin") != old, "the page, loaded anew")
    screen.find("#view img")
    screen.until("#stage", "ready")
    assert (table.chosen()["kind"], table.chosen()["source"]) == ("folder", str(tmp_path))
    assert not displayed_elements(screen, "#camera-back")


def test_on_any_step_of_the_set_up_the_wait_leads_to_another_camera(table, dead, screen):
    assert table.configure(camera__kind="network", camera__source=dead) == (200, "")
    table.until(lambda parts: parts["setup"]["until"] is not None)
    screen.open(f"{table.url}/setup/game?lang=en")
    screen.wait(lambda: find_while_trying(screen, "#other-camera").click() or True, "the way to another camera")
    screen.find("#another[open] #kind")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_outside_the_network_is_refused_beside_its_field_with_the_reason(table, screen, language):
    before = table.chosen()
    screen.resize(390, 844)
    screen.open(f"{table.url}/setup/camera?lang={language}")
    screen.wait(lambda: screen.run("return !!Referee.parts.setup"), "the stage")
    enter_address(screen, "http://203.0.113.7/video")
    screen.until("#local-hint", "192.168.")
    screen.until("#answer", "http://192.168.1.20:8080/video")
    apart = screen.run(
        "return document.getElementById('answer').getBoundingClientRect().top - "
        "document.getElementById('local-hint').getBoundingClientRect().bottom"
    )
    assert 0 <= apart < 40
    assert "answer" in screen.find("#source").get_attribute("aria-describedby").split()
    assert (screen.violations(), screen.sideways()) == ([], 0)
    assert table.chosen() == before


@pytest.mark.parametrize("place", ["http://192.168.1.20:8080/video", "http://phone.local/video", "rtsp://[fe80::1]/s"])
def test_an_address_in_the_network_is_taken_before_anybody_looks_there(table, place):
    assert table.configure(camera__kind="network", camera__source=place) == (200, "")


@pytest.mark.parametrize(
    "place", ["http://203.0.113.7/video", "rtsp://8.8.8.8:554/live", "http://[2001:db8::1]/video"]
)
def test_an_address_outside_the_network_is_refused(table, place):
    status, told = table.configure(camera__kind="network", camera__source=place)
    assert (status, told[:42]) == (409, "This camera is outside your own network. P")
