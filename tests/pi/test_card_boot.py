"""A new card in a small machine that really starts: cloud-init, systemd, a FAT partition, and power cuts.

The `user-data` of the Imager and our `vendor-data` beside it must both be applied. The machine is x86 and has no
network. The program of the first start is the real one, the installer in its bundle a small one (`card/install.sh`).
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pi_roots import HERE, PROJECT
from small_machine import SmallMachine, folder_in_memory, parts_of_machine, run

from tools import card_bundle

CARD = HERE / "card"
INSTANCE = "rpi-imager-1764180000000"
CUTS = (b"Run /init", b"ssh_host_ed25519", b"]: Machine", b"]: Program", b"]: Settings")
"""The power fails when the machine prints this, on the same card each time, which comes further and further."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with folder_in_memory(tmp_path) as made_here:
        yield made_here


@pytest.fixture(scope="module")
def parts() -> Path:
    return parts_of_machine()


@pytest.fixture(scope="module")
def card(parts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001 - skips where no machine starts
    """What is copied to a card with Trixie, with the small installer in its bundle."""
    folder = tmp_path_factory.mktemp("card")
    key = folder / "key"
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_bundle, "program_files", lambda: {"systemd/install.sh": CARD / "install.sh"})
        patch.setattr(card_bundle, "version", lambda: "1-tested")
        card_bundle.make_bundle(folder / "bundle", key, {"trixie": []})
        card_bundle.make_card(folder / "trixie", "trixie", folder / "bundle", key)
    return folder / "trixie"


@pytest.fixture
def machine(parts: Path, card: Path, folder: Path) -> SmallMachine:
    """A machine whose boot partition has what the Imager wrote, and ours."""
    (folder / "meta-data").write_text(f"instance-id: {INSTANCE}\n")
    (folder / "network-config").write_text("")
    shutil.copy(CARD / "user-data", folder)
    of_imager = [folder / name for name in ("meta-data", "network-config", "user-data")]
    return SmallMachine(parts, folder, [*of_imager, *card.iterdir()])


def report(machine: SmallMachine) -> str:
    """What the first start has written on the boot partition."""
    return run("mtype", "-i", machine.boot, "::referee-card.txt")


def check(machine: SmallMachine) -> None:
    """Both the Imager's settings and ours were applied, and the card is ready."""
    assert "http://kitchen.local" in report(machine), machine.last_words()
    assert "referee-card/" not in machine.names().lower()
    assert "anna:" in machine.read("/etc/passwd")
    assert machine.read("/root/run-by-user-data") == "done\n"
    assert machine.read("/etc/hostname") == "kitchen\n"
    assert machine.read("/opt/referee/slots/a/installed") == "1\n"
    assert machine.read("/etc/referee/referee.toml") == (PROJECT / "systemd/card/referee.toml").read_text()
    assert "sleep infinity" in machine.read("/etc/systemd/system/referee.service")


def test_a_new_card_starts_with_the_settings_of_the_imager_and_with_ours_whenever_the_power_fails(
    machine: SmallMachine,
) -> None:
    words = f"ds=nocloud;i={INSTANCE}"
    for cut in CUTS:
        assert not machine.start(lambda said, cut=cut: cut in said, words), cut
        assert "referee-card" in machine.names().lower(), cut
    assert machine.start(words=words)
    check(machine)
