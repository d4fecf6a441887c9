"""The installer, on a made-up system: what it does is recorded, what it writes lands in a folder."""

import configparser
import ctypes
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from made_card import PROJECT, SCRIPT, environ_of, install, made_card

from referee.devices.camera.pi_opening import OLDEST
from referee.devices.onnx import load_description
from referee.game.match.events import Started
from referee.game.match.machine import apply
from referee.journal.opening import open_journal
from referee.journal.rows import Setup
from tools.catalogues import written_catalogues
from tools.manual import COMPLETION

SYSTEMD = PROJECT / "systemd"
PI_WATCHDOG_S = 15
"""The counter of a BCM2835 and its successors holds no more (drivers/watchdog/bcm2835_wdt.c)."""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The system of a Raspberry Pi 4 that has never seen the referee."""
    return made_card(tmp_path)


def asked(card: Path) -> list[str]:
    """The programs of the system that the script ran since the last call of this function."""
    record = card / "state" / "asked"
    lines = record.read_text().splitlines() if record.exists() else []
    record.unlink(missing_ok=True)
    return lines


def state(card: Path) -> set[str]:
    """What the stand-in remembers: packages, the user, whether the service is enabled and running."""
    return {path.name for path in (card / "state").iterdir()}


def written(card: Path) -> Mapping[str, tuple[bytes, int]]:
    """Everything below the card but what the stand-in keeps for itself: content and time of the last change."""
    return {
        str(path.relative_to(card)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(card.rglob("*"))
        if path.is_file() and "state" not in path.relative_to(card).parts[:1]
    }


def test_everything_is_put_in_its_place(card: Path) -> None:
    done = install(card)
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("finder.onnx", "reader.onnx", "tiles.toml"):
        assert (card / "opt/referee/current/models" / name).exists()
    load_description(card / "opt/referee/current/models")  # whatever it describes lies there, with the right checksum
    assert (card / "opt/referee/current/calibration/camera_module_3.toml").exists()
    assert (card / "etc/systemd/system/referee.service").read_bytes() == (SYSTEMD / "referee.service").read_bytes()
    assert (card / "usr/lib/sysusers.d/referee.conf").exists()
    rights = card / "etc/polkit-1/rules.d/referee.rules"
    assert rights.read_bytes() == (SYSTEMD / "referee.rules").read_bytes()
    assert (card / "usr/share/python3/bcep/referee").read_bytes() == (SYSTEMD / "referee.bcep").read_bytes()
    assert (card / "usr/local/bin/referee").stat().st_mode & 0o777 == 0o755
    assert (card / "etc/referee/referee.toml").read_text() == "# settings\n"
    assert {"package-python3-picamera2", "package-python3-venv", "user", "enabled", "running"} <= state(card)
    assert not (card / "opt/referee/current/source").exists()


def test_manual_and_completion_lead_to_the_version_in_use_and_go_with_the_program(card: Path) -> None:
    assert install(card).returncode == 0
    found = {
        "man/man1/referee.1": "referee.1",
        "bash-completion/completions/referee": "referee.bash",
        "zsh/site-functions/_referee": "_referee",
        "fish/vendor_completions.d/referee.fish": "referee.fish",
    }
    for place, name in found.items():
        assert (card / "usr/local/share" / place).readlink() == Path("/opt/referee/current/share") / name
    here = "/opt/referee/slots/a"
    lines = asked(card)
    assert f"{here}/venv/bin/python -P {here}/source/tools/manual.py {here}/share/referee.1 --completion" in lines
    assert set(COMPLETION.values()) | {"referee.1"} == set(found.values())
    install(card, "--uninstall")
    assert [path for path in (card / "usr/local/share").rglob("*") if not path.is_dir()] == []


def test_the_manual_is_written_by_the_installed_program_without_the_checkout(tmp_path: Path) -> None:
    """The installer runs the script by its path, so that the program is found in its environment alone."""
    shutil.copy(PROJECT / "tools/manual.py", tmp_path)
    command = [sys.executable, "-P", tmp_path / "manual.py", tmp_path / "share/referee.1", "--completion"]
    environ = {**os.environ, "PYTHONPATH": str(PROJECT)}  # in the place of the environment
    subprocess.run(command, check=True, cwd=tmp_path, env=environ)  # noqa: S603
    assert (tmp_path / "share/referee.1").read_text(encoding="utf-8").startswith(".TH REFEREE 1")
    for shell, name in COMPLETION.items():
        shown = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "referee", "completion", shell], check=True, cwd=tmp_path, env=environ,
            capture_output=True,
        )  # fmt: skip
        assert (tmp_path / "share" / name).read_bytes() == shown.stdout


def test_what_waits_for_the_page_and_for_sticks_is_installed_and_removed(card: Path) -> None:
    install(card)
    units = card / "etc/systemd/system"
    for name in ("referee-update.path", "referee-request.path", "referee-stick@.service"):
        assert (units / name).read_bytes() == (SYSTEMD / name).read_bytes()
    rules = card / "etc/udev/rules.d/90-referee-stick.rules"
    assert rules.read_bytes() == (SYSTEMD / "referee-stick.rules").read_bytes()
    lines = asked(card)
    assert "systemctl enable referee-update.path" in lines
    assert "systemctl enable referee-request.path" in lines
    assert not [line for line in lines if "udevadm" in line]  # udev of a card reads its rules when it starts
    install(card, "--uninstall")
    assert "systemctl disable referee-request.path" in asked(card)
    assert not rules.exists()
    assert [path.name for path in units.rglob("*") if path.is_file()] == []


def test_a_running_udev_reads_its_rules_again() -> None:
    script = f"source {SCRIPT}; dry=yes; install_sticks; [[ $changed ]] && echo changed"
    command = ["/usr/bin/env", "bash", "-c", script]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    assert "  + udevadm control --reload\n" in told
    assert told.endswith("changed\n")


@pytest.mark.parametrize(("codename", "version"), [("bookworm", "3.11 1.24.2"), ("trixie", "3.13 2.2.4")])
def test_only_wheels_of_the_releases_lock_are_fetched_and_no_other_index_counts(
    card: Path, codename: str, version: str
) -> None:
    (card / "etc/os-release").write_text(f"VERSION_CODENAME={codename}\n")
    (card / "state" / "python").write_text(version)
    (card / "state" / "broken").write_text("--no-index")
    assert install(card).returncode != 0
    lines = asked(card)
    assert "python3 -m venv --system-site-packages /opt/referee/slots/a/venv" in lines
    fetching, building = (line for line in lines if " pip install " in line)
    for line in (fetching, building):
        assert line.startswith(
            "env -u PIP_EXTRA_INDEX_URL -u PIP_FIND_LINKS -u PIP_CONSTRAINT PIP_CONFIG_FILE=/dev/null "
        )
    assert fetching.endswith(
        " --require-hashes --only-binary=:all: --no-deps --requirement /opt/referee/slots/a/source/lock.txt"
    )
    assert building.endswith(" --no-index --no-deps --no-build-isolation --upgrade /opt/referee/slots/a/source")
    lock = SYSTEMD / "locks" / f"{codename}.txt"
    assert (card / "opt/referee/slots/a/source/lock.txt").read_text() == lock.read_text()
    assert (card / "opt/referee/slots/a/source/referee/cli/main.py").exists()


def test_what_the_installer_copies_makes_the_program_with_all_sentences(card: Path, tmp_path: Path) -> None:
    (card / "state" / "broken").write_text("--no-index")
    assert install(card).returncode != 0
    source = card / "opt/referee/slots/a/source"
    assert not [*source.rglob("*.mo")]  # the build makes them
    command = [*(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-index"),
               *("--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path / "wheel", source)]  # fmt: skip
    subprocess.run(command, check=True)  # noqa: S603
    (wheel,) = (tmp_path / "wheel").iterdir()
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    assert {path.relative_to(PROJECT).with_suffix(".mo").as_posix() for path in written_catalogues()} <= names
    assert "referee/models/reader.onnx" not in names  # it lies in /opt/referee/models


def test_debians_pip_is_used_as_it_is_and_what_it_installs_is_compiled_afterwards(card: Path) -> None:
    pip = "/usr/share/python-wheels/pip-23.0.1-py3-none-any.whl"
    (card / "state/pip").write_text(f"{pip}\n")
    assert install(card).returncode == 0
    lines, here = asked(card), "/opt/referee/slots/a/venv"
    assert f"python3 -m venv --system-site-packages --without-pip {here}" in lines
    installing = [at for at, line in enumerate(lines) if f" {here}/bin/python {pip}/pip install " in line]
    assert len(installing) == 2
    assert all(" --no-compile " in lines[at] for at in installing)
    (compiling,) = (at for at, line in enumerate(lines) if line.startswith(f"{here}/bin/python -m compileall "))
    assert compiling == installing[-1] + 1
    assert lines[compiling].endswith(f" {here}/lib")


def test_what_is_not_compiled_is_never_loaded_by_the_program() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    (pattern,) = re.findall(r"^never_run='(.+)'$", text, re.MULTILINE)
    program = (
        "import sys\nfrom referee.cli.main import main\nimport referee.pages.table.server, referee.doctor.view\n"
        "from referee.cli.parts.readers import build_reader\nbuild_reader()\nassert main(['rules']) == 0\n"
        "print(*filter(None, (getattr(one, '__file__', None) for one in list(sys.modules.values()))), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=PROJECT)  # noqa: S603
    loaded = done.stdout.splitlines()
    assert [path for path in loaded if "/onnxruntime/" in path]
    assert [path for path in loaded if re.search(pattern, path)] == []


def test_a_program_that_could_not_be_compiled_is_installed_all_the_same(card: Path) -> None:
    (card / "state/broken").write_text("compileall")
    done = install(card)
    assert done.returncode == 0
    assert "  note: not all of the program could be compiled; it takes longer to start\n" in done.stdout


def test_a_program_that_the_bundle_has_as_a_wheel_is_installed_with_the_others(card: Path, tmp_path: Path) -> None:
    bundle = card / "opt/referee/incoming"
    bundle.mkdir(parents=True)
    script = with_packages(card, tmp_path)
    (bundle / "wheels").mkdir()
    wheel = bundle / "wheels/referee-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"the program")
    (bundle / "share").mkdir()
    for name in ("referee.1", *COMPLETION.values()):
        (bundle / "share" / name).write_text(f"help {name}")
    (card / "state" / "broken").write_text("libraries.py")
    assert install(card, script=script).returncode != 0
    (only,) = (line for line in asked(card) if " pip install " in line)
    here = "/opt/referee/slots/a"
    assert f" --no-index --find-links {here}/source/wheels --require-hashes " in only
    lock = (card / f"{here[1:]}/source/lock.txt").read_text()
    digest = hashlib.sha256(b"the program").hexdigest()
    assert lock == (SYSTEMD / "locks/bookworm.txt").read_text() + f"referee==0.1.0 --hash=sha256:{digest}\n"
    (card / "state" / "broken").unlink()
    assert install(card, script=script).returncode == 0
    assert not [line for line in asked(card) if "manual.py" in line]
    for name in ("referee.1", *COMPLETION.values()):
        assert (card / here[1:] / "share" / name).read_text() == f"help {name}"


def test_sentences_that_somebody_compiled_are_no_reason_to_install_anew(card: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("systemd", "referee", "models", "calibration", "tools"):
        shutil.copytree(PROJECT / name, project / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, project)
    catalogue = project / "referee/i18n/locale/de/LC_MESSAGES/judge.po"
    assert install(card, script=project / "systemd/install.sh").returncode == 0
    catalogue.with_suffix(".mo").write_bytes(b"compiled")
    assert install(card, script=project / "systemd/install.sh").stdout.endswith("Nothing had to be changed.\n")
    catalogue.write_text(catalogue.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    assert "--no-build-isolation" in install(card, script=project / "systemd/install.sh").stdout


def test_another_python_than_the_lock_is_for_is_refused(card: Path) -> None:
    (card / "state" / "python").write_text("3.12 1.24.2")
    refused = install(card)
    assert refused.returncode == 2
    assert "expected the Python of bookworm (3.11), found 3.12" in refused.stderr
    assert not [line for line in asked(card) if " pip " in line]


def test_another_numpy_than_the_lock_was_made_beside_is_told(card: Path) -> None:
    (card / "state" / "python").write_text("3.11 1.26.4")
    done = install(card)
    assert done.returncode == 0
    assert "note: the libraries were chosen beside numpy 1.24.2; this one is 1.26.4" in done.stdout


def test_a_release_without_a_lock_is_told_before_anything_is_fetched(card: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SYSTEMD, copy / "systemd")
    for name in ("models", "calibration"):
        (copy / name).mkdir()
        (copy / name / "tiles.toml").touch()
        (copy / name / "tiles.onnx").touch()
        (copy / name / "tiles.npz").touch()
        (copy / name / "markers.svg").touch()
    (copy / "systemd/locks/bookworm.txt").unlink()
    environ = environ_of(card)
    refused = subprocess.run(  # noqa: S603
        [copy / "systemd/install.sh", "--root", card], capture_output=True, text=True, check=False, env=environ
    )
    assert refused.returncode == 2
    assert "expected the lock systemd/locks/bookworm.txt, found none" in refused.stderr
    assert not [line for line in asked(card) if " pip " in line]


def test_in_a_chroot_a_second_run_says_nothing_of_systemd(card: Path) -> None:
    (card / "state" / "noisy").touch()
    install(card)
    done = install(card)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Nothing had to be changed.\n")


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", "note: too slow and too small: a look takes 6 to 9 seconds"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "note: made for a Pi 4 or 5; on this one verdicts take longer"),
    ],
)
def test_a_pi_that_is_too_slow_is_told_so(card: Path, model: str, told: str) -> None:
    (card / "proc/device-tree/model").write_bytes(model.encode() + b"\0")
    assert told in install(card, "--dry-run").stdout


def test_the_hardware_watchdog_is_set_and_taken_back(card: Path) -> None:
    file = card / "etc/systemd/system.conf.d/referee.conf"
    install(card)
    settings = configparser.ConfigParser()
    settings.read(file)
    assert 0 < settings.getint("Manager", "RuntimeWatchdogSec") < PI_WATCHDOG_S
    assert asked(card).count("systemctl daemon-reexec") == 1
    install(card)
    assert "systemctl daemon-reexec" not in asked(card)
    install(card, "--uninstall")
    assert asked(card).count("systemctl daemon-reexec") == 1
    assert not file.exists()
    install(card, "--uninstall")
    assert "systemctl daemon-reexec" not in asked(card)


def test_a_second_run_changes_nothing(card: Path) -> None:
    install(card)
    before = written(card)
    asked(card)
    done = install(card)
    assert done.stdout.endswith("Nothing had to be changed.\n")
    assert written(card) == before
    looking = ("dpkg", "sh -c command -v", "rpicam-hello", "id -nG", "python3 -c", "systemctl --quiet is-")
    assert [line for line in asked(card) if not line.startswith(looking)] == []


def test_a_run_that_was_cut_off_is_taken_up_by_the_next(card: Path) -> None:
    (card / "state" / "broken").write_text("--require-hashes")
    cut_off = install(card)
    assert cut_off.returncode != 0
    assert cut_off.stderr.endswith("run it again: it goes on from here.\n")
    assert not (card / "opt/referee/slots/a/installed").exists()
    (card / "state" / "broken").unlink()
    asked(card)
    assert install(card).returncode == 0
    assert not [line for line in asked(card) if "apt-get" in line or "-m venv" in line]


def test_a_dry_run_tells_and_does_nothing(card: Path) -> None:
    before = written(card)
    told = install(card, "--dry-run")
    assert told.returncode == 0
    assert "+ env DEBIAN_FRONTEND=noninteractive apt-get install" in told.stdout
    assert "+ write /etc/systemd/system/referee.service" in told.stdout
    assert "+ systemctl enable referee.service" in told.stdout
    assert written(card) == before
    assert not {"user", "enabled", "package-python3-venv"} & state(card)


@pytest.mark.parametrize(
    ("name", "content"),
    [("proc/device-tree/model", "A laptop"), ("state/bits", "amd64"), ("etc/os-release", "VERSION_CODENAME=sid")],
)
def test_a_dry_run_tells_on_any_machine_what_it_would_do_on_a_pi(card: Path, name: str, content: str) -> None:
    (card / name).write_text(content + "\n")
    before = written(card)
    told = install(card, "--dry-run")
    assert told.returncode == 0
    assert "  not here: expected " in told.stdout
    assert "+ systemctl enable referee.service" in told.stdout
    assert written(card) == before


def test_a_picamera2_that_is_too_old_is_replaced(card: Path) -> None:
    install(card)
    (card / "state" / "package-python3-picamera2").write_text("0.3.12-1\n")
    asked(card)
    install(card)
    fetched = [line for line in asked(card) if "apt-get install" in line]
    assert [line.split()[-1] for line in fetched] == ["python3-picamera2"]
    assert "apt-get" not in install(card).stdout


def test_the_installer_and_the_camera_want_the_same_picamera2() -> None:
    assert f"least=([python3-picamera2]={OLDEST})" in SCRIPT.read_text(encoding="utf-8")


def test_a_picamera2_that_stays_too_old_is_told(card: Path) -> None:
    (card / "state" / "newest").write_text("0.3.12-1\n")
    done = install(card)
    assert done.returncode == 0
    assert "note: python3-picamera2 is older than 0.3.22: the Pi's own camera will not work." in done.stdout


@pytest.mark.parametrize("groups", ["referee", "referee gpio", "referee video users", "referee mygpio video"])
def test_a_user_that_is_there_already_gets_the_groups_it_lacks(card: Path, groups: str) -> None:
    (card / "state" / "user").write_text(groups + "\n")
    assert "+ systemd-sysusers referee.conf" in install(card).stdout
    assert "sysusers" not in install(card).stdout


@pytest.mark.parametrize("way", ["asked for", "by the settings"])
def test_an_oled_gets_its_library_and_the_right_to_its_bus(card: Path, way: str) -> None:
    options = ["--extras", "oled"] if way == "asked for" else []
    if way == "by the settings":
        (card / "etc/referee").mkdir()
        (card / "etc/referee/referee.toml").write_text('[panel]\n  display = "oled" # the small one\n')
    (card / "state" / "broken").write_text("libraries.py")
    install(card, *options)
    lock = (card / "opt/referee/slots/a/source/lock.txt").read_text()
    assert lock == "".join((SYSTEMD / "locks" / name).read_text() for name in ("bookworm.txt", "bookworm-oled.txt"))
    (card / "state" / "broken").unlink()
    assert install(card, *options).returncode == 0
    lines = asked(card)
    assert "usermod --append --groups i2c referee" in lines
    assert "DeviceAllow=char-i2c rw" in (card / "etc/systemd/system/referee.service.d/oled.conf").read_text()
    assert "Nothing had to be changed." in install(card, *options).stdout
    install(card, "--uninstall")
    assert not (card / "etc/systemd/system/referee.service.d").exists()


@pytest.mark.parametrize("way", ["asked for", "by the settings", "beside an OLED"])
def test_a_broker_gets_its_library(card: Path, way: str) -> None:
    options = ["--extras", "club"] if way == "asked for" else []
    (card / "etc/referee").mkdir()
    if way != "asked for":
        display = '[panel]\ndisplay = "oled"\n' if way == "beside an OLED" else ""
        (card / "etc/referee/referee.toml").write_text(f"{display}[club]\non = true\n")
    (card / "state" / "broken").write_text("libraries.py")
    install(card, *options)
    lock = (card / "opt/referee/slots/a/source/lock.txt").read_text()
    names = ("bookworm.txt", *(["bookworm-oled.txt"] if way == "beside an OLED" else []), "bookworm-club.txt")
    assert lock == "".join((SYSTEMD / "locks" / name).read_text() for name in names)


def test_a_hall_gets_its_service_once_its_settings_are_there(card: Path) -> None:
    told = install(card, "--extras", "hall").stdout
    assert "hall.toml is missing" in told
    lines = asked(card)
    assert any("python3-scipy" in line for line in lines)
    assert not any("referee-hall.service" in line for line in lines)
    (card / "etc/referee").mkdir(exist_ok=True)
    (card / "etc/referee/hall.toml").write_text("[club]\n")
    assert install(card).returncode == 0
    assert "running-hall" in state(card)
    unit = card / "etc/systemd/system/referee-hall.service"
    assert unit.read_bytes() == (SYSTEMD / "referee-hall.service").read_bytes()
    assert "Nothing had to be changed." in install(card).stdout
    install(card, "--uninstall")
    assert "systemctl disable referee-hall.service" in asked(card)
    assert not unit.exists()
    assert (card / "etc/referee/hall.toml").exists()


def test_a_machine_that_is_the_hall_only_has_no_service_of_a_table(card: Path) -> None:
    assert install(card).returncode == 0
    (card / "etc/referee/hall.toml").write_text("[club]\n")
    asked(card)
    assert install(card, "--no-table").returncode == 0
    lines = asked(card)
    assert "systemctl disable referee.service" in lines
    assert "running" not in state(card)
    assert "running-hall" in state(card)
    assert not (card / "etc/systemd/system/referee.service").exists()
    assert "Nothing had to be changed." in install(card, "--no-table").stdout


def test_a_club_that_is_off_gets_nothing(card: Path) -> None:
    (card / "etc/referee").mkdir()
    (card / "etc/referee/referee.toml").write_text("[voice]\non = false\n[club]\n#on = true\n[web]\npage = false\n")
    (card / "state" / "broken").write_text("libraries.py")
    install(card)
    lock = (card / "opt/referee/slots/a/source/lock.txt").read_text()
    assert lock == (SYSTEMD / "locks" / "bookworm.txt").read_text()


def test_without_an_oled_nothing_is_installed_for_one(card: Path) -> None:
    (card / "etc/referee").mkdir()
    (card / "etc/referee/referee.toml").write_text('[panel]\n#display = "oled"\ndisplay = "tm1637"\n')
    install(card)
    assert not [line for line in asked(card) if "oled" in line or "i2c" in line]
    assert not (card / "etc/systemd/system/referee.service.d").exists()


@pytest.mark.parametrize("way", ["asked for", "by the settings"])
def test_a_voice_gets_its_programs_and_the_right_to_the_loudspeaker(card: Path, way: str) -> None:
    options = ["--extras", "voice"] if way == "asked for" else []
    if way == "by the settings":
        (card / "etc/referee").mkdir()
        (card / "etc/referee/referee.toml").write_text("[web]\npage = true\n[voice]\non = true # aloud\n")
    assert install(card, *options).returncode == 0
    assert {"package-espeak-ng", "package-alsa-utils"} <= state(card)
    assert "usermod --append --groups audio referee" in asked(card)
    part = card / "etc/systemd/system/referee.service.d/voice.conf"
    assert part.read_bytes() == (SYSTEMD / "voice.conf").read_bytes()
    assert "Nothing had to be changed." in install(card, *options).stdout
    install(card, "--uninstall")
    assert not part.parent.exists()


def test_without_a_voice_nothing_is_installed_for_one(card: Path) -> None:
    (card / "etc/referee").mkdir()
    (card / "etc/referee/referee.toml").write_text("[voice]\non = false\n[web]\non = true\n")
    install(card)
    assert not [line for line in asked(card) if "espeak" in line or "audio" in line]
    assert not (card / "etc/systemd/system/referee.service.d").exists()


@pytest.mark.parametrize("names", ["oled,voice", "voice oled"])
def test_several_extras_are_installed_together(card: Path, names: str) -> None:
    (card / "state" / "broken").write_text("libraries.py")
    install(card, "--extras", names)
    assert "luma" in (card / "opt/referee/slots/a/source/lock.txt").read_text()
    parts = {path.name for path in (card / "etc/systemd/system/referee.service.d").iterdir()}
    assert parts == {"oled.conf", "voice.conf"}
    assert {"referee gpio video i2c audio"} == {(card / "state" / "user").read_text().strip()}


@pytest.mark.parametrize(
    ("names", "locks"),
    [("heic", ["bookworm.txt", "bookworm-heic.txt"]), ("oled,heic", ["bookworm.txt", "bookworm-oled.txt"])],
)
def test_pictures_of_iphones_get_their_library_and_no_wheel_is_named_twice(
    card: Path, names: str, locks: list[str]
) -> None:
    (card / "state" / "broken").write_text("libraries.py")
    install(card, "--extras", names)
    lock = (card / "opt/referee/slots/a/source/lock.txt").read_text()
    assert lock.startswith("".join((SYSTEMD / "locks" / name).read_text() for name in locks))
    wheels = [line.split("==")[0] for line in lock.splitlines() if "==" in line]
    assert {"pi-heif", "pillow"} <= set(wheels)
    assert len(set(wheels)) == len(wheels)
    assert lock.count("--hash=") == len(wheels)


HOSTS = "127.0.0.1\tlocalhost\n::1\tlocalhost\n{}\n192.168.1.9\tprinter\n"


@pytest.mark.parametrize("line", ["127.0.1.1\traspberrypi", "127.0.1.1 raspberrypi.home raspberrypi", ""])
def test_the_machine_is_called_as_it_was_asked_for(card: Path, line: str) -> None:
    (card / "etc/hostname").write_text("raspberrypi\n")
    (card / "etc/hosts").write_text(HOSTS.format(line))
    assert "+ write /etc/hostname" in install(card, "--hostname", "referee").stdout
    assert (card / "etc/hostname").read_text() == "referee\n"
    hosts = (card / "etc/hosts").read_text()
    assert hosts.count("127.0.1.1\treferee\n") == 1
    assert "raspberrypi" not in hosts
    assert "192.168.1.9\tprinter\n" in hosts
    assert "Nothing had to be changed." in install(card, "--hostname", "referee").stdout
    assert "Nothing had to be changed." in install(card).stdout


def test_nobody_renames_a_machine_unasked_nor_in_a_dry_run(card: Path) -> None:
    (card / "etc/hostname").write_text("raspberrypi\n")
    install(card)
    assert "+ write /etc/hostname" in install(card, "--hostname", "referee", "--dry-run").stdout
    assert (card / "etc/hostname").read_text() == "raspberrypi\n"
    assert not (card / "etc/hosts").exists()


def test_a_running_system_is_told_its_new_name_at_once() -> None:
    script = f"source {SCRIPT}; dry=yes; hostname=a-name-that-no-machine-has; install_hostname"
    command = ["/usr/bin/env", "bash", "-c", script]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    assert "  + hostnamectl set-hostname a-name-that-no-machine-has\n" in told
    assert "  + systemctl try-restart avahi-daemon.service\n" in told
    assert told.index("/etc/hosts") < told.index("hostnamectl")


ANNOUNCED = "etc/avahi/services/referee.service"


def test_a_page_that_is_served_to_the_house_is_announced_there(card: Path) -> None:
    (card / "etc/referee").mkdir()
    settings = card / "etc/referee/referee.toml"
    settings.write_text('[web]\npage = true # for all\nlisten = "0.0.0.0"\nport = 8080\n[panel]\nkind = "none"\n')
    (card / "etc/hostname").write_text("raspberrypi\n")
    told = install(card).stdout
    assert "http://raspberrypi.local:8080/ in the house" in told
    assert "for referee.local: sudo make install HOST_NAME=referee" in told
    told = install(card, "--hostname", "referee").stdout
    assert "http://referee.local:8080/ in the house" in told
    assert "for referee.local" not in told
    group = ET.parse(card / ANNOUNCED).getroot()  # noqa: S314 - our own file
    assert (group.findtext("service/type"), group.findtext("service/port")) == ("_http._tcp", "8080")
    assert "Nothing had to be changed." in install(card).stdout
    settings.write_text("[web]\npage = true\n")
    install(card)
    assert not (card / ANNOUNCED).exists()


PORT_80 = ("etc/systemd/system/referee-port80.socket", "etc/systemd/system/referee-port80@.service",
           "usr/local/lib/referee-port80", "etc/issue.d/referee.issue")  # fmt: skip


def test_an_announcement_goes_when_the_program_goes(card: Path) -> None:
    (card / "etc/referee").mkdir()
    (card / "etc/referee/referee.toml").write_text('[web]\npage = true\nlisten = "0.0.0.0"\n')
    install(card)
    assert "<port>8765</port>" in (card / ANNOUNCED).read_text()
    assert all((card / name).exists() for name in PORT_80)
    install(card, "--uninstall")
    assert not any((card / name).exists() for name in (ANNOUNCED, *PORT_80))


def test_a_browser_that_names_no_port_is_sent_to_the_port_of_the_page(card: Path) -> None:
    (card / "etc/referee").mkdir()
    settings = card / "etc/referee/referee.toml"
    settings.write_text('[web]\npage = true\nlisten = "0.0.0.0"\nport = 8080\n')
    install(card)
    assert "enabled-port80.socket" in state(card)
    assert "ExecStart=-/usr/local/lib/referee-port80 8080\n" in (card / PORT_80[1]).read_text()
    settings.write_text('[web]\npage = true\nlisten = "0.0.0.0"\nport = 80\n')
    install(card)
    assert not any((card / name).exists() for name in PORT_80[:3])
    assert "enabled-port80.socket" not in state(card)


@pytest.mark.parametrize(
    ("request_text", "location"),
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: referee.local\r\n\r\n", "http://referee.local:8765/", id="a name"),
        pytest.param(
            b"GET /a?b=1 HTTP/1.1\r\nA: b\r\nhost:10.0.0.7:80\r\n\r\n", "http://10.0.0.7:8765/a?b=1", id="a path"
        ),
        pytest.param(b"GET / HTTP/1.0\r\nHost: [fe80::1]\r\n\r\n", "http://[fe80::1]:8765/", id="IPv6"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: [fe80::1]:81\r\n\r\n", "http://[fe80::1]:8765/", id="IPv6 and a port"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a.local:81\r\n\r\n", "http://a.local:8765/", id="another port"),
        pytest.param(b"GET /\x01\xc3 HTTP/1.1\r\nHost: a\r\n\r\n", "http://a:8765/", id="no proper path"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", None, id="no proper host"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", None, id="no host"),
        pytest.param(b"", None, id="nothing"),
    ],
)
def test_what_port_80_answers(request_text: bytes, location: str | None) -> None:
    command = ["sh", SYSTEMD / "referee-port80.sh", "8765"]
    done = subprocess.run(command, input=request_text, capture_output=True, check=True)  # noqa: S603
    if location is None:
        assert done.stdout == b""
        return
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert (first, body) == ("HTTP/1.1 302 Found", b"")
    assert dict(line.split(": ", 1) for line in lines)["Location"] == location


def with_packages(card: Path, tmp_path: Path, *names: str) -> Path:
    """The installer as in the bundle of a new card, with real Debian packages without content."""
    project = tmp_path / "bundle"
    shutil.copytree(SYSTEMD, project / "systemd", ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("referee", "models", "calibration", "tools", "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (project / part).symlink_to(PROJECT / part)
    for name in names:
        package, file = tmp_path / "package", card / "opt/referee/incoming/packages/bookworm" / f"{name}.deb"
        (package / "DEBIAN").mkdir(parents=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        control = f"Package: {Path(name).name}\nVersion: 9\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n"
        (package / "DEBIAN/control").write_text(control)
        subprocess.run(["dpkg-deb", "--build", package, file], check=True, capture_output=True)  # noqa: S603, S607
        shutil.rmtree(package)
    for path in project.iterdir():
        shutil.move(path, card / "opt/referee/incoming")
    return card / "opt/referee/incoming/systemd/install.sh"


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_packages_that_fit_are_installed_by_dpkg_alone(card: Path, tmp_path: Path) -> None:
    (card / "opt/referee/incoming/packages/bookworm").mkdir(parents=True)
    script = with_packages(card, tmp_path, "python3-numpy", "python3-venv")
    (card / "state/newest").write_text("9\n")
    assert install(card, script=script).returncode == 0
    lines, folder = asked(card), "/opt/referee/incoming/packages/bookworm"
    files = f"{folder}/python3-numpy.deb {folder}/python3-venv.deb"
    at = lines.index(f"python3 -P -B /opt/referee/incoming/systemd/fits.py {files}")
    assert lines[at + 1] == (
        f"env DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold --install {files}"
    )
    assert not [line for line in lines if "apt-get install" in line and ".deb" in line]


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
@pytest.mark.parametrize("broken", ["fits.py", "dpkg --force-confdef"])
def test_apt_is_asked_where_dpkg_alone_cannot_install_them(card: Path, tmp_path: Path, broken: str) -> None:
    (card / "opt/referee/incoming/packages/bookworm").mkdir(parents=True)
    script = with_packages(card, tmp_path, "python3-numpy")
    (card / "state/broken").write_text(broken)
    assert install(card, script=script).returncode == 0
    lines = asked(card)
    assert len([one for one in lines if "apt-get install" in one and one.endswith("/python3-numpy.deb")]) == 1
    assert len([one for one in lines if "dpkg --force-confdef" in one]) == (broken != "fits.py")


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_what_a_power_cut_left_unpacked_is_configured_without_a_question(card: Path, tmp_path: Path) -> None:
    """dpkg would ask about a file of settings that somebody has changed, and fail as nobody answers."""
    (card / "opt/referee/incoming/packages/bookworm").mkdir(parents=True)
    script = with_packages(card, tmp_path, "python3-numpy")
    quiet = "env DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold"
    for left, configured in (("", 0), ("python3-numpy is only unpacked\n", 1)):
        (card / "state/audit").write_text(left)
        (card / "state/broken").write_text("libraries.py")
        install(card, script=script)
        lines = asked(card)
        assert lines.count(f"{quiet} --configure --pending") == configured
        assert not [line for line in lines if line.startswith("dpkg --configure")]


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_packages_of_the_bundle_are_installed_without_the_internet(card: Path, tmp_path: Path) -> None:
    (card / "opt/referee/incoming/packages/bookworm/hotspot").mkdir(parents=True)
    (card / "state/package-python3-venv").write_text("10")
    script = with_packages(card, tmp_path, "python3-numpy", "python3-venv", "hotspot/comitup")
    (card / "state/broken").write_text("fits.py")
    install(card, script=script)
    fetched = [line.split() for line in asked(card) if "apt-get install" in line]
    assert [word for word in fetched[0] if word.endswith(".deb")] == [
        "/opt/referee/incoming/packages/bookworm/python3-numpy.deb"
    ]  # neither the one of the hotspot, nor one that the system has in a newer version
    done = install(card, "--hotspot", script=script)
    fetched = [line.split() for line in asked(card) if "apt-get install" in line]
    assert "/opt/referee/incoming/packages/bookworm/hotspot/comitup.deb" in fetched[0]
    assert "web_service: referee-port80.socket\n" in (card / "etc/comitup.conf").read_text()
    assert done.returncode == 0


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_packages_that_do_not_fit_are_fetched_over_the_internet(card: Path, tmp_path: Path) -> None:
    (card / "opt/referee/incoming/packages/bookworm").mkdir(parents=True)
    script = with_packages(card, tmp_path, "python3-numpy")
    (card / "state/broken").write_text(".deb")
    done = install(card, script=script)
    assert done.returncode == 0
    assert "  note: the packages of the bundle do not fit this system" in done.stdout
    assert "package-python3-numpy" in state(card)


@pytest.mark.parametrize(
    "text", ["", '[web]\n#page = true\n#listen = "0.0.0.0"\n', '[web]\npage = true\nlisten = "localhost"\n']
)
def test_a_page_for_this_machine_alone_is_announced_nowhere(card: Path, text: str) -> None:
    (card / "etc/referee").mkdir()
    (card / "etc/referee/referee.toml").write_text(text)
    install(card)
    assert not (card / ANNOUNCED).exists()


def test_the_libraries_are_tried_before_the_installation_counts(card: Path) -> None:
    (card / "state" / "broken").write_text("libraries.py")
    assert install(card).returncode != 0
    assert (card / "opt/referee/slots/a/source/libraries.py").exists()
    assert not (card / "opt/referee/slots/a/installed").exists()


LIBRARY = """
import ctypes, mmap, os, sys
open("written-by-" + __name__, "w").close()
with open(os.environ["PROCESSES"], "a") as file:
    print(os.getpid(), file=file)
if {crashes}:
    os.kill(os.getpid(), 11)
if {needs_both}:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
if {broken}:
    raise ImportError("no such part")
"""


@pytest.mark.parametrize(
    ("libraries", "code", "told"),
    [
        pytest.param({}, 0, [], id="all load"),
        pytest.param({"numpy": "crashes"}, 1, ["  numpy does not load: ended with -11"], id="the first one crashes"),
        pytest.param({"picamera2": "crashes"}, 0, ["  note: picamera2 does not load,"], id="the last one crashes"),
        pytest.param({"cv2": "needs_both"}, 0, ["  note: cv2 needs MemoryDenyWriteExecute=no;"], id="one needs both"),
        pytest.param({"lgpio": "broken"}, 1, ["  lgpio does not load: ImportError: no such part"], id="one is broken"),
        pytest.param({"picamera2": "broken"}, 0, ["  note: picamera2 does not load, so that the Pi's"], id="camera"),
    ],
)
def test_libraries_are_tried_as_confined_as_the_service_and_not_in_the_checkout(
    tmp_path: Path, libraries: Mapping[str, str], code: int, told: list[str]
) -> None:
    if ctypes.CDLL(None).prctl(66, 0, 0, 0, 0) < 0:
        pytest.skip("this kernel does not know MemoryDenyWriteExecute by prctl")
    for name in ("numpy", "cv2", "onnxruntime", "gpiozero", "lgpio", "libcamera", "picamera2"):
        trait = libraries.get(name)
        text = LIBRARY.format(needs_both=trait == "needs_both", broken=trait == "broken", crashes=trait == "crashes")
        (tmp_path / f"{name}.py").write_text(text)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    done = subprocess.run(  # noqa: S603
        [sys.executable, SYSTEMD / "libraries.py"], capture_output=True, text=True, check=False, cwd=checkout,
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", "PROCESSES": str(tmp_path / "processes")},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, "")
    # Each start of Python takes time on a Pi: there is only one if nothing is wrong.
    assert (len(set((tmp_path / "processes").read_text().split())) == 1) == (not libraries)
    assert [line[: len(start)] for line, start in zip(done.stdout.splitlines(), told, strict=True)] == told
    assert list(checkout.iterdir()) == []


def test_settings_that_are_there_stay(card: Path) -> None:
    (card / "etc/referee").mkdir()
    (card / "etc/referee/referee.toml").write_text("[game]\nplayers = ['Anna', 'Ben']\n")
    assert "stays as it is" in install(card).stdout
    assert "Anna" in (card / "etc/referee/referee.toml").read_text()


def test_a_program_without_init_is_installed_without_settings(card: Path) -> None:
    (card / "state" / "has-init").unlink()
    assert install(card).returncode == 0
    assert not (card / "etc/referee").exists()


def test_a_slot_that_was_begun_with_another_python_gets_a_new_environment(card: Path) -> None:
    (card / "state" / "broken").write_text("--require-hashes")
    install(card)
    libraries = card / "opt/referee/slots/a/venv/lib"
    (libraries / "python3.11").rename(libraries / "python3.9")
    (card / "state" / "broken").unlink()
    assert "+ remove /opt/referee/slots/a/venv" in install(card).stdout
    assert (card / "opt/referee/current/venv/lib/python3.11").exists()


def test_uninstalling_keeps_settings_data_and_their_user(card: Path) -> None:
    before = set(written(card))
    install(card)
    (card / "var/lib/referee").mkdir(parents=True)
    (card / "var/lib/referee/journal.db").write_text("all matches")
    done = install(card, "--uninstall")
    assert done.returncode == 0
    assert set(written(card)) - before == {"etc/referee/referee.toml", "var/lib/referee/journal.db"}
    assert not (card / "opt/referee").exists()
    assert "userdel" not in " ".join(asked(card))
    assert not {"enabled", "running"} & state(card)
    assert "Nothing had to be changed." in install(card, "--uninstall").stdout


def test_a_new_unit_file_is_read_and_the_service_started_anew(card: Path) -> None:
    install(card)
    (card / "etc/systemd/system/referee.service").write_text("[Service]\n")
    asked(card)
    install(card)
    commands = [line for line in asked(card) if line.startswith("systemctl") and "is-" not in line]
    assert commands == [
        "systemctl daemon-reload",
        "systemctl restart referee-slots.service",  # which does the rest
        "systemctl stop referee.service",
        "systemctl reset-failed referee.service",
        "systemctl start --no-block referee.service",
    ]
    assert not (card / "opt/referee/trial.json").exists()  # it is the same version


def another_version(tmp_path: Path, change: str = "# another\n") -> Path:
    """The installer of a checkout in which something has changed."""
    project = tmp_path / "project"
    for name in ("systemd", "referee", "models", "calibration", "tools"):
        shutil.copytree(PROJECT / name, project / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, project)
    unit = project / "systemd/referee.service"
    unit.write_text(change + unit.read_text())
    return project / "systemd/install.sh"


def test_another_version_goes_into_the_other_slot_and_is_on_trial(card: Path, tmp_path: Path) -> None:
    install(card)
    first = (card / "opt/referee/current/installed").read_text()
    asked(card)
    assert install(card, script=another_version(tmp_path)).returncode == 0
    lines = asked(card)
    assert (card / "opt/referee/current").readlink() == Path("slots/b")
    assert (card / "opt/referee/slots/a/installed").read_text() == first
    assert (card / "etc/systemd/system/referee.service").read_text().startswith("# another\n")
    trial = json.loads((card / "opt/referee/trial.json").read_text())
    assert (trial["slot"], trial["back"], trial["units"], trial["phase"]) == ("b", "a", ["referee"], "trying")
    stopped, started = (lines.index(f"systemctl {one} referee.service") for one in ("stop", "start --no-block"))
    assert stopped < started
    assert not [line for line in lines[:stopped] if "slots/a" in line or line.startswith("systemctl restart referee.")]
    third = install(card, script=SCRIPT)
    assert third.returncode == 0  # it is the version to go back to, and complete
    (card / "opt/referee/next.json").unlink()
    (card / "opt/referee/slots/a/installed").write_text("a third version\n")
    refused = install(card)
    assert refused.returncode == 2
    assert "expected no version on trial" in refused.stderr


def test_a_match_under_way_is_played_to_its_end_by_the_version_that_it_began_with(card: Path, tmp_path: Path) -> None:
    install(card)
    (card / "var/lib/referee").mkdir(parents=True)
    opened = open_journal(card / "var/lib/referee")
    rummikub = Setup.now("rummikub", {})
    started = Started(("Anna", "Ben"), 0.0, 3)
    opened.journal.begin(rummikub, started, apply(rummikub.state(), started)[0])
    asked(card)
    assert install(card, script=another_version(tmp_path)).returncode == 0
    assert (card / "opt/referee/current").readlink() == Path("slots/a")
    assert not (card / "etc/systemd/system/referee.service").read_text().startswith("# another\n")
    assert not [line for line in asked(card) if line.startswith(("systemctl stop", "systemctl restart referee.s"))]
    assert json.loads((card / "opt/referee/next.json").read_text()) == {"slot": "b"}
    assert json.loads((card / "var/lib/referee/update.json").read_text())["state"] == "waits"
    opened.journal.give_up()
    opened.journal.close()
    command = [card.parent / "programs/chroot", card, "systemctl", "restart", "referee-slots.service"]
    subprocess.run(command, check=True, env=environ_of(card))  # noqa: S603
    assert (card / "opt/referee/current").readlink() == Path("slots/b")


def test_an_installation_from_before_there_were_slots_is_kept_until_the_new_one_has_proved_itself(card: Path) -> None:
    old = {"venv/bin/python": "", "models/tiles.toml": "", "calibration/x.toml": "", "installed": "old 3.11 1.24\n"}
    for name, text in old.items():
        (card / "opt/referee" / name).parent.mkdir(parents=True, exist_ok=True)
        (card / "opt/referee" / name).write_text(text)
    unit = card / "etc/systemd/system/referee.service"
    unit.parent.mkdir(parents=True)
    unit.write_text("[Service]\nExecStart=/opt/referee/venv/bin/referee play\n")
    before = unit.read_bytes()
    for name in ("enabled", "running"):
        (card / "state" / name).touch()
    (card / "state" / "broken").write_text("libraries.py")
    assert install(card).returncode != 0
    assert unit.read_bytes() == before
    assert all((card / "opt/referee" / name).read_text() == text for name, text in old.items())
    assert (card / "opt/referee/current/installed").read_text() == "old 3.11 1.24\n"
    (card / "state" / "broken").unlink()
    assert install(card).returncode == 0
    assert (card / "opt/referee/current").readlink() == Path("slots/a")
    assert json.loads((card / "opt/referee/trial.json").read_text())["back"] == "."
    assert (card / "opt/referee/units/referee.service").read_bytes() == before
    assert (card / "opt/referee/venv/bin/python").exists()


def test_an_installation_that_was_cut_off_before_its_command_was_written_is_ended(card: Path) -> None:
    assert install(card).returncode == 0
    command, manual = card / "usr/local/bin/referee", card / "usr/local/share/man/man1/referee.1"
    written_before = command.read_bytes()
    command.unlink()
    manual.unlink()
    assert install(card).returncode == 0
    assert command.read_bytes() == written_before
    assert manual.readlink() == Path("/opt/referee/current/share/referee.1")


CUT = """
[[ $0 == */install.sh ]] || return 0
set -T
steps=0
cut_here() {
  [[ " ${FUNCNAME[*]} " == *" install_program "* || " ${FUNCNAME[*]} " == *" install_services "* ]] || return 0
  ((++steps != CUT)) || kill -9 $$
}
trap cut_here DEBUG
"""
"""Bash reads this before a script: it kills the installer before the command with the number CUT."""


@pytest.fixture
def little_project(tmp_path: Path) -> Path:
    """The installer with a program of one file, so that it can be run many times."""
    project = tmp_path / "project"
    shutil.copytree(SYSTEMD, project / "systemd", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("referee/__init__.py", "models/tiles.toml", "models/a.onnx", "models/a.npz", "calibration/a.toml",
                 "calibration/a.svg", "tools/__init__.py", "tools/catalogues.py", "tools/manual.py",
                 "pyproject.toml", "setup.py", "README.md", "LICENSE"):  # fmt: skip
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(f"# {name}\n")
    return project


def stands(card: Path) -> str | None:
    """Which version the machine would start now; fails if it is not complete or not the one whose service is there."""
    link = card / "opt/referee/current"
    unit = card / "etc/systemd/system/referee.service"
    if not link.is_symlink():
        if unit.exists() and "/opt/referee/venv" not in unit.read_text():
            raise AssertionError("the service is there, but no version")
        return (card / "opt/referee/installed").read_text() if (card / "opt/referee/installed").exists() else None
    assert (link / "venv/bin/python").exists()
    assert (link / "models/tiles.toml").exists()
    return (link / "installed").read_text()


STRIDE, POINTS = (13, 12) if os.environ.get("REFEREE_TEST_CARD") == "1" else (59, 2)
"""Every how many commands the installer is killed, and at how many at least: at more of them with `make test-card`."""


@pytest.mark.parametrize("before", ["nothing", "a version", "a version without slots"])
def test_wherever_the_installer_is_killed_a_complete_version_stays_and_the_next_run_ends_it(
    card: Path, little_project: Path, tmp_path: Path, before: str
) -> None:
    script = little_project / "systemd/install.sh"
    if before != "nothing":
        assert install(card, script=script).returncode == 0
    if before == "a version without slots":
        for path in (card / "opt/referee/slots/a").iterdir():
            path.rename(card / "opt/referee" / path.name)
        for name in ("slots", "units"):
            shutil.rmtree(card / "opt/referee" / name)
        (card / "opt/referee/current").unlink()
        unit = card / "etc/systemd/system/referee.service"
        unit.write_text(unit.read_text().replace("/current/", "/"))
    (little_project / "referee/__init__.py").write_text('__version__ = "2"\n')
    cut = tmp_path / "cut.sh"
    cut.write_text(CUT)
    (tmp_path / "before").mkdir()
    shutil.copytree(card, tmp_path / "before/card", symlinks=True)
    shutil.copytree(card.parent / "programs", tmp_path / "before/programs")
    points, step = 0, 1
    while True:
        box = tmp_path / f"{step}" / "card"
        shutil.copytree(tmp_path / "before", box.parent, symlinks=True)
        systemctl = box.parent / "programs/systemctl"
        systemctl.write_text(systemctl.read_text().replace(str(card.parent), str(box.parent)))
        old = stands(box)
        environ = {**environ_of(box), "BASH_ENV": str(cut), "CUT": str(step)}
        killed = subprocess.run([script, "--root", box], capture_output=True, check=False, env=environ)  # noqa: S603
        assert killed.returncode in (0, -9), killed.stderr
        now = stands(box)
        assert old is None or now is not None
        assert now == old or now == (box / "opt/referee/current/installed").read_text()
        if killed.returncode == 0:
            break
        again = install(box, script=script)
        assert (again.returncode, again.stderr) == (0, ""), step
        assert (box / "opt/referee/current/version").read_text().startswith("2-"), step
        assert stands(box) != old
        assert (box / "usr/local/bin/referee").exists(), step
        assert "running" in state(box)
        shutil.rmtree(box.parent)
        points, step = points + 1, step + STRIDE
    assert points > POINTS


def test_a_service_that_does_not_start_is_told_with_the_way_to_its_reason(card: Path) -> None:
    (card / "state" / "broken").write_text("restart")
    done = install(card)
    assert done.returncode == 0
    assert "it does not start. Why: journalctl --unit referee" in done.stdout


@pytest.mark.parametrize("below", [pytest.param(False, id="this system"), pytest.param(True, id="a card")])
def test_files_are_put_and_removed_on_this_system_as_on_a_card(tmp_path: Path, below: bool) -> None:
    (tmp_path / "new").write_text("new")
    root, target = (tmp_path, "/there/file") if below else ("", f"{tmp_path}/there/file")
    script = f"source {SCRIPT}; root={root}; put 644 {tmp_path}/new {target}; "
    done = subprocess.run(  # noqa: S603
        ["/usr/bin/env", "bash", "-c", script + f"cat {tmp_path}/there/file; drop {target}; ls {tmp_path}/there"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"  + write {target}\nnew  + remove {target}\n"


def test_a_camera_is_found_though_the_list_goes_on_for_long(card: Path) -> None:
    with (card / "state" / "cameras").open("a", encoding="utf-8") as cameras:
        cameras.write("    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps]\n" * 20_000)
    assert "Camera\n  found one\n" in install(card).stdout


def test_a_missing_camera_is_told_and_no_obstacle(card: Path) -> None:
    (card / "state" / "cameras").write_text("No cameras available!\n")
    done = install(card)
    assert done.returncode == 0
    assert "none found. Switch off, press the ribbon cable home" in done.stdout


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        pytest.param("proc/device-tree/model", "A laptop", "expected a Raspberry Pi, found: A laptop", id="no Pi"),
        pytest.param("state/bits", "armhf", "expected a 64-bit Raspberry Pi OS (arm64), found: armhf", id="32 bits"),
        pytest.param("etc/os-release", "VERSION_CODENAME=bullseye", "Trixie, found: bullseye", id="too old"),
        pytest.param("proc/mounts", "overlayroot / overlay rw 0 0", "found overlayroot", id="kept in memory"),
    ],
)
def test_a_machine_that_will_not_do_is_refused_untouched(card: Path, name: str, content: str, found: str) -> None:
    (card / name).write_text(content + "\n")
    before = written(card)
    refused = install(card)
    assert refused.returncode == 2
    assert found in refused.stderr
    assert written(card) == before


@pytest.mark.parametrize(
    ("options", "found"),
    [
        pytest.param(["--fast"], "expected an option of --help, found: --fast", id="unknown option"),
        pytest.param(["--root", "/nowhere"], "expected a folder after --root, found: /nowhere", id="no such folder"),
        pytest.param(["--root"], "expected a folder after --root", id="folder left out"),
        pytest.param(
            ["--extras", "web"], "expected oled, voice, club, hall or heic after --extras, found: web", id="no extra"
        ),
        pytest.param(["--extras", "oled,"], "after --extras, found: oled,", id="half a list"),
        pytest.param(["--extras"], "after --extras, found: nothing", id="extras left out"),
        pytest.param(["--hostname"], "after --hostname, found: nothing", id="name left out"),
        pytest.param(["--hostname", "my table"], "after --hostname, found: my table", id="no name"),
        pytest.param(["--hostname", "-x"], "after --hostname, found: -x", id="no name either"),
        pytest.param(["--hold", "x"], "after --hold, found: x", id="no file descriptor"),
    ],
)
def test_wrong_arguments_are_named(card: Path, options: list[str], found: str) -> None:
    refused = install(card, *options)
    assert refused.returncode == 2
    assert found in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        pytest.param(["install", "DRY_RUN=1"], "--dry-run", id="DRY_RUN"),
        pytest.param(["--dry-run", "install"], "--dry-run", id="--dry-run"),
        pytest.param(["--dry-run", "--no-print-directory", "uninstall"], "--uninstall --dry-run", id="uninstall"),
        pytest.param(["install", "DRY_RUN=1", "EXTRAS=oled"], "--dry-run --extras oled", id="EXTRAS"),
        pytest.param(["install", "DRY_RUN=1", "HOST_NAME=referee"], "--dry-run --hostname referee", id="HOST_NAME"),
        pytest.param(["install", "DRY_RUN=1", "DESTDIR=/nowhere"], "--dry-run --root /nowhere", id="DESTDIR"),
    ],
)
def test_make_hands_over_what_is_wanted(tmp_path: Path, arguments: list[str], options: str) -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    script = tmp_path / "systemd" / "install.sh"
    script.parent.mkdir()
    script.write_text('#!/bin/sh\necho "given: $*"\n')  # without the right to be run, as a USB stick leaves it
    command = [make, "-f", SYSTEMD.parent / "Makefile", "-C", tmp_path, *arguments]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)  # noqa: S603
    assert f"given: {options}\n" in told.stdout


def test_the_scripts_are_clean() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("shellcheck is not installed")
    checked = subprocess.run(  # noqa: S603
        [shellcheck, *sorted(SYSTEMD.glob("*.sh"))], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
