"""Addresses of cameras: what is one, what lies in the local network, where a redirect may lead, and what is told."""

import re
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from network_servers import PASSWORD, USER, serving

from referee.devices.camera.network.address import LOCAL, endpoints, is_local, parse_address, place_of
from referee.devices.camera.network.camera import NetworkCamera, NetworkSettings, ignored_settings
from referee.errors import BadInput, CameraLost, Loss
from referee.i18n import error_text
from tests.support.errors import telling

NOWHERE = "0.0.0.0"  # noqa: S104 - to be refused: connecting to it leads to this machine


@pytest.fixture(autouse=True)
def _servers():
    with serving.ended():
        yield


class TestParsed:
    def test_a_whole_one(self):
        found = parse_address("http://anna:s%3A3@phone.local:8080/video?size=1#x")
        assert (found.scheme, found.host, found.port) == ("http", "phone.local", 8080)
        assert found.target == "/video?size=1"
        assert (found.user, found.password) == ("anna", "s:3")
        assert found.place == "http://phone.local:8080"

    @pytest.mark.parametrize(
        ("source", "place", "target"),
        [
            ("http://192.168.1.20", "http://192.168.1.20:80", "/"),
            ("https://[fe80::1%25wlan0]/a b".replace(" ", "%20"), "https://[fe80::1%wlan0]:443", "/a%20b"),
            ("rtsp://10.0.0.7/live/ä", "rtsp://10.0.0.7:554", "/live/%C3%A4"),
        ],
    )
    def test_what_may_be_left_out(self, source, place, target):
        assert (parse_address(source).place, parse_address(source).target) == (place, target)

    def test_user_and_password_of_the_settings_come_first(self):
        found = parse_address("http://bob:one@10.0.0.1/", "anna", "two")
        assert (found.user, found.password) == ("anna", "two")

    @pytest.mark.parametrize(
        ("source", "told"),
        [
            ("", "found nothing"),
            ("192.168.1.20:8080/s3cret", "does not begin with"),
            ("file:///etc/s3cret", "does not begin with"),
            ("ftp://s3cret@10.0.0.1/", "does not begin with"),
            ("http://", "without a host"),
            ("http://s3cret@10.0.0.1:99999/", "cannot be read"),
            ("http://[s3cret/", "cannot be read"),
            ("http://10.0.0.1/s3cret\r\nHost: x", "a space"),
            ("http://10.0.0.1/s3cret x", "a space"),
            ("http://10.0.0.1\\@s3cret.example/", "a space or another character"),
        ],
    )
    def test_what_is_none_is_told_without_being_shown(self, source, told):
        with telling(BadInput, match=told) as caught:
            parse_address(source)
        assert "s3cret" not in error_text(caught.value)

    def test_a_password_with_a_line_end_is_none(self):
        with telling(BadInput, match="signs that can be typed"):
            parse_address("http://10.0.0.1/", "anna", "x\r\nHost: y")

    def test_neither_password_nor_path_nor_query_is_ever_shown(self):
        source = "http://anna:s3cret@10.0.0.1/user=anna_password=s3cret?pwd=s3cret"
        assert "s3cret" not in place_of(source) + repr(parse_address(source)) + repr(
            NetworkSettings(timeout_s=30.0, source=source)
        )


@pytest.mark.parametrize(
    ("ip", "local"),
    [
        *(
            (ip, True)
            for ip in ("127.0.0.1", "10.9.8.7", "172.16.0.1", "172.31.255.255", "192.168.0.3", "169.254.7.7")
        ),
        *((ip, True) for ip in ("::1", "fe80::1", "fe80::1%eth0", "fd12:3456::1", "::ffff:192.168.0.3")),
        *((ip, False) for ip in ("8.8.8.8", "172.32.0.1", "192.169.0.1", "100.64.0.1", NOWHERE, "224.0.0.1")),
        *((ip, False) for ip in ("2001:db8::1", "::", "::ffff:8.8.8.8", "ff02::1", "64:ff9b::a00:1")),
    ],
)
def test_what_the_local_network_is(ip, local):
    assert is_local(ip) is local


def test_the_service_lets_through_what_is_local_and_no_more():
    unit = (Path(__file__).parents[4] / "systemd" / "referee.service").read_text(encoding="utf-8")
    allowed = re.search(r"^IPAddressAllow=(.*)$", unit, re.MULTILINE)[1].split()
    short = {
        "127.0.0.0/8": "localhost",
        "::1/128": "localhost",
        "169.254.0.0/16": "link-local",
        "fe80::/10": "link-local",
    }
    assert {short.get(str(net), str(net)) for net in LOCAL} == set(allowed)


def looked_up(monkeypatch, *ips):
    asked = []

    def getaddrinfo(host, port, **_):
        asked.append(host)
        return [
            (socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


class TestEndpoints:
    def test_only_what_is_local_of_all_that_a_name_stands_for(self, monkeypatch):
        looked_up(monkeypatch, "8.8.8.8", "192.168.1.20", "2001:db8::1")
        address = parse_address("http://phone.local/")
        assert [one.ip for one in endpoints(address, anywhere=False)] == ["192.168.1.20"]
        assert len(endpoints(address, anywhere=True)) == 3

    def test_nothing_outside(self, monkeypatch):
        looked_up(monkeypatch, "8.8.8.8")
        with telling(CameraLost, match="anywhere = true") as caught:
            endpoints(parse_address("http://cam.example/s3cret"), anywhere=False)
        assert caught.value.kind is Loss.UNUSABLE

    @pytest.mark.parametrize("host", ["8.8.8.8", "134744072", "0x08.8.8.8", "010.8.8.8", NOWHERE])
    def test_a_number_in_any_spelling_is_checked(self, host):
        with pytest.raises(CameraLost):
            endpoints(parse_address(f"http://{host}/"), anywhere=False)

    def test_a_name_that_nobody_knows(self, monkeypatch):
        def getaddrinfo(*_, **__):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        with telling(CameraLost, match="no such host") as caught:
            endpoints(parse_address("http://phone.local/"), anywhere=False)
        assert caught.value.kind is Loss.ABSENT

    def test_a_name_is_looked_up_once_only_so_that_it_cannot_change_its_mind(self, monkeypatch):
        server = serving()
        asked = looked_up(monkeypatch, "127.0.0.1")
        url = server.url("/shot.jpg").replace("127.0.0.1", "phone.local")
        NetworkCamera(NetworkSettings(timeout_s=30.0, source=url)).close()
        assert asked == ["phone.local"]


def opened(server, path="/shot.jpg", **settings):
    NetworkCamera(NetworkSettings(timeout_s=30.0, source=server.url(path), **settings)).close()


def lost(server, **settings):
    with pytest.raises(CameraLost) as caught:
        opened(server, **settings)
    assert caught.value.kind is Loss.UNUSABLE
    return error_text(caught.value)


class TestRedirects:
    @pytest.mark.parametrize("location", ["/shot.jpg?now", "shot.jpg?now"])
    def test_are_followed_within_the_camera(self, location):
        server = serving()
        server.redirect = {"/shot.jpg": location}
        opened(server)
        assert server.requests == ["/shot.jpg", "/shot.jpg?now"]

    def test_never_out_of_the_local_network(self):
        server = serving()
        server.redirect = {"/shot.jpg": "http://8.8.8.8/shot.jpg?s3cret"}
        assert "found http://8.8.8.8:80 outside it" in lost(server)

    @pytest.mark.parametrize(("location", "told"), [
        ("file:///etc/passwd", "does not begin with"),
        ("rtsp://127.0.0.1/live", "has moved to rtsp://127.0.0.1:554"),
        ("/shot.jpg", "one redirect after another"),
    ])  # fmt: skip
    def test_nor_to_anything_else(self, location, told):
        server = serving()
        server.redirect = {"/shot.jpg": location}
        assert told in lost(server)

    def test_nor_out_of_https(self):
        with telling(BadInput, match="stay with https"):
            parse_address("https://10.0.0.1/a").redirected_to("http://10.0.0.1/a")

    def test_user_and_password_go_along_to_the_same_host_only(self, monkeypatch):
        address = parse_address(f"http://{USER}:{PASSWORD.replace(':', '%3A')}@10.0.0.1/a")
        assert address.redirected_to("/b").password == PASSWORD
        assert (address.redirected_to("//10.0.0.2/b").user, address.redirected_to("//10.0.0.2/b").password) == ("", "")
        first, second = serving(), serving()
        first.asks_for = second.asks_for = "basic"
        first.redirect = {"/shot.jpg": second.url("/shot.jpg").replace("127.0.0.1", "127.0.0.2")}
        monkeypatch.setattr(socket, "getaddrinfo", lambda _, port, **__: [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))])  # fmt: skip
        assert "asks for a user name and password" in lost(first, user=USER, password=PASSWORD)
        assert second.authorizations == [None]


def test_only_what_somebody_set_is_told_to_be_without_effect():
    """`focus_m` has a value even where nobody set it, and `gain = 0` means that it is found at the start."""
    usual = NetworkSettings(source="http://127.0.0.1/video")
    assert ignored_settings(usual) == ()
    told = ignored_settings(replace(usual, focus_m=1.2, gain=0.0, exposure_ms=20.0))
    assert [dict(flaw.found.fields)["setting"] for flaw in told] == ["focus_m", "exposure_ms"]
