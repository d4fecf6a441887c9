"""A new card in an emulated Pi without a network: real wheels and packages for arm64, and one power cut."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pi_roots import HERE, Recipe, UnavailableError, cache, made

from tools import card_bundle

ARM = HERE / "arm"
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
RELEASES = {one.name: one for one in card_bundle.releases()}
OLDEST_KERNEL = (6, 7)
"""Where binfmt_misc may be had in a namespace of one's own."""


def why_not() -> str | None:
    """Why nothing can be emulated here; None if it can."""
    if os.environ.get("REFEREE_TEST_CARD") != "1":
        return "run by make test-card"
    if os.geteuid() != 0 or os.uname().machine != "x86_64":
        return "only root on x86-64 can make and enter the emulated system"
    missing = [tool for tool in ("unshare", "apt-get", "dpkg-deb", "ssh-keygen") if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)}: not installed"
    kernel = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2])
    return None if kernel >= OLDEST_KERNEL else f"Linux 6.7 is needed to emulate, this is {os.uname().release}"


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def lite(release: str) -> Path:
    """An emulated Debian that lacks what Raspberry Pi OS Lite lacks."""
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    recipe = Recipe(
        f"lite-{release}", HERE / "card/lite.sh", (ARM / "installer_root.sh", HERE / "debian.sh"), (release,)
    )
    try:
        return made(recipe, cache()) / "root"
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def card(release: str, lite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make card-bundle` writes for a release, with the packages that wait beside the emulated system."""
    folder = tmp_path_factory.mktemp("card")
    key = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)  # noqa: S603, S607
    shutil.copytree(lite / "rest/packages", folder / "packages" / release)
    try:
        wheels = card_bundle.fetch_wheels(RELEASES[release], cache() / "wheels")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"the wheels cannot be fetched: {error}")
    packages = {release: card_bundle.packages_of(folder / "packages", release)}
    program, help_files = card_bundle.build_wheel(folder / "program"), card_bundle.write_help(folder / "help")
    card_bundle.make_bundle(folder / "bundle", key, {release: [*wheels, program]}, packages, help_files)
    card_bundle.make_card(folder / release, release, folder / "bundle", key)
    return folder / release


def test_a_new_card_installs_itself_without_a_network(lite: Path, card: Path) -> None:
    clean = ("/usr/bin/env", "-i", "HOME=/root", "LANG=C.UTF-8", f"PATH={PATH}", "QEMU_CPU=cortex-a72")
    command = [sys.executable, str(ARM / "emulated.py"), str(lite / "rest/qemu"), *clean, "unshare", "--net"]
    done = subprocess.run(  # noqa: S603
        [*command, "bash", str(HERE / "card/offline.sh"), str(lite), str(card)],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    found = json.loads(done.stdout.splitlines()[-1])
    print(f"first start: {found['first_start_s']} s, pip alone: {found['pip_s']} s")
    assert found["report"].endswith("http://referee.local")
    assert (found["network"], found["halfway"], found["numpy"], found["left"]) == (0, "yes", "installed", 0)
    assert found["compiled"] > 0  # what the referee loads
    assert found["compiled_tests"] == 0
    assert found["rules"] > 5
