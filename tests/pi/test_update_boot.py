"""Updates in a small machine that really starts: the real updater and its units, systemd, ext4, and power cuts.

One version after the other is asked for: good ones, and bad ones of each kind. The power fails at random moments. At
every start some version must play, each update must be told to its end, and no event that was written may be missing.
The machine's clock leaps ahead whenever it has nothing to do (`-icount`), so that the five minutes of a trial take
seconds. What the versions do is made up (`update/referee`), since the machine is no Pi.
"""

import itertools
import json
import math
import os
import random
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_bundle import make_key, write_signers
from pi_roots import HERE, PROJECT
from small_machine import SmallMachine, folder_in_memory, parts_of_machine

from tools import card_bundle

UPDATE = HERE / "update"
UPDATES = int(os.environ.get("REFEREE_UPDATES", "4"))
"""How many versions come one after the other. `make test-card` takes a few; fifty are for a night."""
SEED = int(os.environ.get("REFEREE_UPDATES_SEED", "1"))
SETUP = "mount /boot/firmware && bash /boot/firmware/setup/setup.sh"
FIRST_S, LAST_S = 1.0, 30.0
"""The power fails between these many seconds after an update was asked for. It takes 20 to 60 s: its installation and
its trial, of which 100 s pass in 10 s; a start takes as long."""
CLOCK = ("-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off")
KINDS = {
    "works, new tables": "stays", "crashes, new tables": "back", "no table": "back", "signed by others": "failed",
    "works": "stays", "hangs": "back", "ends": "back", "silent": "back", "damaged": "failed", "crashes": "back",
    "too large": "failed",
}  # fmt: skip
"""The kinds of versions, over and over again, and what must become of each."""


@pytest.fixture(scope="module")
def parts() -> Path:
    return parts_of_machine()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with folder_in_memory(tmp_path) as made_here:
        yield made_here


def make_bundle(path: Path, number: int, kind: str, schema: int, keys: dict[bool, Path], work: Path) -> None:
    """Write the bundle of one version."""
    manner = kind.partition(",")[0]
    work.mkdir()
    (work / "made.json").write_text(json.dumps({"version": str(number), "manner": manner, "schema": schema}))
    (work / "version").write_text(f"{number}\n")
    (work / "manner").write_text(manner)
    files = {
        "systemd/install.sh": UPDATE / "install.sh",
        "systemd/unpack.py": PROJECT / "systemd/unpack.py",
        "referee": UPDATE / "referee",
        "referee.service": PROJECT / "systemd/referee.service",
        **{name: work / name for name in ("made.json", "version", "manner")},
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_bundle, "program_files", lambda: files)
        patch.setattr(card_bundle, "version", lambda: str(number))
        card_bundle.make_bundle(path, keys[kind != "signed by others"], {"trixie": []})
    if kind == "damaged":
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])


def plan() -> list[tuple[str, int]]:
    """The kind of each version, and which tables of the journal it knows: those before it, or newer ones."""
    found, schema = [], 1
    for kind in itertools.islice(itertools.cycle(KINDS), UPDATES):
        newer = schema + 1 if "new tables" in kind else schema
        found.append((kind, newer))
        schema = newer if KINDS[kind] == "stays" else schema
    return found


def is_right(kind: str, told: dict[str, str]) -> bool:
    """Whether this may become of a version; a good one is taken back if the machine starts four times in its trial."""
    is_cut_off = KINDS[kind] == "stays" and (told["state"], told["reason"]) == ("back", "boots")
    return told["state"] == KINDS[kind] or is_cut_off


@pytest.fixture
def machine(parts: Path, folder: Path, tmp_path: Path) -> SmallMachine:
    """A machine that plays with a first version, and has all bundles on its FAT partition."""
    keys = {ours: make_key(tmp_path / f"key-{ours}") for ours in (True, False)}
    setup, bundles = tmp_path / "setup", tmp_path / "bundles"
    bundles.mkdir()
    shutil.copytree(PROJECT / "systemd", setup / "systemd", ignore=shutil.ignore_patterns("__pycache__", "locks"))
    for name in ("setup.sh", "driver.py", "referee"):
        shutil.copy(UPDATE / name, setup)
    write_signers(keys[True], setup / "signers")
    names = []
    for number, (kind, schema) in enumerate(plan(), 1):
        names.append(f"{number}.bundle")
        make_bundle(bundles / names[-1], number, kind, schema, keys, tmp_path / f"work-{number}")
    (tmp_path / "plan.json").write_text(json.dumps(names))
    found = SmallMachine(parts, folder, [setup, bundles, tmp_path / "plan.json"])
    found.start(words=f"cloud-init=disabled systemd.run=\"/bin/sh -c '{SETUP}'\"")
    assert found.read("/etc/systemd/system/driver.service")
    return found


FROZEN, MOST_FROZEN = "Freezing execution", 3
"""What systemd prints if a child of its own has taken 90 s, and how often that is borne. The clock also leaps while a
busy host reads the disk. A machine that is frozen has its plug pulled."""


class Plug:
    """Pulls the plug once in each update, some time after it was asked for."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.ended = self._of_earlier = 0
        """How many updates have ended, and how many of them before this start of the machine."""
        self._is_due, self._at = True, math.inf

    def insert(self) -> None:
        """The machine starts."""
        self._of_earlier, self._at = self.ended, math.inf

    def fails(self, console: bytes) -> bool:
        """Whether the power fails now, after the machine has printed this."""
        ended = self._of_earlier + console.count(b": result ")
        if ended > self.ended:
            self.ended, self._is_due, self._at = ended, True, math.inf
        if self._is_due and b" plays" in console:
            self._is_due, self._at = False, time.monotonic() + self._chance.uniform(FIRST_S, LAST_S)
        return time.monotonic() > self._at or FROZEN.encode() in console


def test_a_version_that_plays_comes_out_of_every_update_whenever_the_power_fails(machine: SmallMachine) -> None:
    kinds = [kind for kind, _ in plan()]
    plug = Plug(random.Random(SEED))  # noqa: S311 - not for secrets
    written: set[str] = set()
    starts, frozen, is_over = 0, 0, False
    while not is_over:
        plug.insert()
        is_over = machine.start(plug.fails, "cloud-init=disabled", CLOCK)
        starts += 1
        said = machine.console.read_text(errors="replace")
        if FROZEN in said:
            frozen += 1
            assert frozen <= MOST_FROZEN, said[-4000:]
            continue
        assert " plays" in said, said[-4000:]
        written |= set(re.findall(r"event (\S+) written", said))
        print(f"start {starts}: {plug.ended} of {len(kinds)} updates have ended", flush=True)
    found = json.loads(machine.read("/var/lib/found.json"))
    told = [json.loads(one) for one in found["told"]]
    print(f"{len(kinds)} updates, {starts - 1} power cuts, {len(written)} events were printed")
    assert [kind for kind, one in zip(kinds, told, strict=True) if not is_right(kind, one)] == [], told
    assert found["whole"] == "ok"
    assert written - set(found["events"]) - set(found["kept"]) == set()
