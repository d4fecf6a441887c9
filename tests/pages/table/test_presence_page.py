"""What those at the table must confirm with start: which requests, for whom, and for nobody else."""

import http.client
import json
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest
from browser import NARROW, browser
from guarded import PATIENCE_S
from machine_page import MachineHouse, done, on_bus
from system_bus import system_bus

from referee.devices.panel.real_buttons import FILE, ButtonsProof
from referee.game.notice import Notice
from referee.pages.table.presence.confirmations import LASTS_S, MOST, WAITS_S, Action, Confirmations
from referee.table.input.requests import AskPresence, LeavePresence
from referee.table.preparation.values import SetUp, SetupStage

ASK, LEAVE = "/api/presence", "/api/presence/leave"
RESET = "/api/machine/reset"
POWER, WIFI, PIN = "/api/machine/power", "/api/machine/wifi", "/api/machine/pin"
ELSEWHERE = {"X_Forwarded_For": "192.168.1.20"}
"""A request that another server forwards does not come from the machine itself."""


class OpenHouse(MachineHouse):
    def cookie(self):
        return ""  # nobody enters a PIN

    def status(self, path, **headers) -> int:
        """The status of an answer that is no text."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as connection:
            connection.request("GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            answer.read()
            return answer.status


@contextmanager
def open_house(folder, *, pressed=True, **policy):
    """A page on which everybody may change everything; at its table a real button was pressed, or none yet."""
    folder.mkdir(exist_ok=True)
    if pressed:
        (folder / "state").mkdir(exist_ok=True)
        (folder / "state" / FILE).write_text("{}")
    made = OpenHouse(folder, writing="open", **policy)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def house(tmp_path):
    with open_house(tmp_path) as made:
        yield made


def asked(house) -> AskPresence:
    return next(one for one in reversed(house.controls.requests) if isinstance(one, AskPresence))


def confirm(house, action: str, *, allowed: bool = True) -> str:
    """Ask for an action and let the table answer; the id of that."""
    status, _, told = house.post(ASK, {"action": action}, **ELSEWHERE)
    assert status == 200
    assert json.loads(house.ask(f"{ASK}/{told['id']}", **ELSEWHERE)[2])["state"] == "waiting"
    asked(house).answered(allowed)
    state = json.loads(house.ask(f"{ASK}/{told['id']}", **ELSEWHERE)[2])["state"]
    assert state == ("allowed" if allowed else "refused")
    return told["id"]


@pytest.mark.parametrize("path", ["/backup/now.zip", "/backup/now.zip?pictures=yes"])
def test_a_backup_is_saved_only_once_it_was_confirmed(house, path, tmp_path):
    (tmp_path / "state" / "page.toml").write_text("")
    status, headers, _ = house.ask(path, **ELSEWHERE)
    assert (status, headers["X-Confirm"]) == (428, "backup")
    named = path + ("&" if "?" in path else "?") + "confirmed="
    assert house.status(named + confirm(house, "backup", allowed=False), **ELSEWHERE) == 428
    assert house.status(named + confirm(house, "wifi"), **ELSEWHERE) == 428
    name = confirm(house, "backup")
    assert house.status(named + name) != 428  # the machine itself
    assert house.status(named + name, **ELSEWHERE) == 200
    assert house.status(named + name, **ELSEWHERE) == 428  # it was used


def test_the_table_is_told_what_it_confirms(house):
    confirm(house, "backup")
    assert asked(house).what == Notice("presence.asked", what=Notice("presence.to_backup"))


@pytest.mark.parametrize(
    ("path", "body", "action"),
    [(POWER, {"how": "off"}, "power"), (RESET, {"word": "reset"}, "reset"),
     (WIFI, {"name": "Cafe", "password": "a secret"}, "wifi"),
     (PIN, {"pin": "135790"}, "pin")],
)  # fmt: skip
def test_what_could_take_the_machine_away_must_be_confirmed(tmp_path, path, body, action):
    with open_house(tmp_path) as house:
        house.server.cares(replace(house.care, reset=lambda _: done()))
        status, headers, _ = house.post(path, body, **ELSEWHERE)
        assert (status, headers["X-Confirm"]) == (428, action)
        assert house.post(path, body, **ELSEWHERE, X_Confirmed=confirm(house, action))[0] != 428
        assert house.post(path, body, **ELSEWHERE)[0] in (403, 428)


@pytest.mark.parametrize("body", [{"action": "melt"}, {}, []])
def test_nothing_else_can_be_asked_for(house, body):
    status, _, told = house.post(ASK, body, **ELSEWHERE)
    assert (status, "expected" in told["error"]) == (400, True)


def test_the_machine_itself_and_whoever_has_entered_the_pin_ask_nobody(tmp_path):
    with open_house(tmp_path) as house:
        assert house.post(ASK, {"action": "backup"})[2] == {"id": "", "told": ""}
        assert house.status("/backup/now.zip") != 428
        pin = json.loads((tmp_path / "state/page.json").read_text())["pin"]
        session = house.post("/api/enter", {"pin": pin})[1]["Set-Cookie"].partition(";")[0]
        assert house.status("/backup/now.zip", **ELSEWHERE, Cookie=session) != 428
        assert house.controls.requests == []


def test_before_any_button_was_pressed_everything_stays_open_and_the_page_says_so(tmp_path):
    with open_house(tmp_path, pressed=False) as house:
        text = house.ask("/machine?lang=en", **ELSEWHERE)[2]
        assert "Everybody in this network can download backups with all passwords" in text
        assert 'id="set-pin"' in text
        assert house.post(ASK, {"action": "power"}, **ELSEWHERE)[2] == {"id": "", "told": ""}
        assert house.status("/backup/now.zip", **ELSEWHERE) != 428
        house.server.buttons.were_pressed()
        assert house.status("/backup/now.zip", **ELSEWHERE) == 428
        assert "must also be confirmed with start at the table" in house.ask("/machine?lang=en", **ELSEWHERE)[2]


def test_a_confirmation_of_one_browser_is_worth_nothing_to_another(tmp_path):
    with open_house(tmp_path) as house:
        name = confirm(house, "backup")
        pin = json.loads((tmp_path / "state/page.json").read_text())["pin"]
        other = {"Cookie": house.post("/api/enter", {"pin": pin})[1]["Set-Cookie"].partition(";")[0]}
        assert json.loads(house.ask(f"{ASK}/{name}", **ELSEWHERE, **other)[2])["state"] == "refused"


def test_who_no_longer_wants_it_says_so_to_the_table(house):
    name = house.post(ASK, {"action": "wifi"}, **ELSEWHERE)[2]["id"]
    assert house.post(LEAVE, {"id": "something else"}, **ELSEWHERE)[0] == 200
    assert not any(isinstance(one, LeavePresence) for one in house.controls.requests)
    assert house.post(LEAVE, {"id": name}, **ELSEWHERE)[0] == 200
    assert house.controls.requests[-1] == LeavePresence(asked(house).answered)


def test_what_the_table_refuses_is_told(house):
    async def send(_):
        return Notice("presence.not_during_turn")

    house.controls.send = send
    status, _, told = house.post(ASK, {"action": "wifi"}, **ELSEWHERE)
    assert (status, told["told"]) == (409, "A turn is under way. Pause the match, then try again.")


def test_without_a_table_the_machine_can_be_switched_off_and_nothing_else(house):
    house.server.sets_up(SetUp(stage=SetupStage.MISSING), time.monotonic, "en", (900.0, 600.0))
    assert house.post(POWER, {"how": "off"}, **ELSEWHERE)[0] == 409  # the system does not answer here
    assert house.status("/backup/now.zip", **ELSEWHERE) == 428


def configure(house, kind, **headers):
    post = {"id": f"one-of-a-kind-{time.monotonic_ns()}", "n": 0, "command": "configure",
            "settings": {"panel.kind": kind}}  # fmt: skip
    return house.post("/api/command", post, **ELSEWHERE, **headers)


def test_the_real_buttons_are_given_up_only_by_those_at_the_table(house):
    panels = SetUp(values={"panel.kind": "gpio"}, panels=("gpio", "page"))
    house.server.sets_up(panels, time.monotonic, "en", (900.0, 600.0))
    status, headers, _ = configure(house, "page")
    assert (status, headers["X-Confirm"]) == (428, "panel")
    assert configure(house, "gpio")[0] != 428
    assert configure(house, "page", X_Confirmed=confirm(house, "panel"))[0] == 200
    assert not house.server.buttons.proven
    assert house.status("/backup/now.zip", **ELSEWHERE) != 428


def test_real_buttons_are_remembered_until_they_are_given_up(tmp_path):
    proof = ButtonsProof(tmp_path)
    assert not proof.proven
    for _ in range(3):
        proof.were_pressed()
    join()
    assert ButtonsProof(tmp_path).proven
    proof.forget()
    join()
    assert not ButtonsProof(tmp_path).proven


def join():
    for thread in threading.enumerate():
        if thread.name == "buttons":
            thread.join(PATIENCE_S)


def test_confirmations_are_used_in_time_or_never():
    now = [10.0]
    kept = Confirmations(lambda: now[0])
    late = kept.begin(Action.WIFI, "me")
    now[0] += WAITS_S
    kept.answer(late, allowed=True)
    assert (kept.state(late, "me"), kept.take(late, Action.WIFI, "me")) == (False, False)
    name = kept.begin(Action.WIFI, "me")
    kept.answer(name, allowed=True)
    kept.answer(name, allowed=False)  # the first answer counts
    now[0] += LASTS_S - 1
    assert kept.state(name, "me") is True
    assert not kept.take(name, Action.WIFI, "you")
    assert not kept.take(name, Action.BACKUP, "me")
    now[0] += 2
    assert not kept.take(name, Action.WIFI, "me")


def test_however_much_is_asked_for_little_is_remembered():
    kept = Confirmations(lambda: 10.0)
    names = [kept.begin(Action.WIFI, "me") for _ in range(3 * MOST)]
    assert [kept.state(name, "me") for name in names] == [False] * 2 * MOST + [None] * MOST


def test_a_pin_set_on_the_page_is_asked_for_and_can_be_dropped_again(tmp_path):
    with open_house(tmp_path, pressed=False) as house:
        assert house.post(PIN, {"pin": "12345"}, **ELSEWHERE)[0] == 400
        assert house.post(PIN, {"pin": "12345a"}, **ELSEWHERE)[0] == 400
        status, headers, told = house.post(PIN, {"pin": "135790"}, **ELSEWHERE)
        assert (status, told["told"][:15]) == (200, "The PIN is set.")
        mine = {"Cookie": headers["Set-Cookie"].partition(";")[0]}
        assert house.ask("/machine", **ELSEWHERE)[0] == 303
        assert house.status("/backup/now.zip", **ELSEWHERE) == 403
        assert house.post("/api/enter", {"pin": "135790"})[0] == 200
        text = house.ask("/machine?lang=en", **ELSEWHERE, **mine)[2]
        assert "No longer ask for the PIN" in text
        for thread in threading.enumerate():
            if thread.name == "pin":
                thread.join(PATIENCE_S)
    with open_house(tmp_path, pressed=False) as house:
        assert house.status("/backup/now.zip", **ELSEWHERE) == 403
        assert house.post(PIN, {"pin": ""}, **ELSEWHERE)[0] == 403
        assert house.post(PIN, {"pin": ""}, **ELSEWHERE, **mine)[0] == 200
        assert house.status("/backup/now.zip", **ELSEWHERE) != 403


def test_where_the_settings_ask_for_the_pin_the_page_neither_sets_nor_drops_it(tmp_path):
    made = MachineHouse(tmp_path)
    try:
        assert 'id="pin-part"' not in made.read()
        assert made.post(PIN, {"pin": ""}, **made.session)[0] == 409
    finally:
        made.close()


@pytest.fixture
def logind(tmp_path_factory):
    with system_bus(tmp_path_factory.mktemp("bus"), "logind") as made:
        yield made


def from_elsewhere(screen):
    screen.driver.execute_cdp_cmd("Network.enable", {})
    screen.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"X-Forwarded-For": "192.168.1.20"}})


@pytest.mark.page
def test_a_phone_waits_for_start_and_the_machine_is_switched_off(tmp_path, logind):
    with open_house(tmp_path) as house, browser() as screen:
        house.server.cares(on_bus(house.care, tmp_path, logind.bus))
        from_elsewhere(screen)
        screen.open(f"http://{house.host}/machine?lang=de")
        screen.find("[data-ask=off]").click()
        screen.find("[data-end=off]").click()
        screen.until("#presence", "Bestätige das am Tisch")
        assert logind.calls("logind") == []
        assert screen.violations() == []
        asked(house).answered(False)
        screen.until("#power-answer", "Am Tisch hat es niemand bestätigt")
        assert screen.run("return document.getElementById('presence').hidden")
        screen.find("[data-end=off]").click()
        screen.until("#presence", "Bestätige das am Tisch")
        asked(house).answered(True)
        screen.until("#power-answer", "Das Gerät")
        assert logind.calls("logind") == [("PowerOff", [False])]


@pytest.mark.page
def test_a_phone_cancels_and_the_table_hears_of_it(tmp_path):
    with open_house(tmp_path) as house, browser() as screen:
        (tmp_path / "state" / "page.toml").write_text("")
        from_elsewhere(screen)
        screen.open(f"http://{house.host}/backup?lang=en")
        screen.find("a[data-confirm=backup]").click()
        screen.until("#presence", "Confirm this at the table")
        assert (screen.complaints(), screen.violations()) == ([], [])
        for size in NARROW:
            screen.narrow(size)
            assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
        screen.find("#presence-cancel").click()
        assert screen.run("return document.getElementById('presence').hidden")
        screen.wait(lambda: isinstance(house.controls.requests[-1], LeavePresence), "the end of the request")
