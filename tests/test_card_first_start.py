"""The first start of a new card: what is installed, what the lamps show, what people are told, and power cuts."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from card_box import KILLED, PROJECT, copied, first_start, write_card
from first_start.lamps import BoardLamp, Lamps
from first_start.stages import STAGES, stage_of
from first_start.steps import Card
from first_start.tones import APART, BEEP, INSTALLED, ZERO, Buzzer, Tone, spell_last_number
from first_start.words import AGAIN, FAILED, LANGUAGES, PIN, READY, REASONS, REPORT, failed_text, ready_text
from made_card import environ_of, install, made_card
from updater.bundle import SIGNERS

from referee.devices.wiring.pins import PinMap
from referee.settings.settings import load
from tools import card_bundle, card_pictures

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
SMALL = ("referee/__init__.py", "models/tiles.toml", "models/a.onnx", "models/a.npz", "calibration/a.toml",
         "calibration/a.svg", "tools/__init__.py", "tools/catalogues.py", "tools/manual.py", "pyproject.toml",
         "setup.py", "README.md", "LICENSE")  # fmt: skip
FOLDER = "boot/firmware/referee-card"
STRIDE, POINTS = (15, 50) if os.environ.get("REFEREE_TEST_CARD") == "1" else (149, 6)
"""Every how many steps the power fails, and at how many points at least: at more of them with `make test-card`."""


def make_key(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)  # noqa: S603, S607
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is copied to a card with Bookworm: the real first start and installer, with a program of one file."""
    where = tmp_path_factory.mktemp("card")
    project = where / "project"
    shutil.copytree(PROJECT / "systemd", project / "systemd", ignore=shutil.ignore_patterns("__pycache__"))
    for name in SMALL:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(f"# {name}\n")
    (project / "referee/__init__.py").write_text('__version__ = "1"\n')
    key = make_key(where / "key")
    wheel = where / "both-1-py3-none-any.whl"
    wheel.write_text("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_bundle, "ROOT", project)
        patch.setattr(card_bundle, "CARD", project / "systemd/card")
        card_bundle.make_bundle(where / "bundle", key, {"bookworm": [wheel]})
        card_bundle.make_card(where / "bookworm", "bookworm", where / "bundle", key)
    return where / "bookworm"


@pytest.fixture
def card(tmp_path: Path, folder: Path) -> Path:
    """A new card in a Pi 4 that has never seen the referee."""
    root = made_card(tmp_path / "made")
    (root / "etc/hostname").write_text("raspberrypi\n")
    (root / "etc/hosts").write_text("127.0.0.1\tlocalhost\n")
    write_card(root, folder)
    # The installer has everything written to the disk at once, which takes a minute in all where others write, too.
    (root.parent / "programs/sync").write_text("#!/bin/sh\n")
    (root.parent / "programs/sync").chmod(0o755)
    return root


@pytest.fixture(autouse=True)
def _made_folder(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()


def report(card: Path) -> str:
    return (card / "boot/firmware" / REPORT).read_bytes().decode()


def is_whole(card: Path) -> bool:
    """Whether a version is in use; fails if it is half a version, or a service without one."""
    link, unit = card / "opt/referee/current", card / "etc/systemd/system/referee.service"
    assert link.is_symlink() or not unit.exists()
    if not link.is_symlink():
        return False
    assert (link / "installed").exists()
    assert (link / "venv/bin/python").exists()
    assert (link / "models/tiles.toml").exists()
    return True


@needs_ssh
def test_a_new_card_becomes_a_referee_with_a_page_for_the_house(card: Path, folder: Path) -> None:
    done = first_start(card, environ_of(card))
    assert (done.returncode, done.stderr) == (0, "")
    assert is_whole(card)
    assert (card / "state/running").exists()
    assert (card / "etc/hostname").read_text() == "referee\n"
    assert (card / "etc/referee/referee.toml").read_text() == (folder / "referee-card/referee.toml").read_text()
    assert (card / SIGNERS).read_text() == (folder / "referee-card/update-signers").read_text()
    assert (card / "etc/avahi/services/referee.service").exists()
    assert (card / "etc/systemd/system/referee-port80.socket").exists()
    assert "http://referee.local\r\n" in report(card)
    assert PIN["en"].format(pin="") not in report(card)
    assert not (card / FOLDER).exists()
    assert not (card / "etc/systemd/system/referee-card.service").exists()


@needs_ssh
def test_a_name_that_was_chosen_in_the_imager_stays(card: Path) -> None:
    (card / "etc/hostname").write_text("kitchen\n")
    assert first_start(card, environ_of(card)).returncode == 0
    assert (card / "etc/hostname").read_text() == "kitchen\n"
    assert "http://kitchen.local\r\n" in report(card)


@needs_ssh
def test_the_pin_is_told_only_if_the_page_asks_for_one(card: Path) -> None:
    settings = card / FOLDER / "referee.toml"
    settings.write_bytes(settings.read_bytes().replace(b'"open"', b'"pin"').replace(b"\n", b"\r\n"))
    (card / "var/lib/referee").mkdir(parents=True)
    (card / "var/lib/referee/page.json").write_text('{"pin": "123456"}')
    assert first_start(card, environ_of(card)).returncode == 0
    assert PIN["de"].format(pin="123456") in report(card)
    assert b"\r" not in (card / "etc/referee/referee.toml").read_bytes()


@needs_ssh
@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        pytest.param("bundle", "damaged", id="half a bundle"),
        pytest.param("no bundle", "damaged", id="no bundle"),
        pytest.param("signers", "signature", id="signed by somebody else"),
        pytest.param("no signers", "no_key", id="no signers"),
        pytest.param("settings", "settings", id="settings with a mistake"),
        pytest.param("no settings", "damaged", id="settings that an editor has given another name"),
        pytest.param("full", "no_room", id="a card that is full"),
        pytest.param("broken", "disk", id="a card that cannot be written"),
        pytest.param("trixie", "release", id="another release"),
        pytest.param("apt-get install", "packages", id="packages that cannot be had"),
        pytest.param("--require-hashes", "install", id="an installer that fails"),
        pytest.param("systemctl restart referee.service", "service", id="a service that does not start"),
    ],
)
def test_what_went_wrong_is_told_on_the_card_in_every_language_and_can_be_mended(
    card: Path, folder: Path, tmp_path: Path, broken: str, reason: str
) -> None:
    there = card / FOLDER
    match broken:
        case "bundle":
            (there / "referee.bundle").write_bytes((there / "referee.bundle").read_bytes()[:60_000])
        case "no bundle":
            (there / "referee.bundle").unlink()
        case "signers":
            other = make_key(tmp_path / "other").with_suffix(".pub").read_text()
            (there / "update-signers").write_text(f"referee {other}")
        case "no signers":
            (there / "update-signers").unlink()
        case "settings":
            (there / "referee.toml").write_text("[web\n")
        case "no settings":
            (there / "referee.toml").rename(there / "referee.toml.txt")
        case "full" | "broken":
            (card / "state/broken-disk").write_text("28" if broken == "full" else "5")
        case "trixie":
            (card / "etc/os-release").write_text("VERSION_CODENAME=trixie\n")
        case _:
            (card / "state/broken").write_text(broken)
    failed = first_start(card, environ_of(card))
    assert failed.returncode == 1
    assert f"first_start: {reason}: " in failed.stderr
    assert all(FAILED[language] in report(card) and AGAIN[language] in report(card) for language in LANGUAGES)
    assert report(card).rstrip().rpartition("\r\n")[2].startswith(reason)
    is_whole(card)
    assert (there / "first-start.pyz").exists()

    write_card(card, folder)
    (card / "etc/os-release").write_text("VERSION_CODENAME=bookworm\n")
    (card / "state/broken").unlink(missing_ok=True)
    (card / "state/broken-disk").unlink(missing_ok=True)
    assert first_start(card, environ_of(card)).returncode == 0
    assert is_whole(card)
    assert FAILED["en"] not in report(card)


@needs_ssh
def test_a_wrong_value_in_the_settings_can_be_corrected_on_the_card(card: Path) -> None:
    settings, there = card / FOLDER / "referee.toml", card / "etc/referee/referee.toml"
    right = settings.read_text()
    settings.write_text(right.replace('kind = "gpio"', 'kind = "pgae"'))
    (card / "state/broken").write_text("systemctl restart referee.service")  # it refuses such settings
    assert first_start(card, environ_of(card)).returncode == 1
    assert "pgae" in there.read_text()
    settings.write_text(right.replace('kind = "gpio"', 'kind = "page"'))
    (card / "state/broken").unlink()
    assert first_start(card, environ_of(card)).returncode == 0
    assert there.read_text() == right.replace('kind = "gpio"', 'kind = "page"')
    assert [path.name for path in sorted(there.parent.iterdir())] == ["referee.toml", "update-signers"]


@needs_ssh
def test_settings_that_are_not_from_the_card_stay(card: Path) -> None:
    there = card / "etc/referee/referee.toml"
    there.parent.mkdir(parents=True)
    there.write_text("# ours\n")
    (card / "state/broken").write_text("systemctl restart referee.service")
    assert first_start(card, environ_of(card)).returncode == 1
    (card / "state/broken").unlink()
    assert first_start(card, environ_of(card)).returncode == 0
    assert there.read_text() == "# ours\n"


@needs_ssh
@pytest.mark.parametrize("before", ["nothing", "a referee with a journal"])
def test_wherever_the_power_fails_the_next_start_goes_on(card: Path, tmp_path: Path, before: str) -> None:
    journal = card / "var/lib/referee/journal.db"
    if before != "nothing":
        assert install(card).returncode == 0
        journal.parent.mkdir(parents=True)
        journal.write_bytes(b"every event of many evenings")
    points, step = 0, 1
    while True:
        box = copied(card, tmp_path / f"{step}")
        cut = first_start(box, environ_of(box), step)
        assert cut.returncode in (0, KILLED), cut.stderr
        assert is_whole(box) or before == "nothing", step
        again = first_start(box, environ_of(box)) if (box / FOLDER / "first-start.pyz").exists() else cut
        assert (again.returncode, again.stderr) == (0, "") or again is cut, (step, again.stderr)
        assert is_whole(box), step
        assert (box / "state/running").exists(), step
        assert READY["en"].format(address="http://referee.local") in report(box), step
        assert before == "nothing" or (box / journal.relative_to(card)).read_bytes() == journal.read_bytes()
        shutil.rmtree(box.parent)
        if cut.returncode == 0:
            break
        points += 1
        step += 1 if step < 12 else STRIDE
    assert points >= POINTS


class Pins:
    """What the lamps were told."""

    def __init__(self) -> None:
        self.lit: dict[int, bool] = {}

    def put(self, pins: Iterable[int], lit: bool) -> None:
        self.lit |= dict.fromkeys(pins, lit)

    def which(self) -> set[int]:
        return {pin for pin, lit in self.lit.items() if lit}


def board(tmp_path: Path) -> Path:
    led = tmp_path / "sys/class/leds/ACT"
    led.mkdir(parents=True)
    (led / "trigger").write_text("none timer [mmc0] heartbeat\n")
    return led


def test_the_lamps_show_how_far_it_has_come(tmp_path: Path) -> None:
    led, pins, heard = board(tmp_path), Pins(), []
    lamps = Lamps({}, BoardLamp(tmp_path), pins.put, heard.append, lambda: "192.168.178.20")
    lamps.work()
    assert (led / "trigger").read_text() == "timer"
    lamps.hand_over()
    assert pins.which() == set()
    assert heard[0] == [*INSTALLED, APART, *BEEP, *BEEP, APART, *ZERO]
    assert list(INSTALLED) == sorted(INSTALLED)
    lamps.reach(len(STAGES) - 1)
    lamps.work()
    lamps.fail(pins=True)
    assert pins.which() == {PinMap().red_lamp}
    assert (led / "delay_on").read_text() == "100"
    lamps.finish()
    assert (led / "trigger").read_text() == "mmc0"


def test_pins_that_are_the_referees_already_are_left_alone(tmp_path: Path) -> None:
    pins = Pins()
    Lamps({}, BoardLamp(tmp_path), pins.put).fail(pins=False)
    assert pins.lit == {}


@pytest.mark.parametrize(
    ("panel", "used"),
    [
        pytest.param({}, {23, 24, 25, 12, 16, 20, 21, 26}, id="as in the wiring"),
        pytest.param({"kind": "page"}, set(), id="no panel"),
        pytest.param({"red_lamp": False, "amber_lamp": 5, "green_lamp": "x", "bar": []}, {5}, id="another wiring"),
    ],
)
def test_only_pins_with_a_lamp_are_touched(tmp_path: Path, panel: dict[str, object], used: set[int]) -> None:
    pins = Pins()
    lamps = Lamps(panel, BoardLamp(tmp_path), pins.put)
    lamps.work()
    lamps.release()
    assert set(pins.lit) == used


def test_lamps_are_those_of_settings_that_were_written_with_an_editor_on_windows(tmp_path: Path) -> None:
    settings = tmp_path / FOLDER / "referee.toml"
    settings.parent.mkdir(parents=True)
    settings.write_bytes(b'\xef\xbb\xbf[panel]\r\nkind = "page"\r\n')
    assert Card(tmp_path, tmp_path / "boot/firmware").panel() == {"kind": "page"}


def test_the_default_pins_are_those_of_the_wiring() -> None:
    from first_start import lamps, tones

    wired = PinMap()
    assert {name: getattr(wired, name) for name in lamps.LAMPS} == lamps.LAMPS
    assert (wired.bar, wired.buzzer) == (lamps.BAR, tones.PIN)


def test_every_stage_is_a_line_of_the_installer() -> None:
    script = (PROJECT / "systemd/install.sh").read_text(encoding="utf-8")
    lines = [line.strip().removeprefix("say ").strip('"') for line in script.splitlines() if "say " in line]
    reached = {stage_of(line) for line in lines} - {None}
    assert reached == set(range(1, len(STAGES)))
    assert "Service" in lines


class Chip:
    """lgpio, as far as the buzzer needs it."""

    error = RuntimeError

    def __init__(self, label: str = "pinctrl-rp1") -> None:
        self.label, self.told = label, []

    def gpiochip_open(self, chip: int) -> int:
        if chip == 0:
            raise self.error("expected a chip")
        return chip

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        return [0, 54, f"gpiochip{handle}", self.label]

    def __getattr__(self, name: str) -> object:
        return lambda *words: self.told.append((name, *words))


def test_the_buzzer_plays_on_the_chip_of_the_header() -> None:
    chip, pauses = Chip(), []
    Buzzer({}, pauses.append, lambda: chip).play([(523, 0.2), (0, 0.5), (659, 0.1)])
    tones = [words[3] for words in chip.told if words[0] == "tx_pwm"]
    assert tones == [523, 0, 659, 0]
    assert pauses == [0.2, 0.5, 0.1]
    assert [words[0] for words in chip.told][-2:] == ["gpio_free", "gpiochip_close"]


@pytest.mark.parametrize(
    ("address", "beeps"),
    [("10.0.0.7", ["7"]), ("192.168.1.137", ["1", "3", "7"]), ("192.168.2.40", ["4", "0"]), ("", [])],
)
def test_the_last_number_of_the_address_can_be_counted(address: str, beeps: list[str]) -> None:
    heard = count_digits(spell_last_number(address))
    assert heard == beeps


def count_digits(tones: list[Tone]) -> list[str]:
    """What somebody hears who counts the beeps between two long pauses, and takes a low tone for a zero."""
    digits: list[list[int]] = []
    for hertz, seconds in tones:
        if not hertz and seconds >= 0.5:
            digits.append([])
        elif hertz:
            digits[-1].append(hertz)
    return ["0" if max(digit) < 500 else str(len(digit)) for digit in digits]


@pytest.mark.parametrize("panel", [{"kind": "page"}, {"buzzer": False}, {"buzzer_kind": "active"}])
def test_without_a_buzzer_that_plays_tones_nothing_sounds(panel: dict[str, object]) -> None:
    chip = Chip()
    Buzzer(panel, lambda _: None, lambda: chip).play(INSTALLED)
    Buzzer({}, lambda _: None, lambda: Chip("another chip")).play(INSTALLED)
    Buzzer({}, lambda _: None, lambda: None).play(INSTALLED)
    assert chip.told == []


def test_every_report_is_there_in_every_language_for_every_editor() -> None:
    for told in (READY, PIN, FAILED, AGAIN, *REASONS.values()):
        assert tuple(told) == LANGUAGES
        assert all(told.values())
    for text in (ready_text("http://a.local", "1"), failed_text("damaged", "half"), failed_text("unheard of", "")):
        assert text.count("\n") == text.count("\r\n") >= len(LANGUAGES)


def test_the_settings_on_the_card_are_settings_of_the_referee() -> None:
    path = PROJECT / "systemd/card/referee.toml"
    settings = load(path, {})
    assert (settings.web.page, settings.web.listen) == (True, "0.0.0.0")  # noqa: S104 - as it must be
    assert tomllib.loads(path.read_text(encoding="utf-8"))["panel"] == {"kind": "gpio", "display": "none"}


@needs_ssh
def test_the_program_of_the_first_start_runs_by_itself(folder: Path, tmp_path: Path) -> None:
    path = folder / "referee-card/first-start.pyz"
    with zipfile.ZipFile(path) as archive:
        assert "first_start/steps.py" in archive.namelist()
    assert path.read_bytes() == card_bundle.program_of_first_start()
    card = tmp_path / "boot/firmware/referee-card"
    card.mkdir(parents=True)
    shutil.copy(folder / "referee-card/referee.toml", card)
    command = [sys.executable, "-I", "-S", "-P", "-B", path, "--root", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, "no_key" in done.stderr) == (1, True)
    assert json.dumps(report(tmp_path)).startswith('"The referee is not installed yet.')


IMAGER = """#!/bin/bash

set +e

echo anna > FOLDER/user
grep -q Wi-Fi /boot/wifi && cp /boot/wifi FOLDER/wifi
rm -f /boot/firstrun.sh
sed -i 's| systemd.run.*||g' /boot/cmdline.txt
exit 0
"""
"""As the Imager writes it for Bookworm: with the paths of older releases, and with its own end."""


def test_on_bookworm_the_script_of_the_imager_is_run_first_and_stays_what_it_is(folder: Path, tmp_path: Path) -> None:
    boot = tmp_path / "boot/firmware"
    write_card(tmp_path, folder)
    (boot / "firstrun-imager.sh").write_text(IMAGER.replace("FOLDER", str(tmp_path)))
    (boot / "wifi").write_text("Wi-Fi")
    (boot / "cmdline.txt").write_text("root=/dev/sda systemd.run=/boot/firmware/firstrun.sh systemd.unit=a.target\n")
    # Bookworm ends the file itself, after the line that removes it; and here /boot is a folder of the test's.
    lines = (boot / "firstrun.sh").read_text().splitlines()
    end = next(number for number, line in enumerate(lines) if re.search(r"rm.*firstrun\.sh$", line))
    ends = ["rm -f /boot/firmware/firstrun.sh", "sed -i 's| systemd\\.[^ ]*||g' /boot/firmware/cmdline.txt", "exit 0"]
    text = "\n".join([*lines[:end], *ends]).replace("/boot/firmware", str(boot)).replace("/run/", f"{tmp_path}/")
    script = tmp_path / "script"
    script.write_text(text.replace('begin.sh"', f'begin.sh" {tmp_path}'))
    subprocess.run(["sh", script], check=True, capture_output=True)  # noqa: S603, S607
    assert ((tmp_path / "user").read_text(), (tmp_path / "wifi").read_text()) == ("anna\n", "Wi-Fi")
    assert (boot / "cmdline.txt").read_text() == "root=/dev/sda\n"
    assert not (boot / "firstrun.sh").exists()
    assert not (boot / "firstrun-imager.sh").exists()
    assert (tmp_path / "etc/systemd/system/multi-user.target.wants/referee-card.service").exists()


def test_the_service_is_put_in_its_place_as_often_as_one_likes(folder: Path, tmp_path: Path) -> None:
    write_card(tmp_path, folder)
    for _ in range(2):
        subprocess.run(["sh", tmp_path / FOLDER / "begin.sh", tmp_path], check=True)  # noqa: S603, S607
    unit = tmp_path / "etc/systemd/system/referee-card.service"
    assert unit.stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "etc/systemd/system/multi-user.target.wants/referee-card.service").resolve() == unit
    assert f"ConditionPathExists=/{FOLDER}/first-start.pyz\n" in unit.read_text()
    assert (PROJECT / "systemd/card/vendor-data").read_text().startswith("#cloud-boothook\n#!/bin/sh\n")


def test_the_pictures_of_the_guide_are_those_that_are_drawn() -> None:
    for name, draw in card_pictures.PICTURES.items():
        text = (card_pictures.FOLDER / name).read_text(encoding="utf-8")
        assert text == draw(), "run python -m tools.card_pictures"
        ET.fromstring(text)  # noqa: S314 - our own


def test_the_guide_has_eight_steps_and_nothing_is_typed_into_the_pi() -> None:
    guide = (PROJECT / "docs/card.md").read_text(encoding="utf-8").split("\n## ")[0]
    assert re.findall(r"^(\d)\. ", guide, re.MULTILINE) == list("12345678")
    assert "\n    " not in guide  # no command


@needs_ssh
def test_a_card_whose_folder_was_being_removed_is_ready_all_the_same(card: Path) -> None:
    program = (card / FOLDER / "first-start.pyz").read_bytes()
    assert first_start(card, environ_of(card)).returncode == 0
    (card / FOLDER).mkdir()
    (card / FOLDER / "first-start.pyz").write_bytes(program)
    done = first_start(card, environ_of(card))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (card / FOLDER).exists()


def test_what_a_card_needs_is_in_its_folder(folder: Path) -> None:
    found = {path.name for path in (folder / "referee-card").iterdir()}
    assert found == set(card_pictures.OURS)


def test_packages_lie_in_the_bundle_by_release(tmp_path: Path) -> None:
    for name in ("trixie/a.deb", "trixie/hotspot/b.deb", "bookworm/c.deb", "trixie/notes"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    named = card_bundle.packages_of(tmp_path, "trixie")
    assert list(named) == ["packages/trixie/a.deb", "packages/trixie/hotspot/b.deb"]
    assert card_bundle.packages_of(None, "trixie") == {}
