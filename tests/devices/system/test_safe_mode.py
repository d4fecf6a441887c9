"""Safe mode: after starts that failed, or on request; the settings that hold in it."""

import errno
import json
from contextlib import suppress
from pathlib import Path

import pytest

from referee.backup.contents import Places, sources
from referee.cli.parts.safe_settings import safe_settings
from referee.devices.system.clock import FILE as CLOCK
from referee.devices.system.safe_mode import ASKED, CRASHED, CRASHES, FILE, FULL, UNWRITABLE, WITHIN_S, SafeMode
from referee.game.notice import Notice
from referee.settings.settings import Settings, load

SERVICE = {"NOTIFY_SOCKET": "/run/systemd/notify"}
UNIT = Path(__file__).parents[3] / "systemd" / "referee.service"


class Machine:
    """A machine on which the service is started again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.t = folder, 1000.0
        (folder / "state").mkdir()
        self.boots("11f6")

    def boots(self, name: str) -> None:
        place = self.folder / "proc/sys/kernel/random/boot_id"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{name}\n")

    def uses(self, slot: str) -> None:
        """Let the link lead to a slot, as the updater does."""
        (self.folder / "slots" / slot / "venv").mkdir(parents=True, exist_ok=True)
        (self.folder / "current").unlink(missing_ok=True)
        (self.folder / "current").symlink_to(f"slots/{slot}")

    def start(self, environ: dict[str, str] = SERVICE, after_s: float = 5.0) -> SafeMode:
        self.t += after_s
        prefix = str(self.folder / "current/venv")
        made = SafeMode(self.folder / "state", environ, self.folder, lambda: self.t, prefix)
        made.begin()
        return made


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_start_after_three_that_failed_is_in_safe_mode(machine: Machine) -> None:
    assert [machine.start().why for _ in range(CRASHES + 2)] == [None] * CRASHES + [CRASHED] * 2


def test_it_comes_before_systemd_gives_up() -> None:
    text = UNIT.read_text(encoding="utf-8")
    assert "\nStartLimitBurst=5\n" in text
    assert "\nStartLimitIntervalSec=10min\n" in text
    assert (CRASHES + 1 < 5, WITHIN_S) == (True, 600.0)


def test_a_start_that_ends_as_it_should_is_no_failure(machine: Machine) -> None:
    for _ in range(10):
        machine.start().end()
    assert machine.start().why is None


def test_a_start_that_was_stopped_while_it_waited_for_somebody_is_no_failure(machine: Machine) -> None:
    for _ in range(10):
        with pytest.raises(KeyboardInterrupt), machine.start().waiting():
            raise KeyboardInterrupt
    assert machine.start().why is None


@pytest.mark.parametrize("goes_on", [None, ValueError("somebody came")])
def test_after_waiting_a_start_counts_again(machine: Machine, goes_on: Exception | None) -> None:
    for _ in range(CRASHES):
        with suppress(ValueError), machine.start().waiting():
            if goes_on is not None:
                raise goes_on
    assert machine.start().why is CRASHED


def test_failures_long_ago_and_of_another_start_of_the_machine_do_not_count(machine: Machine) -> None:
    for _ in range(CRASHES):
        machine.start(after_s=WITHIN_S / CRASHES + 1)
    assert machine.start(after_s=WITHIN_S / CRASHES + 1).why is None
    for _ in range(CRASHES):
        machine.start()
    machine.boots("22a7")
    assert machine.start().why is None


def test_the_version_before_is_not_in_safe_mode_because_an_update_has_crashed(machine: Machine) -> None:
    machine.uses("a")
    running = machine.start()
    running.end()
    machine.uses("b")
    for _ in range(CRASHES):
        assert machine.start().why is None
    machine.uses("a")
    assert [machine.start().why for _ in range(CRASHES + 1)] == [None] * CRASHES + [CRASHED]
    machine.start().change(on=True)
    machine.uses("b")
    assert machine.start().why == ASKED


def test_a_program_that_systemd_did_not_start_may_be_killed_as_often_as_one_likes(machine: Machine) -> None:
    assert {machine.start({}).why for _ in range(10)} == {None}


def test_whoever_asks_for_it_gets_it_until_somebody_leaves_it(machine: Machine) -> None:
    assert machine.start().change(on=True) is None
    machine.boots("22a7")
    for environ in (SERVICE, {}):
        made = machine.start(environ)
        assert made.why == ASKED
        made.end()
    assert made.change(on=False) is None
    assert (made.why, machine.start().why) == (None, None)


def test_leaving_it_after_failures_counts_anew(machine: Machine) -> None:
    for _ in range(CRASHES):
        machine.start()
    made = machine.start()
    assert (made.why, made.change(on=False), made.why) == (CRASHED, None, None)
    assert machine.start().why is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"boot": "11f6", "starts": [null], "asked": false}', "[" * 20_000])
def test_a_file_that_cannot_be_read_keeps_nobody_from_starting(machine: Machine, text: str) -> None:
    (machine.folder / "state" / FILE).write_text(text)
    assert machine.start().why is None
    assert json.loads((machine.folder / "state" / FILE).read_text())["starts"] == [machine.t]


def test_a_folder_that_takes_nothing_is_told_and_does_not_stop_the_start(tmp_path: Path) -> None:
    made = SafeMode(tmp_path / "none", SERVICE)
    made.begin()
    made.end()
    assert made.change(on=True) == UNWRITABLE
    assert made.why is None


@pytest.mark.parametrize(
    ("number", "told"),
    [(errno.ENOSPC, FULL), (errno.EDQUOT, FULL), (errno.EROFS, UNWRITABLE), (errno.EIO, UNWRITABLE)],
)
def test_a_card_that_is_not_full_is_not_called_full(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, number: int, told: Notice
) -> None:
    def refuse(**_: object) -> None:
        raise OSError(number, "no")

    made = machine.start()
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert made.change(on=True) == told
    assert made.why is None


def test_what_is_true_of_one_machine_only_is_not_restored_on_another(machine: Machine) -> None:
    machine.start().change(on=True)
    (machine.folder / "state" / "page.toml").touch()
    (machine.folder / "state" / CLOCK).touch()
    assert [one.path.name for one in sources(Places(machine.folder / "state"))] == ["page.toml"]


def test_in_safe_mode_only_what_is_needed_to_play_is_as_it_was_set() -> None:
    flags = {"voice.on": "true", "club.on": "true", "panel.display": "oled",
             "panel.turn_buttons": "[5, 6]", "camera.kind": "usb", "camera.source": "1", "camera.width_px": "1920",
             "camera.anywhere": "true", "camera.mains_hz": "60",
             "game.rules": "ravensburger", "web.page": "true", "web.port": "8800", "table.width_mm": "700",
             "hooks.urls": '["http://192.168.1.2/x"]', "watching.per_second": "3"}  # fmt: skip
    settings = load(None, {}, flags)
    safe, usual = safe_settings(settings), Settings()
    assert (safe.voice, safe.club, safe.hooks, safe.watching) == (usual.voice, usual.club, usual.hooks, usual.watching)
    assert (safe.game, safe.table, safe.web, safe.storage) == (
        settings.game, settings.table, settings.web, settings.storage
    )  # fmt: skip
    assert (safe.camera.anywhere, safe.camera.mains_hz) == (True, 60)
    assert (safe.camera.kind, safe.camera.source, safe.camera.width_px) == ("usb", "1", usual.camera.width_px)
    assert dict(safe.panel) == {"turn_buttons": settings.panel["turn_buttons"]}
