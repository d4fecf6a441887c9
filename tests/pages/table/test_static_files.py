"""Scripts, styles and pages are of one version, also right after an update and while one is written."""

import asyncio
import http.client
import os
import re
from contextlib import closing
from pathlib import Path

import pytest
from hall_pages import hall_pages
from page import PATIENCE_S, served
from starlette.applications import Starlette
from starlette.routing import Route

import referee
from referee.page.pages import Pages
from referee.page.static_files import MEDIA_TYPES, StaticFiles

ROOT = Path(referee.__file__).parent
PAGE, TABLE, HALL = ROOT / "page", ROOT / "pages" / "table", ROOT / "pages" / "hall"


def files(folder):
    return sorted(path.name for path in (folder / "static").iterdir())


def linked(folder):
    """Every static file that a template of the folder asks for."""
    texts = [path.read_text(encoding="utf-8") for path in (folder / "templates").glob("*.html")]
    return sorted({address for text in texts for address in re.findall(r'(?:href|src)="(/static/[^"]+)"', text)})


@pytest.fixture(scope="module")
def table():
    with served() as made:
        yield made.server.port


@pytest.fixture(scope="module")
def hall():
    with hall_pages() as made:
        yield int(made.address.rpartition(":")[2])


def ask(port, path, **headers):
    with closing(http.client.HTTPConnection("localhost", port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def is_asked_about_each_time(port, path):
    status, headers, data = ask(port, path)
    assert (status, headers["Cache-Control"]) == (200, "no-cache"), path
    assert headers["Content-Type"] == MEDIA_TYPES[Path(path).suffix], path
    again, _, nothing = ask(port, path, If_None_Match=headers["ETag"])
    assert (again, nothing) == (304, b""), path
    return data


@pytest.mark.parametrize("name", files(PAGE))
def test_a_browser_asks_about_every_file_of_the_page(table, hall, name):
    data = (PAGE / "static" / name).read_bytes()
    assert is_asked_about_each_time(table, f"/static/{name}") == data
    assert is_asked_about_each_time(hall, f"/static/{name}") == data


@pytest.mark.parametrize("name", files(TABLE))
def test_a_browser_asks_about_every_file_of_the_table(table, name):
    assert is_asked_about_each_time(table, f"/static/{name}") == (TABLE / "static" / name).read_bytes()


@pytest.mark.parametrize("name", files(HALL))
def test_a_browser_asks_about_every_file_of_the_hall(hall, name):
    assert is_asked_about_each_time(hall, f"/static/hall/{name}") == (HALL / "static" / name).read_bytes()


@pytest.mark.parametrize("path", sorted({*linked(PAGE), *linked(TABLE)}))
def test_what_templates_of_the_page_ask_for_is_there(table, path):
    is_asked_about_each_time(table, path)


@pytest.mark.parametrize("path", linked(HALL))
def test_what_templates_of_the_hall_ask_for_is_there(hall, path):
    is_asked_about_each_time(hall, path)


@pytest.fixture
def folder(tmp_path):
    """Of one static file that a test may change."""
    (tmp_path / "a.css").write_text("p { color: red; }", encoding="utf-8")
    return tmp_path


def answered(endpoint, path):
    """Status, tag and data of an answer, without a server."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    app = Starlette(routes=[Route("/static/{name}", endpoint)])
    app.state.language = "en"
    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b"", "root_path": ""}
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]).get(b"etag"), sent[1]["body"]


def test_another_content_of_the_same_size_and_time_is_another_file(folder):
    path = folder / "a.css"
    before = answered(StaticFiles(folder).answer, "/static/a.css")
    time = path.stat().st_mtime_ns
    path.write_text("p { color: tan; }", encoding="utf-8")
    os.utime(path, ns=(time, time))
    after = answered(StaticFiles(folder).answer, "/static/a.css")
    assert (before[0], after[0]) == (200, 200)
    assert before[1] != after[1]


def test_files_stay_those_of_the_start(folder):
    static = StaticFiles(folder)
    (folder / "a.css").unlink()
    assert answered(static.answer, "/static/a.css")[2] == b"p { color: red; }"
    (folder / "a.css").write_text("new", encoding="utf-8")
    assert answered(static.answer, "/static/a.css")[2] == b"p { color: red; }"


def test_a_template_is_the_one_of_the_start_and_of_the_first_folder(tmp_path):
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_text(name, encoding="utf-8")
    pages = Pages(tmp_path / "one", tmp_path / "other")
    (tmp_path / "one" / "a.html").write_text("after an update", encoding="utf-8")

    async def answer(request):
        return pages.page(request, "a.html")

    assert answered(answer, "/static/a.html")[2] == b"one"
