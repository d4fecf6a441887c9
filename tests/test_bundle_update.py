"""Updates from a bundle on a made-up system without a network: installed, refused, and cut off."""

import io
import json
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from made_bundle import Made, make_key, write_signers
from made_card import environ_of, install, made_card
from updater.bundle import SIGNERS
from updater.installing import INCOMING, SERVICES, install_bundle
from updater.slots import Slots

from referee.devices.update_result import update_notices
from referee.i18n import ENGLISH
from tools import card_bundle
from tools.card_bundle import ARCHIVE

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("bundle"))


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A system with a version in use, on which the bundle's would be another one."""
    root = made_card(tmp_path)
    assert install(root, "--extras", "oled").returncode == 0
    (root / "opt/referee/current/installed").write_text("older 3.11 1.24.2 oled\n")
    (root / "var/lib/referee/updates").mkdir(parents=True)
    (root / "state/asked").unlink()
    return root


def begin_update(card: Path) -> subprocess.Popen[str]:
    """Start the updater on the waiting bundle, as its service does, in a new session."""
    environ = {**environ_of(card), "PYTHONPATH": str(card / "opt/referee/updater")}
    command = [sys.executable, "-P", "-B", "-m", "updater", "--root", card, "install-waiting"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environ, start_new_session=True, **pipes)  # type: ignore[call-overload] # noqa: S603


def update(card: Path) -> subprocess.CompletedProcess[str]:
    """Install the bundle that waits."""
    with begin_update(card) as updater:
        told, complained = updater.communicate()
    return subprocess.CompletedProcess(updater.args, updater.returncode, told, complained)


def test_an_update_is_built_from_the_bundle_alone_and_switched_to(made: Made, card: Path) -> None:
    write_signers(made.key, card / SIGNERS)
    shutil.copy(made.path, card / "var/lib/referee/updates/bundle")
    done = update(card)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (card / "state/asked").read_text().splitlines()
    (fetching,) = (line for line in lines if "--require-hashes" in line)
    assert "--no-index --find-links /opt/referee/slots/b/source/wheels" in fetching
    assert not [line for line in lines if "apt-get" in line]
    assert (card / "opt/referee/current").readlink() == Path("slots/b")
    assert (card / "opt/referee/current/installed").read_text().endswith(" oled\n")  # as before
    assert (card / "opt/referee/current/version").read_text().strip() == card_bundle.version()
    assert json.loads((card / "var/lib/referee/update.json").read_text())["state"] == "trying"
    assert list((card / "var/lib/referee/updates").iterdir()) == []
    assert not (card / "opt/referee/incoming").exists()


@pytest.mark.parametrize(
    ("broken", "told"),
    [("signature", "signature"), ("--require-hashes", "install"), ("libraries.py", "install"), ("half", "damaged")],
)
def test_an_update_that_fails_changes_nothing_of_the_version_in_use(
    made: Made, card: Path, tmp_path: Path, broken: str, told: str
) -> None:
    key = make_key(tmp_path / "other") if broken == "signature" else made.key
    write_signers(key, card / SIGNERS)
    data = made.path.read_bytes()
    (card / "var/lib/referee/updates/bundle").write_bytes(data[: len(data) // 2] if broken == "half" else data)
    (card / "state/broken").write_text(broken)
    before = {path: path.read_bytes() for path in (card / "opt/referee/slots/a").rglob("*") if path.is_file()}
    assert update(card).returncode == 1
    assert (card / "opt/referee/current").readlink() == Path("slots/a")
    assert {path: path.read_bytes() for path in (card / "opt/referee/slots/a").rglob("*") if path.is_file()} == before
    result = json.loads((card / "var/lib/referee/update.json").read_text())
    assert (result["state"], result["reason"]) == ("failed", told)
    assert not (card / "opt/referee/slots/b/installed").exists()
    assert not (card / "opt/referee/next.json").exists()
    assert not [path for path in ("state/stopped", "var/lib/referee/updates/bundle") if (card / path).exists()]
    assert "systemctl stop" not in (card / "state/asked").read_text() if (card / "state/asked").exists() else True


def archive_of(name: str) -> bytes:
    """An archive with one file."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as tar:
        tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    return data.getvalue()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(lambda data: data[: len(data) // 2], "unexpected end of data", id="half"),
        pytest.param(lambda _: archive_of("../evil"), "expected names below the folder", id="a name outside"),
    ],
)
def test_a_program_that_cannot_be_unpacked_changes_nothing_and_the_next_update_is_installed(
    made: Made, card: Path, change: Callable[[bytes], bytes], told: str
) -> None:
    write_signers(made.key, card / SIGNERS)
    waiting = made.with_file(card / "var/lib/referee/updates/bundle", ARCHIVE, change(made.archive()))
    assert update(card).returncode == 1
    result = json.loads((card / "var/lib/referee/update.json").read_text())
    assert (result["state"], result["reason"]) == ("failed", "install")
    assert told in result["detail"]
    assert (card / "opt/referee/current").readlink() == Path("slots/a")
    assert not [path for path in (card / "opt/referee/incoming", waiting, *card.rglob("evil")) if path.exists()]
    shutil.copy(made.path, waiting)
    assert update(card).returncode == 0
    assert (card / "opt/referee/current").readlink() == Path("slots/b")


def test_a_power_cut_while_the_program_is_unpacked_leaves_the_version_in_use(made: Made, card: Path) -> None:
    write_signers(made.key, card / SIGNERS)
    waiting, incoming = card / "var/lib/referee/updates/bundle", card / "opt/referee/incoming"
    shutil.copy(made.path, waiting)
    with begin_update(card) as updater:
        while not (incoming / "referee/errors.py").exists():
            assert updater.poll() is None
            time.sleep(0.01)
        # With its session end the installer and all that it has started, as nothing else does but a power cut.
        subprocess.run(["pkill", "-KILL", "-s", str(updater.pid)], check=True)  # noqa: S603, S607
    assert (card / "opt/referee/current").readlink() == Path("slots/a")
    assert update(card).returncode == 0  # the bundle still waits
    assert (card / "opt/referee/current").readlink() == Path("slots/b")
    assert not incoming.exists()


FULL = b"""mkdir -p "$3/opt/referee/slots/b/venv"
echo "ERROR: Could not install packages: [Errno 28] No space left on device" >&2
printf '  \\n\\n' >&2
exit 1
"""


def test_a_card_that_becomes_full_while_it_is_installed_is_told(made: Made, card: Path) -> None:
    write_signers(made.key, card / SIGNERS)
    made.with_file(card / "var/lib/referee/updates/bundle", "systemd/install.sh", FULL)
    done = update(card)
    result = json.loads((card / "var/lib/referee/update.json").read_text())
    assert (done.returncode, result["state"], result["reason"]) == (1, "failed", "no_room")
    assert result["detail"] == "ERROR: Could not install packages: [Errno 28] No space left on device"
    assert not (card / "opt/referee/slots/b").exists()  # or there would be no room for the next update either
    assert (card / "opt/referee/slots/a/installed").exists()


class Noted:
    """A change of versions which notes whether there was room again when the failure was to be written."""

    def __init__(self, incoming: Path) -> None:
        self._incoming, self.had_room = incoming, False

    def trial(self) -> None:
        """No version is on trial."""

    def report_progress(self, *_: str) -> None:
        """Nothing is written."""

    def report_unchanged(self, _: str) -> None:
        """Nothing is written."""

    def report_failure(self, *_: str) -> None:
        self.had_room = not self._incoming.exists()


def header(kind: bytes, content: bytes) -> bytes:
    """What an archive says of the member that follows it."""
    head = tarfile.TarInfo("about")
    head.type, head.size = kind, len(content)
    return head.tobuf() + content + b"\0" * (-len(content) % tarfile.BLOCKSIZE)


NO_BUNDLES = {
    "empty": b"",
    "headers without end": header(tarfile.GNUTYPE_LONGNAME, b"a\0") * 3000 + b"\0" * 1024,
    "no numbers": header(tarfile.XHDTYPE, b"25 GNU.sparse.map=a,b,c,\n") + header(tarfile.REGTYPE, b"x"),
}


@pytest.mark.parametrize("data", NO_BUNDLES.values(), ids=NO_BUNDLES)
def test_a_failure_is_written_once_there_is_room_for_it_again(card: Path, data: bytes) -> None:
    slots = Slots(card)
    noted = Noted(slots.home / INCOMING)
    bundle = card / "no-bundle"
    bundle.write_bytes(data)
    assert install_bundle(card, slots, noted, bundle) == "damaged"  # type: ignore[arg-type]
    assert noted.had_room


def test_the_installer_waits_until_the_pins_are_left_to_the_referee(made: Made, tmp_path: Path) -> None:
    root, free, lines = made_card(tmp_path), tmp_path / "free", []
    write_signers(made.key, root / SIGNERS)
    script = f'echo {SERVICES}\nread -r -t 60 -u "${{@: -1}}" && [[ -e "{free}" ]] && echo started'
    bundle = made.with_file(tmp_path / "held.bundle", "systemd/install.sh", script.encode())

    def leave_pins(line: str) -> None:
        lines.append(line)
        if line == SERVICES:
            time.sleep(0.5)  # so that an installer that does not wait would be first
            free.touch()

    slots = Slots(root)
    noted = Noted(slots.home / INCOMING)
    assert install_bundle(root, slots, noted, bundle, (), leave_pins, holds=True) == ""  # type: ignore[arg-type]
    assert lines == [SERVICES, "started"]


def test_the_version_that_is_in_use_already_is_told_as_that(made: Made, tmp_path: Path) -> None:
    """Otherwise the page would wait for the end of an installation of which nothing more comes."""
    root = made_card(tmp_path)
    assert install(root).returncode == 0
    write_signers(made.key, root / SIGNERS)
    (root / "var/lib/referee/updates").mkdir(parents=True)
    shutil.copy(made.path, root / "var/lib/referee/updates/bundle")
    done = update(root)
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((root / "var/lib/referee/update.json").read_text())
    assert (result["state"], result["version"]) == ("stays", card_bundle.version())
    assert (root / "opt/referee/current").readlink() == Path("slots/a")


def test_on_a_system_that_is_kept_in_memory_none_is_installed(made: Made, card: Path) -> None:
    write_signers(made.key, card / SIGNERS)
    (card / "proc/mounts").write_text("overlayroot / overlay rw,relatime 0 0\n")
    shutil.copy(made.path, card / "var/lib/referee/updates/bundle")
    assert update(card).returncode == 1
    (told,) = update_notices(card / "var/lib/referee")
    assert "overlayroot must be switched off first" in ENGLISH(told)
    assert not (card / "opt/referee/slots/b/installed").exists()
    assert not (card / "opt/referee/next.json").exists()


def test_while_a_version_is_on_trial_none_is_installed(made: Made, card: Path) -> None:
    write_signers(made.key, card / SIGNERS)
    trial = {"slot": "a", "back": "b", "units": ["referee"], "phase": "trying"}
    (card / "opt/referee/trial.json").write_text(json.dumps(trial))
    result, marks = card / "var/lib/referee/update.json", []
    for _ in range(2):
        shutil.copy(made.path, card / "var/lib/referee/updates/bundle")
        assert update(card).returncode == 1
        assert json.loads(result.read_text())["reason"] == "on_trial"
        marks.append(result.stat().st_mtime_ns)
    # `referee update` waits for a result that is not the one of before, although both say the same.
    assert marks[0] != marks[1]
