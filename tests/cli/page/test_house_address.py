"""Where the page is found: in a house without a way out, before the router has answered, and behind a name."""

import socket

import pytest

from referee.cli.page import lan_address
from referee.cli.page.lan_address import chosen_of, here, on_lan
from referee.table.preparation.values import SetUp

EVERYWHERE = "0.0.0.0"  # noqa: S104


@pytest.fixture
def no_way_out(monkeypatch):
    monkeypatch.setattr(lan_address, "default_route_address", lambda: "")
    monkeypatch.setattr(socket, "gethostname", lambda: "Table-7.lan")


@pytest.mark.usefixtures("no_way_out")
def test_without_a_way_out_it_is_the_address_of_an_interface(monkeypatch):
    monkeypatch.setattr(
        lan_address, "interface_addresses", lambda: [("docker0", "172.17.0.1"), ("wlan0", "192.168.4.1")]
    )
    assert on_lan(EVERYWHERE, 8765) == "http://192.168.4.1:8765/"


@pytest.mark.usefixtures("no_way_out")
def test_before_the_router_has_answered_it_is_the_name_of_the_machine(monkeypatch):
    monkeypatch.setattr(lan_address, "interface_addresses", list)
    assert on_lan("::", 8765) == "http://table-7.local:8765/"
    monkeypatch.setattr(socket, "gethostname", lambda: "localhost")
    assert on_lan("::", 8765) == ""
    assert here("::", 8765) == "http://localhost:8765/"


@pytest.mark.parametrize(
    ("addresses", "found"),
    [
        pytest.param([], "", id="none"),
        pytest.param([("wlan0", "169.254.7.7"), ("wlan1", "10.0.0.4")], "10.0.0.4", id="not one of its own making"),
        pytest.param([("eth0", "169.254.7.7")], "169.254.7.7", id="but better than none"),
        pytest.param([("wlan0", "192.168.1.3"), ("eth0", "192.168.1.2")], "192.168.1.2", id="the cable first"),
        pytest.param([("br-1f", "172.18.0.1"), ("veth1", "172.19.0.1")], "", id="networks of this machine"),
    ],
)
def test_the_address_that_the_house_knows(addresses, found):
    assert chosen_of(addresses) == found


def test_the_kernel_is_asked_for_addresses_and_none_is_this_machine_alone():
    for _, address in lan_address.interface_addresses():
        assert socket.inet_aton(address)
        assert not address.startswith("127.")


@pytest.mark.parametrize("listen", ["localhost", "127.0.0.1", "::1"])
def test_what_is_served_here_only_has_no_address_elsewhere(listen):
    assert on_lan(listen, 8765) == ""


def test_an_address_of_six_has_brackets_and_a_port_that_is_unknown_makes_none():
    assert on_lan("fd00::7", 8765) == "http://[fd00::7]:8765/"
    assert on_lan("fd00::7", 0) == ""


def test_the_set_up_pages_show_the_address_as_it_is_by_now():
    known = []
    setup = SetUp(where=lambda: known[-1] if known else "")
    assert setup.address == ""
    known.append("http://192.168.1.5:8765/")
    assert setup.address == known[-1]
