"""A damaged, foreign or hostile file is refused and changes nothing."""

import hashlib
import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from saved_tables import NOW, content, saved, table

from referee.backup.checking import HEAD_OF_MANIFEST, MOST_TIMES, check_backup, longest_manifest
from referee.backup.contents import Places
from referee.backup.manifest import LONGEST_PART, MOST_PARTS, NAME, BadBackup, is_safe_name
from referee.backup.restoring import restore
from referee.errors import BadInput

FLIPS = 150
HOSTILE = [
    "/etc/passwd", "../outside", "state/../../outside", "state/./x", "state//x", "state/", "state", "elsewhere/x",
    "state/a\\..\\b", "state/.ssh", "state/x\0y", "state/a\nb", "settings/other.toml", "settings/../state/x",
    "state/backups/x", "state/restore-ready/plan.json", "state/journal.lock", f"state/{'x' * 300}",
    "/".join(["state", *"abcdefghij"]), "C:/x", "state/\u202ex",
]  # fmt: skip


def accept(_: str) -> None:
    """Any settings will do."""


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None], **how: Any) -> Path:
    """The backup with its manifest and files changed."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name != NAME}
        manifest = json.loads(archive.read(NAME))
    change(manifest, files)
    other = path.with_name("changed.zip")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(how.get("info", {}).get(name, name), data)
        archive.writestr(NAME, json.dumps(manifest))
    return other


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    return saved(folder / "b.zip", table(folder, "one"))


def refused(path: Path, tmp_path: Path, match: str | None = None) -> None:
    other = table(tmp_path / "other", "other")
    before, files = content(other), sorted(tmp_path.rglob("*"))
    with pytest.raises(BadInput, match=match):
        restore(path, other, NOW, accept)
    assert content(other) == before
    assert sorted(tmp_path.rglob("*")) == files


def test_a_backup_that_was_cut_off_anywhere_is_refused(backup: Path, tmp_path: Path) -> None:
    data, cut = backup.read_bytes(), tmp_path / "cut.zip"
    for length in range(0, len(data), max(1, len(data) // 200)):
        cut.write_bytes(data[:length])
        with pytest.raises(BadBackup):
            check_backup(cut)
    refused(cut, tmp_path)


def test_a_wrong_byte_anywhere_is_noticed_or_does_not_matter(backup: Path, tmp_path: Path) -> None:
    data, rng, noticed = backup.read_bytes(), random.Random(1), 0  # noqa: S311
    wrong, as_saved = tmp_path / "wrong.zip", check_backup(backup)
    for _ in range(FLIPS):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        wrong.write_bytes(changed)
        try:
            # Dates of the files, for instance, are used by nobody.
            assert check_backup(wrong) == as_saved
        except BadBackup:
            noticed += 1
    assert noticed > FLIPS * 0.7


@pytest.mark.parametrize("name", HOSTILE, ids=repr)
def test_a_name_that_leads_elsewhere_is_refused(backup: Path, tmp_path: Path, name: str) -> None:
    assert not is_safe_name(name)

    def plant(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
        files[name] = files["state/lens.toml"]
        manifest["members"].append({**manifest["members"][0], "name": name})

    refused(rewritten(backup, plant), tmp_path, "found")
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        pytest.param("format", 2, "a newer referee made it", id="a newer format"),
        pytest.param("format", None, "a newer referee made it", id="no format"),
        pytest.param("kind", "other", "something else", id="of another program"),
        pytest.param("journal", 99, "update this referee first", id="a newer journal"),
        pytest.param("journal", -1, "values that no manifest has", id="no version"),
        pytest.param("members", [], "as in its manifest|otherwise", id="files that the manifest does not name"),
        pytest.param("members", "all", "values that no manifest has", id="no list"),
        pytest.param("named", {"voice.pack": "../x"}, "values that no manifest has", id="a setting that leads away"),
        pytest.param("made", 5, "values that no manifest has", id="no time"),
        pytest.param("table", "box\x1b[2J", "values that no manifest has", id="signs that steer a terminal"),
    ],
)
def test_a_manifest_that_is_not_ours_is_refused(
    backup: Path, tmp_path: Path, key: str, value: object, told: str
) -> None:
    refused(rewritten(backup, lambda manifest, _: manifest.update({key: value})), tmp_path, told)


def test_a_file_that_is_not_as_it_was_saved_is_refused(backup: Path, tmp_path: Path) -> None:
    def alter(_: dict[str, Any], files: dict[str, bytes]) -> None:
        files["state/lens.toml"] = files["state/lens.toml"].replace(b"one", b"two")

    refused(rewritten(backup, alter), tmp_path, "lens.toml as it was saved, found it damaged")


def test_a_file_that_is_missing_is_noticed(backup: Path, tmp_path: Path) -> None:
    refused(rewritten(backup, lambda _, files: files.pop("state/lens.toml")), tmp_path, "found no such file")


def test_a_manifest_that_is_far_too_large_is_refused_unread(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swell(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
        manifest["more"] = [[]] * 100_000

    swollen = rewritten(backup, swell)
    monkeypatch.setattr("referee.backup.checking.manifest_from", None)  # would raise TypeError
    refused(swollen, tmp_path, "expected a manifest of at most")


def test_the_longest_names_and_many_files_have_a_manifest_that_is_read(tmp_path: Path) -> None:
    """Names of the greatest length, each letter of which has six signs in JSON, and a thousand short ones."""
    places = Places(tmp_path / "state")
    deep = places.state.joinpath(*["é" * (LONGEST_PART // 2)] * (MOST_PARTS - 3))
    deep.mkdir(parents=True)
    for number in range(40):
        (deep / f"{number:0{LONGEST_PART}}").touch()
    for number in range(1000):
        (places.state / f"{number}").touch()
    path = saved(tmp_path / "b.zip", places)
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo(NAME).file_size
        most = longest_manifest(name for name in archive.namelist() if name != NAME)
    assert len(check_backup(path).members) == 1040
    assert most - HEAD_OF_MANIFEST < 4 * size


def test_a_file_and_a_folder_of_one_name_are_refused(backup: Path, tmp_path: Path) -> None:
    def plant(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
        files["state/lens.toml/x"] = files["state/lens.toml"]
        manifest["members"].append({**manifest["members"][0], "name": "state/lens.toml/x"})

    refused(rewritten(backup, plant), tmp_path, "found both")


def test_a_link_is_refused(backup: Path, tmp_path: Path) -> None:
    info = zipfile.ZipInfo("state/lens.toml")
    info.external_attr = 0o120777 << 16
    refused(rewritten(backup, lambda *_: None, info={"state/lens.toml": info}), tmp_path, "plain files only")


def test_a_file_that_claims_to_be_huge_is_refused(backup: Path, tmp_path: Path) -> None:
    def claim(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
        huge = b"\0" * 3_000_000
        files["state/zeros"] = huge
        manifest["members"].append({"name": "state/zeros", "size": len(huge) * MOST_TIMES, "sha256": "0" * 64})

    refused(rewritten(backup, claim), tmp_path, "otherwise")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"%PDF-1.7 " * 100, id="a document"),
        pytest.param(b"PK\x05\x06" + bytes(18), id="an empty ZIP file"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "b.zip").write_bytes(data)
    refused(tmp_path / "b.zip", tmp_path)


def test_another_zip_file_is_refused(tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("holiday.jpg", b"x")
    (tmp_path / "b.zip").write_bytes(made.getvalue())
    refused(tmp_path / "b.zip", tmp_path, "another ZIP file")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    refused(tmp_path, tmp_path, "expected a backup, found")
    refused(tmp_path / "missing.zip", tmp_path / "again", "No such file")
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", tmp_path / "a pipe", "a device or a pipe")
    refused(Path(os.devnull), tmp_path / "a device", "a device or a pipe")


def test_a_journal_that_is_no_database_is_refused(backup: Path, tmp_path: Path) -> None:
    def replace(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
        data = files["state/journal.db"] = bytes(range(256)) * 64
        for member in manifest["members"]:
            if member["name"] == "state/journal.db":
                member.update(size=len(data), sha256=hashlib.sha256(data).hexdigest())

    refused(rewritten(backup, replace), tmp_path, "expected an intact database")


def test_a_database_that_is_damaged_inside_is_refused(tmp_path: Path) -> None:
    one = table(tmp_path / "one", "one")
    path = one.state / "hall" / "hall.sqlite"
    data = path.read_bytes()
    good = saved(tmp_path / "b.zip", one)

    def damage(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
        broken = data[:4096] + b"\xff" * 4096 + data[8192:]
        files["state/hall/hall.sqlite"] = broken
        for member in manifest["members"]:
            if member["name"] == "state/hall/hall.sqlite":
                member.update(size=len(broken), sha256=hashlib.sha256(broken).hexdigest())

    refused(rewritten(good, damage), tmp_path, "an intact database")
