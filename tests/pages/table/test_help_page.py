"""Information for a helper, on the page: shown first, and only for those who may set up the table."""

import io
import zipfile

import pytest
from browser import NARROW
from guarded import House
from pictured_match import write_pictured_match

from referee.errors import BadInput
from referee.i18n import LANGUAGES
from referee.report.bundle import Bundle, make_bundle
from referee.settings.settings import load

FILE = "referee-help.zip"


class Help(House):
    """A page whose help is made from a journal."""

    def __init__(self, folder, **policy) -> None:
        super().__init__(folder, **policy)
        self.folder, self.made = folder, 0
        self.server.helps(self.make)

    def make(self) -> Bundle:
        self.made += 1
        return make_bundle(
            load(None, {}), self.folder, [], lambda _: None, printed=[(self.made, f"{self.made} looks")]
        )

    def shown(self, **headers) -> str:
        page = self.ask("/help", **headers)[2]
        return page.split('action="/help/')[1].partition("/")[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("help")
    write_pictured_match(made, 26)
    return made


@pytest.fixture
def guarded_page(folder):
    made = Help(folder)
    yield made
    made.close()


@pytest.fixture
def open_page(folder):
    made = Help(folder, local=True)
    yield made
    made.close()


def names_in(data: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return file.namelist()


def fetched(page, path, **headers):
    import http.client
    from contextlib import closing

    with closing(http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def test_it_takes_the_pin(guarded_page):
    status, headers, _ = guarded_page.ask("/help")
    assert (status, headers["Location"]) == (303, "/enter?next=/help")
    assert guarded_page.made == 0
    session = guarded_page.cookie()
    name = guarded_page.shown(Cookie=session)
    for path in (f"/help/{name}/{FILE}", f"/help/{name}/refused-1.jpg"):
        assert guarded_page.ask(path)[0] == 403


def test_what_was_shown_is_what_is_saved(open_page):
    first = open_page.shown()
    status, headers, data = fetched(open_page, f"/help/{first}/{FILE}")
    assert status == 200
    assert headers["Content-Type"] == "application/zip"
    assert FILE in headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert b" 1 looks" in file.read("log.txt")
    second = open_page.shown()
    assert second != first
    status, headers, data = fetched(open_page, f"/help/{first}/{FILE}", Accept="text/html")
    assert (status, headers["Content-Type"]) == (410, "text/plain; charset=utf-8")  # a browser shows a sentence
    assert not data.startswith(b"{")
    assert fetched(open_page, f"/help/{second}/{FILE}")[0] == 200


def test_pictures_come_along_only_if_they_are_ticked(open_page):
    name = open_page.shown()
    without = names_in(fetched(open_page, f"/help/{name}/{FILE}")[2])
    ticked = names_in(fetched(open_page, f"/help/{name}/{FILE}?pictures=1")[2])
    assert not [one for one in without if one.endswith(".jpg")]
    assert [one for one in ticked if one.endswith(".jpg")] == [f"refused-{number}.jpg" for number in (1, 2, 3)]
    assert fetched(open_page, f"/help/{name}/refused-1.jpg")[2].startswith(b"\xff\xd8")
    assert fetched(open_page, f"/help/{name}/refused-99.jpg")[0] == 404


def test_a_page_without_help_says_so_and_offers_none(folder):
    page = House(folder, local=True)
    try:
        assert 'href="/help"' not in page.ask("/more")[2]
        assert "could not be put together" in page.ask("/help")[2]
    finally:
        page.close()


def test_help_that_cannot_be_made_is_no_failure(open_page):
    def fail() -> Bundle:
        raise BadInput("expected a journal, found none")

    open_page.server.helps(fail)
    status, _, page = open_page.ask("/help")
    assert status == 200
    assert "could not be put together" in page
    assert "expected a journal" not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_can_read_it_and_nothing_is_cut_off(open_page, screen, language):
    screen.open(f"http://{open_page.host}/more?lang={language}")
    screen.find('a[href="/help"]').click()
    screen.find(".refused img")
    for scheme in ("light", "dark"):
        screen.prefers(scheme=scheme, motion="reduce")
        assert screen.violations() == []
    for size in NARROW:
        screen.narrow(size)
        assert screen.sideways() <= 0
        assert screen.cut_off() == []
        assert screen.small() == []
    assert screen.complaints() == []
