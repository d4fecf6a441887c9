"""Calls over a real bus: values of every kind go there and come back, and whatever fails is told."""

import socket
import struct
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from system_bus import LOGIN, LOGIN_AT, MOCK, SystemBus, system_bus

from referee.devices.system.bus import NO_ANSWER, NOT_ALLOWED, VARIABLE, Bus, BusError
from referee.devices.system.bus_values import BadMessage, Reader, Variant, split, write

DENIED = "org.freedesktop.DBus.Error.AccessDenied"
VALUES = (
    "ybnqiuxtdsogayasa{sv}a{sa{sv}}(su)a(ii)aay",
    (7, True, -3, 9, -70000, 4_000_000_000, -(2**40), 2**60, 0.25, "Käse", "/a/b", "a{sv}", b"ssid", ["x", ""],
     {"n": Variant("u", 5)}, {"c": {"id": Variant("s", "é"), "raw": Variant("ay", b"\xff")}}, ("w", 1), [(1, 2)],
     [b"", b"z"]),
)  # fmt: skip


def read_back(signature: str, values: tuple) -> tuple:
    return Reader(write(signature, values)).read(signature)


def plain(value: object) -> object:
    """A value as it is read: without the signatures of variants."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value


def test_every_kind_of_value_is_read_as_it_was_written():
    assert read_back(*VALUES) == tuple(plain(value) for value in VALUES[1])


@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.integers(0, 255))
    )
)
def test_values_of_any_length_are_aligned(pairs):
    assert read_back("ya(sy)x", (1, pairs, 5)) == (1, pairs, 5)


def test_a_big_endian_message_is_read():
    assert Reader(struct.pack(">I", 2) + b"hi\0", little=False).read("s") == ("hi",)


@pytest.mark.parametrize("data", [b"", b"\x09\0\0\0ab\0", b"\xff\xff\xff\xff", b"\x02\0\0\0\xff\xfe\0"])
def test_other_bytes_are_refused(data):
    with pytest.raises(BadMessage, match="expected"):
        Reader(data).read("s")


@pytest.mark.parametrize("signature", ["z", "a", "(s", "a{"])
def test_a_wrong_signature_is_refused(signature):
    with pytest.raises(BadMessage, match="expected a D-Bus signature"):
        split(signature)


def test_without_a_bus_that_is_told(tmp_path: Path):
    for address in (f"unix:path={tmp_path / 'none'}", "tcp:host=localhost,port=1", "unix:abstract=referee-none"):
        with pytest.raises(BusError, match="expected the system bus"):
            Bus({VARIABLE: address})


def answers(tmp_path: Path, said: bytes):
    """A bus that says this and nothing more."""
    door = socket.socket(socket.AF_UNIX)
    door.bind(str(tmp_path / "bus"))
    door.listen()

    def serve() -> None:
        made, _ = door.accept()
        with made:
            made.recv(100)
            made.sendall(said)
            made.recv(4096)
        door.close()

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


@pytest.mark.parametrize("said", [b"REJECTED EXTERNAL\r\n", b"OK 1\r\n" + b"x" * 16, b"OK 1\r\n"])
def test_what_is_no_bus_is_no_reason_to_hang(tmp_path: Path, said: bytes):
    thread = answers(tmp_path, said)
    with pytest.raises(BusError):
        Bus({VARIABLE: f"unix:path={tmp_path / 'bus'}"})
    thread.join()


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    with system_bus(tmp_path_factory.mktemp("bus"), "logind") as made:
        yield made


def test_values_go_over_a_real_bus_and_come_back(machine: SystemBus):
    signature, values = VALUES
    interface = f"{LOGIN}.Manager"
    machine.tell("logind", LOGIN_AT, "AddMethod", "sssss", interface, "Echo", signature, "", "")
    with machine.bus() as bus:
        bus.call(LOGIN, LOGIN_AT, f"{interface}.Echo", signature, *values)
        assert bus.get(LOGIN, LOGIN_AT, f"{interface}.IdleHint") is False
        assert bus.get_all(LOGIN, LOGIN_AT, interface)["IdleAction"] == "ignore"
    # The stand-in answers with a variant for each argument.
    assert machine.calls("logind")[-1] == ("Echo", [plain(value) for value in values])


def test_errors_of_a_service_have_their_name_and_their_text(machine: SystemBus):
    machine.refuse("logind", f"{LOGIN}.Manager", "Halt", "", DENIED, "Interactive authentication required.")
    with machine.bus() as bus:
        with pytest.raises(BusError, match="Halt: Interactive authentication required") as denied:
            bus.call(LOGIN, LOGIN_AT, f"{LOGIN}.Manager.Halt")
        with pytest.raises(BusError) as unknown:
            bus.call(LOGIN, LOGIN_AT, f"{LOGIN}.Manager.Fly")
        with pytest.raises(BusError) as nobody:
            bus.call("org.example.Nobody", "/", "org.example.Nobody.Call")
    assert (denied.value.told, unknown.value.told, nobody.value.told) == (NOT_ALLOWED, NO_ANSWER, NO_ANSWER)


def test_a_service_that_does_not_answer_is_not_waited_for_long(machine: SystemBus):
    now = [0.0, 0.0]

    def later() -> float:
        now[0] += now[1]
        return now[0]

    with Bus({VARIABLE: machine.address}, now=later) as bus:
        now[1] = 20.0
        with pytest.raises(BusError, match="expected an answer to GetCalls within 10 s, found none"):
            bus.call(LOGIN, LOGIN_AT, f"{MOCK}.GetCalls")
