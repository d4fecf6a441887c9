"""A bundle that is fetched from a web server: over broken lines, and from servers that answer something else."""

import urllib.error
from collections.abc import Callable
from pathlib import Path

import pytest
from bundle_files import bundle_bytes, web
from dead_addresses import dropping, refusing, silent

from referee.devices import update_download
from referee.devices.update_download import ADVICE, FIRST_WAIT_S, TRIES, fetch_bundle, is_address
from referee.devices.update_files import BUNDLE, MOST_BYTES, UPDATES, NotTaken

DATA = bundle_bytes(size=300_000)
PLENTY = 10**10


def fetch(address: str, state: Path, **how: object) -> list[float]:
    """Fetch it; return how long was waited."""
    slept: list[float] = []
    fetch_bundle(address, state, slept.append, free=lambda _: PLENTY, **how)
    assert (state / UPDATES / BUNDLE).read_bytes() == DATA
    return slept


def refused(address: str, state: Path, **how: object) -> tuple[str, str, int]:
    """The word for why it was not taken, the message, and how often another try was made."""
    slept: list[float] = []
    with pytest.raises(NotTaken) as error:
        fetch_bundle(address, state, slept.append, **{"free": lambda _: PLENTY, **how})
    assert not [*(state / UPDATES).iterdir()] if (state / UPDATES).exists() else True
    return error.value.reason, str(error.value), len(slept)


def test_it_is_fetched_and_its_progress_is_shown(tmp_path: Path) -> None:
    shown: list[tuple[int, int | None]] = []
    with web(DATA) as server:
        assert fetch(server.address, tmp_path, tell=lambda *progress: shown.append(progress)) == []
    assert shown[-1] == (len(DATA), len(DATA))
    assert server.asked == [None]


def test_a_line_that_breaks_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with web(DATA) as server:
        server.breaks = [100_000, 50_000]
        assert fetch(server.address, tmp_path) == [FIRST_WAIT_S, FIRST_WAIT_S]
    assert server.asked == [None, "bytes=100000-", "bytes=150000-"]


@pytest.mark.parametrize("etag", ["", 'W/"1"'])
def test_a_server_that_cannot_go_on_begins_anew(tmp_path: Path, etag: str) -> None:
    with web(DATA, etag=etag) as server:
        server.breaks = [100_000]
        fetch(server.address, tmp_path)
    assert server.asked == [None, None]


def test_a_server_that_ignores_the_wish_to_go_on_begins_anew(tmp_path: Path) -> None:
    with web(DATA, ranges=False) as server:
        server.breaks = [100_000, 200_000]
        fetch(server.address, tmp_path)
    assert server.asked == [None, "bytes=100000-", "bytes=200000-"]


def test_a_file_that_was_exchanged_meanwhile_is_fetched_as_a_whole(tmp_path: Path) -> None:
    with web(bundle_bytes("1-old", 400_000)) as server:
        server.breaks = [100_000]

        def exchange(_: float) -> None:
            server.data, server.etag = DATA, '"2"'

        fetch_bundle(server.address, tmp_path, exchange, free=lambda _: PLENTY)
    assert (tmp_path / UPDATES / BUNDLE).read_bytes() == DATA


def test_a_part_that_the_server_does_not_have_any_more_is_no_end(tmp_path: Path) -> None:
    with web(DATA) as server:
        server.breaks, server.statuses = [100_000], [200, 416]
        fetch(server.address, tmp_path)
    assert server.asked == [None, "bytes=100000-", None]


def test_a_server_that_does_not_say_how_much_it_sends_is_read_to_the_end(tmp_path: Path) -> None:
    with web(DATA) as server:
        server.told_length = False
        fetch(server.address, tmp_path)


def test_it_gives_up_after_tries_that_brought_nothing(tmp_path: Path) -> None:
    with web(DATA) as server:
        server.statuses = [503] * 20
        reason, told, waits = refused(server.address, tmp_path)
        assert (reason, waits, len(server.asked)) == ("cut_off", TRIES - 1, TRIES)
        assert "found: the server's answer 503" in told


@pytest.mark.parametrize(
    ("where", "told"),
    [
        (refusing, "no connection to 127.0.0.1 at port {port} (Connection refused)"),
        (dropping, "no connection to 127.0.0.1 at port {port} within 0 seconds"),
        (silent, "no answer within 0 seconds"),
    ],
)
@pytest.mark.parametrize("way", ["itself", "a redirect"])
def test_an_address_at_which_nobody_answers_is_given_up_after_one_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Callable, told: str, way: str
) -> None:
    monkeypatch.setattr(update_download, "CONNECT_S" if where is dropping else "SILENT_S", 0.3)
    with where() as port, web(DATA) as server:
        dead = f"http://127.0.0.1:{port}/x"
        server.location = dead
        asked = dead if way == "itself" else server.address
        reason, text, waits = refused(asked, tmp_path)
    assert (reason, waits) == ("cut_off", 0)
    assert text == f"{asked}: expected the update, found: {told.format(port=port)}. {ADVICE}"


def test_an_encrypted_address_that_takes_the_connection_and_says_nothing_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_download, "CONNECT_S", 0.3)
    with silent() as port:
        text = refused(f"https://127.0.0.1:{port}/x", tmp_path)[1]
    assert f"found: no connection to 127.0.0.1 at port {port} within 0 seconds. Check the address" in text


def test_a_name_that_nobody_knows_is_told_after_one_try(tmp_path: Path) -> None:
    _, text, waits = refused("http://nobody.invalid/x", tmp_path)
    assert waits == 0
    assert "found: no machine of the name nobody.invalid (" in text


def test_a_server_that_vanishes_meanwhile_is_tried_again_and_each_wait_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    with web(DATA) as server:
        server.breaks = [100_000]

        def vanish(reason: str, wait_s: float) -> None:
            told.append((reason, wait_s))
            if len(told) == 1:
                server.close()

        reason, text, waits = refused(server.address, tmp_path, interrupted=vanish)
    assert (reason, waits) == ("cut_off", TRIES - 1)
    assert text.endswith("(Connection refused)")
    assert [wait_s for _, wait_s in told] == [FIRST_WAIT_S * 2**n for n in range(TRIES - 1)]
    assert told[0][0] == f"the connection broke off after 100,000 of {len(DATA):,} bytes"
    assert {reason.split(" (")[1] for reason, _ in told[1:]} == {"Connection refused)"}


def test_tries_that_bring_something_are_not_counted(tmp_path: Path) -> None:
    with web(DATA) as server:
        server.breaks = [10_000] * (3 * TRIES)
        assert fetch(server.address, tmp_path) == [FIRST_WAIT_S] * (3 * TRIES)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_an_answer_that_will_not_change_is_told_at_once(tmp_path: Path, status: int) -> None:
    with web(DATA) as server:
        server.statuses = [status]
        reason, told, waits = refused(server.address, tmp_path)
    assert (reason, waits) == ("cut_off", 0)
    assert str(status) in told


def test_a_page_instead_of_a_bundle_is_told_at_once(tmp_path: Path) -> None:
    with web(b"<!doctype html>" * 1000) as server:
        reason, told, waits = refused(server.address, tmp_path)
    assert (reason, waits) == ("no_bundle", 0)
    assert told == f"{server.address}: expected the file of an update, found another file"


def test_what_is_too_large_or_does_not_fit_is_told_before_it_is_fetched(tmp_path: Path) -> None:
    class Huge(bytes):
        def __len__(self) -> int:
            return MOST_BYTES + 1

    with web(Huge(DATA)) as server:
        assert refused(server.address, tmp_path)[::2] == ("too_large", 0)
    with web(DATA) as server:
        assert refused(server.address, tmp_path, free=lambda _: 1000)[::2] == ("no_room", 0)


@pytest.mark.parametrize("url", ["ftp://a/b", "file:///etc/passwd", "http://", "https:///x", "http://a b/", "http://a:x/",
                                 "http://a/\nX: y"])  # fmt: skip
def test_only_addresses_on_the_web_are_fetched(tmp_path: Path, url: str) -> None:
    reason, told, waits = refused(url, tmp_path)
    assert (reason, waits) == ("address", 0)
    assert "expected an address that begins with http:// or https://" in told
    assert is_address(url)


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://example.org/x", "http://[::1", "http://a..b/x",
                                      "http://a:b@example.org/x"])  # fmt: skip
def test_no_redirect_leads_out_of_the_web(tmp_path: Path, location: str) -> None:
    with web(DATA) as server:
        server.location = location
        reason, told, waits = refused(server.address, tmp_path)
    assert reason in ("address", "cut_off")
    assert told.startswith(f"{server.address}: expected")
    assert waits == 0


def test_a_name_with_an_empty_part_is_told_in_one_line(tmp_path: Path) -> None:
    reason, told, waits = refused("http://example..org/x", tmp_path)
    assert (reason, waits) == ("address", 0)
    assert told.startswith("http://example..org/x: expected the address of a web server")


def test_redirects_in_a_circle_are_told_in_one_line(tmp_path: Path) -> None:
    with web(DATA) as server:
        server.location = server.address
        reason, told, waits = refused(server.address, tmp_path)
    assert (reason, waits) == ("cut_off", 0)
    assert told.endswith("found: the server's answer 302 (a redirect that leads nowhere)")


def test_a_password_in_an_address_is_not_repeated(tmp_path: Path) -> None:
    reason, told, waits = refused("http://user:geheim@a/x", tmp_path)
    assert (reason, waits) == ("address", 0)
    assert told == "expected an address without a user and a password, found one with them"


def test_a_certificate_that_is_not_valid_is_told_at_once(tmp_path: Path) -> None:
    import ssl

    def fails(*_: object, **__: object) -> None:
        raise urllib.error.URLError(ssl.SSLCertVerificationError("certificate has expired"))

    reason, told, waits = refused("https://example.org/x", tmp_path, open_url=fails)
    assert (reason, waits) == ("cut_off", 0)
    assert "certificate has expired" in told


def test_the_name_of_a_file_is_no_address() -> None:
    assert not is_address("referee-0.2.0.bundle")
    assert not is_address("/media/referee-sda1/referee.bundle")
