"""The page of the machine: what is wrong and what to do about it; shutting down, with a question in between."""

import errno
import html
import json
import socket
import time
from contextlib import closing
from dataclasses import replace

import pytest
from browser import NARROW, browser
from machine_page import ADDRESS, FILES, HOT, WEAK, MachineHouse, care_in, done, on_bus
from page import PATIENCE_S, served
from page_process import ready_page
from system_bus import LOGIN, PSK, system_bus, with_wifi

from referee.devices.system.bus import VARIABLE
from referee.devices.system.power import Going, Power
from referee.game.notice import Notice
from referee.i18n import ENGLISH, LANGUAGES
from referee.journal.errors import NOT_WRITTEN

POWER, CLOCK, ZONE = "/api/machine/power", "/api/machine/clock", "/api/machine/zone"
RESET = "/api/machine/reset"
WIFI, SAFE = "/api/machine/wifi", "/api/machine/safe"
GUESSED = {"run/systemd/timesync/clock": ""}
"""A Pi that waits for a network to tell it the time."""


@pytest.fixture
def house(tmp_path):
    made = MachineHouse(tmp_path, local=True)
    yield made
    made.close()


@pytest.fixture
def logind(tmp_path_factory):
    with system_bus(tmp_path_factory.mktemp("bus"), "logind") as made:
        yield made


def with_power(house: MachineHouse, bus) -> Power:
    power = Power(bus.bus)
    house.server.cares(replace(house.care, power=power))
    return power


def test_it_takes_the_pin(tmp_path):
    made = MachineHouse(tmp_path)
    try:
        status, headers, _ = made.ask("/machine")
        assert (status, headers["Location"]) == (303, "/enter?next=/machine")
        assert made.post(POWER, {"how": "off"})[0] == 403
        assert "Is everything all right?" in made.read()
    finally:
        made.close()


def test_a_machine_that_is_well_says_so_with_its_version_and_address(house):
    text = house.read()
    assert "Yes, everything is fine." in text
    assert ADDRESS in text
    assert "Raspberry Pi 4 Model B" in text


@pytest.mark.parametrize(
    ("files", "words"),
    [(WEAK, "Use the maker&#39;s own power supply"), (HOT, "take it out of its case"),
     ({"proc/meminfo": "MemTotal: 900000 kB\nMemAvailable: 90000 kB\n"}, "Close other programs")],
    ids=["power", "heat", "memory"],
)  # fmt: skip
def test_each_trouble_is_told_with_what_to_do(tmp_path, files, words):
    made = MachineHouse(tmp_path, files, local=True)
    try:
        text = made.read()
        assert words in text
        assert "everything is fine" not in text
    finally:
        made.close()


@pytest.mark.parametrize("key", ["page.clean_lens", "page.camera_silent"])
def test_a_dirty_lens_and_a_camera_without_pictures_are_told(house, key):
    house.server.follower.troubles((Notice(key),))
    text = house.read()
    assert "everything is fine" not in text
    assert ENGLISH(Notice(key)) in html.unescape(text)


def test_a_full_card_is_told_in_words_for_a_family(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 20_000_000})())
    made = MachineHouse(tmp_path, local=True)
    try:
        text = made.read()
        assert "The disk is almost full: 20\u00a0MB are free." in text
        assert "Use a larger memory card" in text
        assert "[storage]" not in text
    finally:
        made.close()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "The memory card is full; nothing can be written to it any more."),
        (errno.EROFS, "The memory card cannot be written to. Download a backup"),
        (errno.EIO, "The memory card cannot be written to. Download a backup"),
    ],
    ids=["full", "locked", "failing"],
)
def test_a_card_that_takes_nothing_is_told_once_with_one_thing_to_do(tmp_path, monkeypatch, number, words):
    def refuse(**_):
        raise OSError(number, "no")

    free = 0 if number == errno.ENOSPC else 9_000_000_000
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free})())
    monkeypatch.setattr("referee.doctor.storage.tempfile.TemporaryFile", refuse)
    made = MachineHouse(tmp_path, local=True)
    try:
        text = html.unescape(made.read())
        assert text.count('<li class="notice') == 1
        found = text.partition('data-check="doctor.check_journal_folder"')[2]
        told = found.partition("</li>")[0]
        assert told.count(words) == 1
        assert ("use another card" in told) != ("Use a larger memory card" in told)
    finally:
        made.close()


def test_a_computer_that_is_no_pi_is_not_switched_off(tmp_path):
    made = MachineHouse(tmp_path, dict.fromkeys(FILES, ""), local=True)
    try:
        assert "Only a Raspberry Pi" in made.read()
        assert made.post(POWER, {"how": "off"})[0] == 409
    finally:
        made.close()


def test_without_a_machine_the_page_of_more_does_not_lead_there(tmp_path):
    with served(folder=tmp_path) as table:
        assert "/machine" not in table.get("/more")[2].decode()
        headers = {"Content_Type": "application/json", "Origin": table.address}
        assert table.get(POWER, "POST", '{"how": "off"}', **headers)[0] == 409


@pytest.mark.parametrize(
    ("how", "method", "words"), [("off", "PowerOff", "shutting down"), ("restart", "Reboot", "restarting")]
)
def test_the_machine_is_switched_off_or_restarted(house, logind, how, method, words):
    power = with_power(house, logind)
    status, _, told = house.post(POWER, {"how": how})
    assert (status, words in told["told"]) == (200, True)
    assert logind.calls("logind") == [(method, [False])]
    assert power.going is Going(how)


def test_a_refusal_of_the_system_is_told(house, logind):
    logind.refuse("logind", f"{LOGIN}.Manager", "PowerOff", "b", "org.freedesktop.DBus.Error.AccessDenied", "no")
    with_power(house, logind)
    status, _, told = house.post(POWER, {"how": "off"})
    assert (status, told["told"][:45]) == (409, "The machine does not let the referee do that.")


@pytest.mark.parametrize("body", [{}, {"how": "melt"}, {"how": "off", "sure": "yes"}, []])
def test_anything_else_is_refused_and_named(house, body):
    status, _, told = house.post(POWER, body)
    assert (status, "expected" in told["error"]) == (400, True)


@pytest.mark.parametrize("key", sorted(NOT_WRITTEN))
def test_before_it_is_switched_off_a_match_that_is_not_on_the_card_is_said_to_be_lost(tmp_path, key):
    with served(folder=tmp_path) as table:
        table.server.cares(care_in(tmp_path))
        table.press()
        headers = {"Content_Type": "application/json", "Origin": table.address}
        for told, words in (((), "It will continue where it left off"), ((Notice(key),), "lost if the machine is")):
            table.follower.troubles(told)
            table.follow()
            assert words in table.get("/machine")[2].decode()
            status, _, answer = table.get(POWER, "POST", '{"how": "off"}', **headers)
            assert (status, words in json.loads(answer)["told"]) == (412, True)
            assert ("is in no backup" in table.get("/backup")[2].decode()) == bool(told)


def test_a_match_under_way_must_be_confirmed(tmp_path, logind):
    with served(folder=tmp_path) as table:
        made = MachineHouse(tmp_path / "house", local=True)
        try:
            with_power(made, logind)
            made.server.follower.on_update(table.follower.facts.scene)
            assert "It will continue where it left off" in made.read()
            status, _, told = made.post(POWER, {"how": "off"})
            assert (status, "It will continue where it left off" in told["told"]) == (412, True)
            assert logind.calls("logind") == []
            assert made.post(POWER, {"how": "off", "sure": True})[0] == 200
            assert logind.calls("logind") == [("PowerOff", [False])]
        finally:
            made.close()


@pytest.fixture
def timedated(tmp_path_factory):
    with system_bus(tmp_path_factory.mktemp("bus"), "timedated", timedated={"NTP": False}) as made:
        yield made


@pytest.fixture
def guessing(tmp_path, timedated):
    """A Pi that nobody has told the time, with a page of its own."""
    made = MachineHouse(tmp_path, GUESSED, local=True)
    (tmp_path / "state").mkdir(exist_ok=True)
    made.server.cares(on_bus(made.care, tmp_path, timedated.bus))
    yield made
    made.close()


def test_a_time_that_is_only_a_guess_is_said_and_set_by_a_phone(guessing, timedated):
    text = guessing.read()
    assert "That is only a guess" in text
    assert "Set the clock here" in text
    at = time.time() + 86_400
    status, _, told = guessing.post(CLOCK, {"at": at})
    assert (status, told["told"][:19]) == (200, "The clock is set: i")
    assert timedated.calls("timedated") == [("SetTime", [round(at * 1e6), False, False])]
    assert "only a guess" not in guessing.read()


def test_what_a_power_cut_has_left_off_is_switched_on_at_the_next_start(tmp_path, timedated, monkeypatch):
    monkeypatch.setenv(VARIABLE, timedated.address)
    (tmp_path / "state").mkdir()
    noted = tmp_path / "state" / "clock.json"
    noted.write_text('{"network_time_off": true}')
    care_in(tmp_path)
    until = time.monotonic() + PATIENCE_S
    while noted.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert timedated.calls("timedated") == [("SetNTP", [True, False])]


def test_a_time_zone_is_chosen(guessing, timedated):
    assert '<optgroup label="Europe">' in guessing.read()
    status, _, told = guessing.post(ZONE, {"zone": "Europe/Rome"})
    assert (status, told["told"][:29]) == (200, "The time zone is Europe/Rome:")
    assert timedated.calls("timedated") == [("SetTimezone", ["Europe/Rome", False])]
    assert '<option value="Europe/Rome" selected>' in guessing.read()


@pytest.mark.parametrize(
    ("path", "body"),
    [(CLOCK, {"at": 0}), (CLOCK, {"at": "now"}), (CLOCK, {}), (ZONE, {"zone": "Europe/Rummi"}), (ZONE, {"zone": ""}),
     (ZONE, {"zone": "../../etc/passwd"})],
)  # fmt: skip
def test_no_other_time_or_zone_reaches_the_system(guessing, timedated, path, body):
    status, _, told = guessing.post(path, body)
    assert (status, "expected" in told["error"]) == (400, True)
    assert timedated.calls("timedated") == []


def test_where_the_clock_is_not_the_referees_business_it_is_not_set(tmp_path):
    made = MachineHouse(tmp_path, dict.fromkeys(FILES, ""), local=True)
    try:
        assert made.post(CLOCK, {"at": time.time()})[0] == 409
        assert made.post(ZONE, {"zone": "Europe/Rome"})[0] == 409
    finally:
        made.close()


@pytest.mark.page
def test_the_clock_is_set_by_one_tap_and_the_zone_of_the_phone_is_offered(guessing, timedated):
    with browser() as screen:
        screen.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Paris"})
        # The phone's clock is two hours ahead of the machine's.
        ahead = "const real = Date.now; Date.now = () => real() + 7200000;"
        screen.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": ahead})
        screen.open(f"http://{guessing.host}/machine?lang=fr")
        assert screen.find("#phone-time").text.startswith("Utiliser l'heure de ce téléphone")
        assert screen.all("[data-check$=clock]")
        screen.find("#phone-time").click()
        screen.until("#clock-answer", "L'horloge est réglée")
        # Nothing on the page says any more that the time is a guess, nor which it was.
        assert not screen.all("[data-check$=clock]")
        assert not screen.all("#clock-now")[0].is_displayed()
        ((method, (micros, *_)),) = timedated.calls("timedated")
        assert method == "SetTime"
        assert abs(micros / 1e6 - time.time() - 7200) < 600
        assert screen.find("#phone-zone").text == "Utiliser Europe/Paris, comme ce téléphone"
        screen.find("#phone-zone").click()
        screen.until("#clock-answer", "Le fuseau horaire est Europe/Paris")
        assert screen.find("#zone").get_attribute("value") == "Europe/Paris"
        assert timedated.calls("timedated")[-1] == ("SetTimezone", ["Europe/Paris", False])
        assert (screen.complaints(), screen.violations()) == ([], [])


def test_a_system_that_keeps_everything_in_memory_is_told_before_an_evening_is_lost(tmp_path):
    overlay = "26 1 0:23 / / rw - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay"
    made = MachineHouse(tmp_path, {"proc/self/mountinfo": f"{overlay}\n"}, local=True)
    try:
        text = made.read()
        assert "anything played now is lost when the machine is switched off" in text
        assert "Download a backup before you switch off" in text
        assert "raspi-config" not in text
    finally:
        made.close()


def test_safe_mode_is_entered_and_left_and_the_page_says_why(house, tmp_path):
    (tmp_path / "state").mkdir(exist_ok=True)
    status, _, told = house.post(SAFE, {"on": True})
    assert (status, told["told"]) == (200, "The referee is now running in safe mode.")
    text = house.read()
    assert "The referee is running in safe mode, with standard settings. To leave it: More, The machine." in text
    assert "Leave safe mode" in text
    status, _, told = house.post(SAFE, {"on": False})
    assert (status, told["told"]) == (200, "The referee is running with your settings again.")
    assert "Run in safe mode" in house.read()


def test_safe_mode_is_not_changed_during_a_match(house, tmp_path):
    with served(folder=tmp_path / "other") as table:
        house.server.follower.on_update(table.follower.facts.scene)
        assert house.post(SAFE, {"on": True})[0] == 409
    assert house.care.safe.why is None


@pytest.mark.page
def test_a_referee_that_was_asked_to_starts_in_safe_mode_and_says_so(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "safe-mode.json").write_text('{"boot": "", "starts": [], "asked": true}')
    with (
        ready_page(tmp_path, "panel.kind=console", "voice.on=true", "panel.display=oled") as process,
        browser() as screen,
    ):
        screen.open(f"{process.url}/machine?lang=en")
        screen.until(".troubles-list", "The referee is running in safe mode")
        screen.find("#change-mode").click()
        screen.until("#safe-answer", "The referee is running with your settings again.")
    assert '"asked": false' in (state / "safe-mode.json").read_text()


@pytest.fixture
def wireless(tmp_path, tmp_path_factory):
    """A page of a Pi in the Wi-Fi "Home", and the bus of its NetworkManager."""
    with system_bus(tmp_path_factory.mktemp("bus"), "networkmanager") as machine:
        with_wifi(machine)
        made = MachineHouse(tmp_path, local=True)
        made.server.cares(on_bus(made.care, tmp_path, machine.bus))
        yield made, machine
        made.close()


def test_the_network_is_shown_and_all_around_are_listed(wireless):
    house, _ = wireless
    assert "Wi-Fi Home, signal 71%; address 192.168.1.7" in house.read()
    status, _, body = house.ask("/api/machine/networks?lang=de")
    networks = json.loads(body)["networks"]
    assert status == 200
    assert [(one["name"], one["text"]) for one in networks] == [
        ("Home", "Signal 71\u00a0%, bekannt"),
        ("Cafe", "Signal 48\u00a0%"),
        ("Open", "Signal 30\u00a0%, ohne Passwort"),
    ]


def test_networks_are_told_only_to_those_who_may_change_them(tmp_path):
    made = MachineHouse(tmp_path)
    try:
        for path in ("/api/machine/networks", "/api/machine/joined"):
            assert made.ask(path)[0] == 403
        assert made.post(WIFI, {"name": "Cafe", "password": "a secret"})[0] == 403
    finally:
        made.close()


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "x" * 33}, {"name": "Cafe", "password": "x" * 65}])
def test_no_other_wifi_reaches_the_system_and_no_password_is_told_back(house, body):
    status, _, told = house.post(WIFI, body)
    assert (status, "expected" in told["error"]) == (400, True)
    assert "x" * 64 not in told["error"]


@pytest.mark.page
def test_another_wifi_is_chosen_and_its_password_typed(wireless):
    house, machine = wireless
    with browser() as screen:
        screen.open(f"http://{house.host}/machine?lang=en")
        screen.find("#find-wifi").click()
        screen.until("#wifi-list li:nth-child(2) span", "Cafe")
        assert (screen.violations(), screen.sideways()) == ([], 0)
        screen.find("#wifi-list li:nth-child(2) button").click()
        assert screen.run("return document.activeElement.id") == "wifi-password"
        screen.find("#wifi-password").send_keys("correct horse")
        assert screen.violations() == []
        screen.find("#join-it").click()
        screen.until("#network-answer", "The machine is now using the Wi-Fi network Cafe.")
        assert not screen.all("#used")[0].is_displayed()  # it still names the other one
        assert machine.calls("networkmanager")[-1][1][0]["802-11-wireless-security"]["psk"] == "correct horse"
        assert screen.run("return document.getElementById('wifi-password').value") == ""
        screen.open(f"http://{house.host}/machine?lang=it")
        screen.until("#network-answer", "L'apparecchio usa ora la rete Wi-Fi Cafe.")
        assert "correct horse" not in screen.driver.page_source
        assert screen.complaints() == []


@pytest.mark.page
def test_the_name_of_a_wifi_is_shown_as_it_is(wireless):
    house, machine = wireless
    device = "/org/freedesktop/NetworkManager/Devices/wlan0"
    machine.tell("networkmanager", "/org/freedesktop", "AddAccessPoint", "ssssuuuyu",
                 device, "odd", "Pa$$ & $&", "00:23:F8:7E:12:07", 2, 2425, 5400, 99, PSK)  # fmt: skip
    with browser() as screen:
        screen.open(f"http://{house.host}/machine?lang=en")
        screen.find("#find-wifi").click()
        screen.until("#wifi-list li:first-child span", "Pa$$ & $&")
        screen.find("#wifi-list li:first-child button").click()
        assert screen.find("label[for=wifi-password]").text == "Password for Pa$$ & $&"
        assert screen.find("#join-it").text.endswith("Pa$$ & $&")
        assert screen.complaints() == []


@pytest.mark.page
def test_the_machine_is_switched_off_by_two_taps(house, logind):
    with_power(house, logind)
    with browser() as screen:
        screen.open(f"http://{house.host}/more?lang=de")
        screen.find("a[href='/machine']").click()
        screen.until("h1", "Das Gerät")
        screen.find("[data-ask=off]").click()
        assert screen.run("return document.activeElement.dataset.end") == "off"
        screen.find("#sure-off [data-leave]").click()
        assert screen.run("return document.activeElement.dataset.ask") == "off"
        assert logind.calls("logind") == []
        screen.find("[data-ask=off]").click()
        screen.find("[data-end=off]").click()
        screen.until("#power-answer", "fährt herunter")
        assert logind.calls("logind") == [("PowerOff", [False])]
        assert screen.complaints() == []


@pytest.mark.page
def test_a_match_that_began_after_the_page_was_opened_is_told_before_the_machine_goes(tmp_path, logind):
    with served(folder=tmp_path) as table, browser() as screen:
        made = MachineHouse(tmp_path / "house", local=True)
        try:
            with_power(made, logind)
            screen.open(f"http://{made.host}/machine?lang=en")
            made.server.follower.on_update(table.follower.facts.scene)
            screen.find("[data-ask=off]").click()
            screen.run("window.whole = fetch; window.fetch = function () { return Promise.reject(new Error()); };")
            screen.find("[data-end=off]").click()
            screen.until("#power-answer", "The machine did not answer.")
            screen.run("window.fetch = window.whole;")
            screen.find("[data-end=off]:not([disabled])").click()
            screen.until("#power-answer", "It will continue where it left off")
            assert logind.calls("logind") == []
            screen.find("[data-end=off]:not([disabled])").click()
            screen.until("#power-answer", "shutting down")
            assert logind.calls("logind") == [("PowerOff", [False])]
        finally:
            made.close()


@pytest.mark.parametrize(("word", "language"), [("reset", "de"), ("", "en"), ("LÖSCHEN", "fr")])
def test_everything_is_deleted_only_after_the_word_was_typed(house, word, language):
    asked = []
    house.server.cares(replace(house.care, reset=lambda forget: (asked.append(forget), done())[1]))
    assert house.post(f"{RESET}?lang={language}", {"word": word})[0] in (400, 409)
    assert asked == []
    assert house.post(f"{RESET}?lang=de", {"word": " löschen ", "backups": True})[0] == 200
    assert asked == [True]


def test_nothing_is_deleted_during_a_match_nor_where_that_is_impossible(house, tmp_path):
    assert 'id="reset-part"' not in house.read()
    assert house.post(RESET, {"word": "reset"})[0] == 409
    house.server.cares(replace(house.care, reset=lambda _: pytest.fail("it must not be asked for")))
    with served(folder=tmp_path / "other") as table:
        house.server.follower.on_update(table.follower.facts.scene)
        for path, body in ((RESET, {"word": "reset"}), (SAFE, {"on": True})):
            status, _, told = house.post(path, body)
            assert (status, told["told"]) == (409, "A match is under way. End it first: pause it, then hold start.")


@pytest.mark.page
def test_a_table_is_as_on_its_first_day_after_a_reset_on_its_page(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "page.toml").write_text('[game]\nseason = "before"\n')
    (state / "boxes").mkdir()
    with ready_page(tmp_path, "panel.kind=console", f"web.port={free_port()}") as process, browser() as screen:
        before = json.loads((state / "page.json").read_text())
        screen.open(f"{process.url}/machine?lang=it")
        screen.find("#ask-reset").click()
        screen.find("#reset-word").send_keys("cancella")
        assert (screen.complaints(), screen.violations()) == ([], [])
        screen.find("#do-reset .danger").click()
        screen.until("#reset-answer", "È in corso la cancellazione di tutto.")
        process.line(r"http://(\S+):(\d+)/")  # it has started again
        screen.wait(lambda: "/machine" not in screen.driver.current_url, "the first page")
        assert not (state / "page.toml").exists()
        assert not (state / "boxes").exists()
        assert json.loads((state / "page.json").read_text())["key"] != before["key"]
        assert len(list((state / "backups").glob("before-restore-*.zip"))) == 1


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        return door.getsockname()[1]


@pytest.mark.page
def test_the_page_of_the_machine_is_for_everybody(tmp_path):
    made = MachineHouse(tmp_path, {**WEAK, **HOT}, local=True)
    try:
        with browser() as screen:
            for language in LANGUAGES:
                for scheme in ("light", "dark"):
                    screen.prefers(scheme=scheme, motion="reduce")
                    screen.open(f"http://{made.host}/machine?lang={language}")
                    if ask := screen.all("[data-ask=off]"):
                        ask[0].click()
                    assert (screen.violations(), screen.sideways(), screen.complaints()) == ([], 0, [])
                for size in NARROW:
                    screen.narrow(size)
                    assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
                screen.resize(390, 844)
        with browser(text_px=32) as screen:
            screen.resize(360, 740)
            for language in LANGUAGES:
                screen.open(f"http://{made.host}/machine?lang={language}")
                assert screen.sideways() == 0
    finally:
        made.close()
