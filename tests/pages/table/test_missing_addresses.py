"""What does not exist is answered in the kind that its address promises: no page where a picture was meant."""

import json

import pytest
from kept_matches import page, two_matches

BROWSER = "text/html,application/xhtml+xml,image/avif,*/*;q=0.8"
PICTURES = [
    "/scores/1/turn/0.png",
    "/scores/1/turn/9999.png",
    "/scores/99/turn/1.png",
    "/scores/1/table/0.png",
    "/scores/99/card.png",
    "/scores/1/picture/99999.jpg",
    "/scores/1/turn/0.txt",
    "/picture/99.jpg",
    "/picture/99/1.jpg",
    "/before/99/1.jpg",
    "/setup/camera/99.jpg",
    "/static/none.png",
    "/none.png",
]
DOCUMENTS = ["/scores/99.json", "/scores/99.csv", "/api/none", "/none.json", "/api/puzzle/none/steps/1"]


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    with page(two_matches(tmp_path_factory.mktemp("kept"))) as made:
        yield made


@pytest.mark.parametrize("accept", [BROWSER, "image/avif,image/*", "*/*"])
@pytest.mark.parametrize("path", PICTURES)
def test_a_file_that_does_not_exist_is_told_in_one_line_of_text(there, path, accept):
    status, headers, body = there.get(path, Accept=accept)
    assert (status, headers["Content-Type"]) == (404, "text/plain; charset=utf-8")
    text = body.decode()
    assert 5 < len(text) < 120
    assert "<" not in text
    assert "{" not in text


@pytest.mark.parametrize("accept", [BROWSER, "application/json", "*/*"])
@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_that_does_not_exist_is_told_as_json(there, path, accept):
    status, headers, body = there.get(path, Accept=accept)
    assert (status, headers["Content-Type"]) == (404, "application/json")
    assert json.loads(body)["told"]


def test_a_page_that_does_not_exist_is_still_a_page_with_the_way_back(there):
    status, headers, body = there.get("/scores/99", Accept=BROWSER)
    assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert 'href="/scores"' in body.decode()
