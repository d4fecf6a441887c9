"""Packages of a new card, installed by the real dpkg and apt into a made-up system, where something goes wrong."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
TOOLS = ("dpkg", "dpkg-deb", "dpkg-query", "apt-get")
CUT = "kill -9 0"
"""What a script of a package does for a power cut: dpkg and the installer end with it."""
CONTROL = "Package: {name}\nVersion: {version}\nArchitecture: arm64\nMaintainer: nobody <nobody@localhost>\n"
PREPARED = (("python3-venv", "1"), ("python3-lgpio", "1"))
NEEDS = {"libone": "", "python3-numpy": "libone", "python3-picamera2": "python3-numpy, libone"}
VERSIONS = {"libone": "1", "python3-numpy": "1:2.2.4", "python3-picamera2": "0.3.31"}

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS), reason=f"one of {', '.join(TOOLS)} is not installed"
)


@dataclass(frozen=True)
class Machine:
    """A system with dpkg's own files, and an installer whose packages are beside it."""

    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "root"

    @property
    def bundled(self) -> Path:
        return self.folder / "source/packages/trixie"

    def prepare(self) -> None:
        for name in ("dpkg/info", "dpkg/updates", "dpkg/triggers", "apt/lists/partial"):
            (self.root / "var/lib" / name).mkdir(parents=True)
        for name in ("var/cache/apt/archives/partial", "var/log/apt", "etc/apt/apt.conf.d", "etc/apt/preferences.d"):
            (self.root / name).mkdir(parents=True)
        stanzas = []
        for name, version in PREPARED:
            stanzas.append(
                CONTROL.format(name=name, version=version) + "Status: install ok installed\nDescription: x\n"
            )
            for ending in ("list", "md5sums"):
                (self.root / f"var/lib/dpkg/info/{name}.{ending}").touch()
        (self.root / "var/lib/dpkg/status").write_text("\n".join(stanzas))
        (self.root / "var/lib/dpkg/arch").write_text("arm64\n")
        (self.root / "etc/apt/sources.list").touch()
        shutil.copytree(PROJECT / "systemd", self.folder / "source/systemd")
        self.bundled.mkdir(parents=True)
        self._prepare_programs()

    def _prepare_programs(self) -> None:
        """Lead the tools of the system to the one below `root`."""
        here, root, found = self.folder / "programs", self.root, {tool: shutil.which(tool) for tool in TOOLS}
        here.mkdir()
        options = (f"--root={root}", "--force-not-root", "--force-script-chrootless", "--force-architecture",
                   "--force-bad-path")  # fmt: skip
        listed = " ".join(f'"{option}";' for option in options)
        # In a file, as apt reads it before any other: what this machine has it do besides, it does not do here.
        (self.folder / "apt.conf").write_text(
            f'Dir "{root}";\nDir::Bin::dpkg "{found["dpkg"]}";\nDir::State::status "{root}/var/lib/dpkg/status";\n'
            'APT::Architecture "arm64";\nAPT::Architectures { "arm64"; };\nAPT::Sandbox::User "";\n'
            f"DPkg::Options {{ {listed} }};\n"
        )
        commands = {
            "dpkg": f"{found['dpkg']} {' '.join(options)}",
            "dpkg-query": f"{found['dpkg-query']} --root={root}",
            "apt-get": f"APT_CONFIG={self.folder / 'apt.conf'} {found['apt-get']}",
        }
        for name, command in commands.items():
            (here / name).write_text(f'#!/bin/sh\nexec env {command} "$@"\n')
        # fits.py reads the list of the system; what is left of its command line are its own name and the files.
        (here / "python3").write_text(
            f"#!{sys.executable}\nimport sys\nfrom pathlib import Path\n"
            f"sys.path.insert(0, {str(self.folder / 'source/systemd')!r})\nimport fits\n"
            f"fits.STATUS = Path({str(root / 'var/lib/dpkg/status')!r})\nsys.exit(fits.main(sys.argv[4:]))\n"
        )
        for path in here.iterdir():
            path.chmod(0o755)

    def package(self, name: str, version: str, to: Path, *, script: str = "", action: str = "") -> Path:
        """Make a package; `action` is what its script does, such as `preinst`."""
        source = self.folder / "made" / f"{name}-{version.partition(':')[2] or version}"
        (source / "DEBIAN").mkdir(parents=True)
        (source / "usr/share" / name).mkdir(parents=True)
        for number in range(3):
            (source / "usr/share" / name / str(number)).write_text(f"{name} {version}\n" * 1000)
        needs = f"Depends: {NEEDS[name]}\n" if NEEDS.get(name) else ""
        (source / "DEBIAN/control").write_text(
            CONTROL.format(name=name, version=version) + needs + "Description: made up\n"
        )
        if script:
            path = source / "DEBIAN" / script
            path.write_text(f"#!/bin/sh\n{action}\n")
            path.chmod(0o755)
        file = to / f"{source.name}.deb"
        command = ["dpkg-deb", "--root-owner-group", "--build", source, file]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
        return file

    def publish(self, name: str, version: str) -> None:
        """Let apt find a package in an archive, as it finds those of Debian on the internet."""
        archive = self.folder / "archive"
        archive.mkdir()
        data = self.package(name, version, archive).read_bytes()
        (file,) = archive.iterdir()
        control = subprocess.run(["dpkg-deb", "--field", file], check=True, capture_output=True, text=True).stdout  # noqa: S603, S607
        (archive / "Packages").write_text(
            f"{control}Filename: ./{file.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n"
        )
        (self.root / "etc/apt/sources.list").write_text(f"deb [trusted=yes] copy:{archive} ./\n")

    def start(self) -> subprocess.CompletedProcess[str]:
        """Install the packages, as each start of the machine does."""
        # dpkg's own files are below the system's folder, whereas all else that is looked for is beside the installer.
        program = """
            . "$0/systemd/install.sh"; source=$0 codename=trixie
            put() { :; }
            compgen() { builtin compgen "$1" "$SYSTEM$2"; }
            install_packages"""
        return subprocess.run(  # noqa: S603
            ["bash", "-c", program, self.folder / "source"],  # noqa: S607
            capture_output=True, text=True, check=False, start_new_session=True, stdin=subprocess.DEVNULL,
            env={**os.environ, "PATH": f"{self.folder}/programs:{os.environ['PATH']}", "LC_ALL": "C",
                 "SYSTEM": str(self.root)},
        )  # fmt: skip

    def installed(self) -> dict[str, str]:
        """Return the state of every package by its name, such as `ii ` for one that is wholly installed."""
        command = ["dpkg-query", f"--root={self.root}", "-W", "-f", "${Package}\t${db:Status-Abbrev}\n"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
        states = dict(line.split("\t") for line in told.splitlines())
        return {name: state for name, state in states.items() if name in NEEDS and state != "un "}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.prepare()
    return made


def once(machine: Machine, action: str) -> str:
    """Return the command that does something the first time only."""
    return f"if mkdir {machine.folder}/done 2> /dev/null; then {action}; fi"


def bundle(machine: Machine, broken: str = "", script: str = "", action: str = "") -> None:
    for name, version in VERSIONS.items():
        machine.package(name, version, machine.bundled, script=script if name == broken else "", action=action)


ALL = dict.fromkeys(NEEDS, "ii ")


def test_packages_are_installed(machine: Machine) -> None:
    bundle(machine)
    done = machine.start()
    assert (done.returncode, machine.installed()) == (0, ALL), done.stdout + done.stderr
    assert "apt-get" not in done.stdout


@pytest.mark.parametrize("script", ["preinst", "postinst"])
@pytest.mark.parametrize("name", list(NEEDS))
def test_after_a_power_cut_the_next_start_goes_on(machine: Machine, name: str, script: str) -> None:
    bundle(machine, name, script, once(machine, CUT))
    assert machine.start().returncode == -9
    assert machine.installed() != ALL
    done = machine.start()
    assert (done.returncode, machine.installed()) == (0, ALL), done.stdout + done.stderr


@pytest.mark.parametrize("script", ["preinst", "postinst"])
@pytest.mark.parametrize("name", list(NEEDS))
def test_a_package_that_fails_once_is_installed_at_the_same_start(machine: Machine, name: str, script: str) -> None:
    bundle(machine, name, script, once(machine, "exit 1"))
    done = machine.start()
    assert (done.returncode, machine.installed()) == (0, ALL), done.stdout + done.stderr


def test_a_package_that_always_fails_is_taken_from_the_internet(machine: Machine) -> None:
    bundle(machine, "libone", "preinst", "exit 1")
    machine.publish("libone", "2")
    done = machine.start()
    assert (done.returncode, machine.installed()) == (0, ALL), done.stdout + done.stderr
    assert "  note: the packages of the bundle do not fit this system" in done.stdout


def test_without_the_internet_it_is_told_and_tried_again(machine: Machine) -> None:
    bundle(machine, "libone", "preinst", f"test -e {machine.folder}/mended")
    done = machine.start()
    assert done.returncode != 0
    assert machine.installed() != ALL
    (machine.folder / "mended").touch()
    done = machine.start()
    assert (done.returncode, machine.installed()) == (0, ALL), done.stdout + done.stderr


def test_what_dpkg_has_noted_but_not_listed_yet_keeps_apt_from_nothing(machine: Machine) -> None:
    """A power cut just before dpkg ends: nothing is half installed, but apt refuses to go on."""
    bundle(machine)
    assert machine.start().returncode == 0
    status = machine.root / "var/lib/dpkg/status"
    stanzas = [one for one in status.read_text().split("\n\n") if one.strip()]
    (noted,) = (one for one in stanzas if one.startswith("Package: python3-venv\n"))
    (machine.root / "var/lib/dpkg/updates/0000").write_text(f"{noted.strip()}\n")
    status.write_text("\n\n".join(one.strip() for one in stanzas if "Package: python3-lgpio\n" not in one) + "\n")
    machine.publish("python3-lgpio", "2")
    done = machine.start()
    assert done.returncode == 0, done.stdout + done.stderr
    assert machine.installed() == ALL
