"""Signs of life to systemd, over a real socket."""

import socket

import pytest

from referee.devices.service import Service


@pytest.fixture
def door(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(2)
        yield listening


def test_what_the_referee_tells_arrives(door):
    service = Service({"NOTIFY_SOCKET": door.getsockname()})
    service.ready()
    service.alive()
    service.status("Anna's\nturn")
    service.stopping()
    assert [door.recv(100) for _ in range(4)] == [b"READY=1", b"WATCHDOG=1", b"STATUS=Anna's turn", b"STOPPING=1"]


def test_an_abstract_socket_will_do():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0referee-test-notify")
        listening.settimeout(2)
        Service({"NOTIFY_SOCKET": "@referee-test-notify"}).ready()
        assert listening.recv(100) == b"READY=1"


def test_without_systemd_nothing_happens(tmp_path):
    Service({}).ready()
    Service({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready()


@pytest.mark.parametrize(
    ("environ", "every"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "10000000"}, 5.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "77"}, 5.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "78"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_signs_of_life_are_due_twice_as_often_as_the_watchdog_looks(environ, every):
    assert Service(environ, pid=77).alive_every_s == every
