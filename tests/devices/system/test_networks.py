"""The networks of the machine, with a stand-in for NetworkManager: what is used, what is around, and changing."""

import pytest
from system_bus import TEMPLATES, SystemBus, system_bus, with_wifi

from referee.devices.system.bus import NO_ANSWER, NOT_ALLOWED, VARIABLE, Bus, BusError
from referee.devices.system.network import Network, NoWifi, Used
from referee.game.notice import Notice

NM, NM_AT = TEMPLATES["networkmanager"]
SECRET = "correct horse"  # noqa: S105 - of a Wi-Fi that is not there
HOME = Used(wifi=True, address="192.168.1.7", name="Home", signal=71)


@pytest.fixture
def bare(tmp_path_factory):
    with system_bus(tmp_path_factory.mktemp("bus"), "networkmanager") as made:
        yield made


@pytest.fixture
def machine(bare: SystemBus):
    with_wifi(bare)
    return bare


def network(machine: SystemBus) -> Network:
    """The networks, by a clock that goes on with every wait."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    return Network(machine.bus, lambda: now[0], sleep)


def fails(
    machine: SystemBus, method: str, signature: str, error: str = "org.freedesktop.NetworkManager.Failed"
) -> None:
    machine.refuse("networkmanager", NM, method, signature, error, "secrets were required")


def set_in_manager(machine: SystemBus, method: str, signature: str, returns: str, code: str) -> None:
    machine.tell("networkmanager", NM_AT, "AddMethod", "sssss", NM, method, signature, returns, code)


def test_the_wifi_in_use_is_told_with_signal_and_address(machine):
    assert network(machine).used() == (HOME,)


def test_a_cable_is_told_too_and_what_is_not_connected_is_not(machine):
    for name, state in (("eth0", 100), ("eth1", 20)):
        machine.tell("networkmanager", "/org/freedesktop", "AddEthernetDevice", "ssi", name, name, state)
    assert set(network(machine).used() or ()) == {HOME, Used(wifi=False, address="")}


def test_networks_are_listed_once_each_and_the_strongest_first(machine):
    seen = network(machine).seen()
    assert [(one.name, one.signal, one.locked, one.known) for one in seen] == [
        ("Home", 71, True, True), ("Cafe", 48, True, False), ("Open", 30, False, False)
    ]  # fmt: skip


def test_a_scan_that_never_ends_is_not_waited_for(machine):
    device = "/org/freedesktop/NetworkManager/Devices/wlan0"
    wireless = f"{NM}.Device.Wireless"
    machine.tell("networkmanager", device, "AddMethod", "sssss", wireless, "RequestScan", "a{sv}", "", "")
    assert len(network(machine).seen()) == 3


def test_another_wifi_is_used_with_its_password_which_goes_to_network_manager_alone(machine, capfd):
    assert network(machine).join("Cafe", SECRET) == Notice("system.wifi_joined", name="Cafe")
    ((method, (settings, device, point)),) = machine.calls("networkmanager")
    assert method == "AddAndActivateConnection"
    assert settings == {
        "connection": {"id": "Cafe", "type": "802-11-wireless"},
        "802-11-wireless": {"ssid": b"Cafe"},
        "802-11-wireless-security": {"key-mgmt": "wpa-psk", "psk": SECRET},
    }
    assert (device[-5:], point[-5:]) == ("wlan0", "/cafe")
    assert SECRET not in "".join(capfd.readouterr())


def test_a_key_of_64_digits_is_taken_instead_of_a_password(machine):
    key = "0123456789abcdefABCDEF".ljust(64, "7")
    assert network(machine).join("Cafe", key) == Notice("system.wifi_joined", name="Cafe")


def test_one_without_a_password_and_one_whose_password_is_known_need_none(machine):
    made = network(machine)
    assert made.join("Open", "") == Notice("system.wifi_joined", name="Open")
    assert "802-11-wireless-security" not in machine.calls("networkmanager")[-1][1][0]
    assert made.join("Home", "") == Notice("system.wifi_joined", name="Home")
    method, (profile, *_) = machine.calls("networkmanager")[-1]
    assert (method, profile) == ("ActivateConnection", "/org/freedesktop/NetworkManager/Settings/kept")


def test_after_a_refusal_the_machine_returns_to_the_wifi_from_before(machine):
    fails(machine, "AddAndActivateConnection", "a{sa{sv}}oo")
    assert network(machine).join("Cafe", SECRET) == Notice("system.wifi_back", name="Cafe")
    method, (profile, *_) = machine.calls("networkmanager")[-1]
    assert (method, profile) == ("ActivateConnection", "/org/freedesktop/NetworkManager/Settings/kept")


@pytest.mark.parametrize("state", [4, 1], ids=["given up", "never ready"])
def test_a_wifi_that_does_not_come_up_is_forgotten_again(machine, state):
    """A wrong password shows only once it has been tried."""
    machine.tell("networkmanager", "/org/freedesktop", "AddWiFiConnection", "ssss",
                 "/org/freedesktop/NetworkManager/Devices/wlan0", "new", "Cafe", "wpa-psk")  # fmt: skip
    active = machine.tell("networkmanager", "/org/freedesktop", "AddActiveConnection", "assssu", [],
                          "/org/freedesktop/NetworkManager/Settings/new", "/", "second", state)  # fmt: skip
    profile = "/org/freedesktop/NetworkManager/Settings/new"
    code = f"ret = (dbus.ObjectPath('{profile}'), dbus.ObjectPath('{active}'))"
    set_in_manager(machine, "AddAndActivateConnection", "a{sa{sv}}oo", "oo", code)
    assert network(machine).join("Cafe", SECRET) == Notice("system.wifi_back", name="Cafe")
    with machine.bus() as bus:
        assert profile not in bus.call(NM, f"{NM_AT}/Settings", f"{NM}.Settings.ListConnections")[0]
        assert bus.get(NM, "/org/freedesktop/NetworkManager/Devices/wlan0", f"{NM}.Device.ActiveConnection") != active


def test_if_nothing_works_that_is_told(machine):
    fails(machine, "AddAndActivateConnection", "a{sa{sv}}oo")
    fails(machine, "ActivateConnection", "ooo")
    assert network(machine).join("Cafe", SECRET) == Notice("system.wifi_not_joined", name="Cafe")


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [("Cafe", "", Notice("system.wifi_needs_password", name="Cafe")),
     ("Gone", SECRET, Notice("system.wifi_gone", name="Gone")),
     ("Cafe", "short", Notice("system.wifi_password_length", shortest=8, longest=63)),
     ("Cafe", "g" * 64, Notice("system.wifi_password_length", shortest=8, longest=63))],
    ids=["no password", "gone", "too short", "too long"],
)  # fmt: skip
def test_what_cannot_work_is_not_tried(machine, name, password, told):
    assert network(machine).join(name, password) == told
    assert machine.calls("networkmanager") == []


def test_what_the_referee_may_not_do_is_told(machine):
    fails(machine, "AddAndActivateConnection", "a{sa{sv}}oo", "org.freedesktop.NetworkManager.PermissionDenied")
    assert network(machine).join("Cafe", SECRET) == NOT_ALLOWED


def test_a_machine_without_wifi_says_so(bare):
    assert network(bare).used() == ()
    assert network(bare).join("Cafe", SECRET) == Notice("system.no_wifi")
    with pytest.raises(NoWifi):
        network(bare).seen()


def test_without_network_manager_that_is_told():
    made = Network(lambda: Bus({VARIABLE: "unix:path=/nowhere"}))
    assert made.used() is None
    assert made.join("Cafe", SECRET) == NO_ANSWER
    with pytest.raises(BusError):
        made.seen()
