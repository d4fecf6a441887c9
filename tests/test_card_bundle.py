"""Bundles: made, signed and verified with the real ssh-keygen."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from made_bundle import WHEELS, Made, make_key, write_signers
from made_card import PROJECT
from updater import bundle as bundle_module
from updater.bundle import MANIFEST, SIGNATURE, BadBundle, unpack

from referee import __version__
from tools import card_bundle
from tools.card_bundle import ARCHIVE
from tools.catalogues import written_catalogues
from tools.manual import COMPLETION

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("bundle"))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A bundle with a few files of the program only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_bundle, "PARTS", ("setup.py", "LICENSE"))
        return Made(tmp_path_factory.mktemp("small"))


def reason(path: Path, signers: Path, to: Path, release: str = "bookworm") -> str:
    to.mkdir(exist_ok=True)
    with pytest.raises(BadBundle) as refused:
        unpack(path, signers, release, to)
    return refused.value.reason


def unpack_program(folder: Path, release: str) -> subprocess.CompletedProcess[str]:
    """Run the program of the bundle that unpacks the rest, as its installer does."""
    command = [sys.executable, "-P", "-B", folder / "systemd/unpack.py", folder / ARCHIVE, release, folder]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603


@pytest.mark.parametrize("release", list(WHEELS))
def test_what_was_signed_is_unpacked_for_the_release_of_the_system(made: Made, tmp_path: Path, release: str) -> None:
    manifest = unpack(made.path, made.signers, release, tmp_path)
    assert manifest.version == card_bundle.version()
    done = unpack_program(tmp_path, release)
    assert (done.returncode, done.stderr) == (0, "")
    found = {path.name: path.read_text() for path in (tmp_path / "wheels").iterdir()}
    assert found == {name: f"wheel {name}" for name in WHEELS[release]}
    for name, path in card_bundle.program_files().items():
        assert (tmp_path / name).read_bytes() == path.read_bytes()
    assert made.size < card_bundle.MOST_BYTES


def test_builds_of_the_same_wheel_take_the_room_of_one(
    small: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_bundle, "PARTS", ("setup.py", "LICENSE"))
    # Only pairs are packed: all else in a wheel is compressed already, and to unpack it again takes time on a Pi.
    with tarfile.open(small.path) as tar:
        assert {name for name in tar.getnames() if name.startswith("wheels/")} == {
            f"wheels/{name}" for names in WHEELS.values() for name in names[:2]
        }
    content, wheels = os.urandom(300_000), {}
    for release, number in (("bookworm", 311), ("trixie", 313)):
        path = tmp_path / f"built-2-cp{number}-cp{number}-manylinux_2_28_aarch64.whl"
        path.write_bytes(content + str(number).encode())
        wheels[release] = [path]
    one = card_bundle.make_bundle(tmp_path / "one", small.key, {"trixie": wheels["trixie"]})
    assert 300_000 < card_bundle.make_bundle(tmp_path / "bundle", small.key, wheels) < one + 30_000
    with tarfile.open(tmp_path / "one") as tar:  # that of a card has one build only
        assert f"wheels/{wheels['trixie'][0].name}" in tar.getnames()


@pytest.mark.parametrize("name", ["../evil", "/evil", "wheels/trixie/../../../evil"])
def test_no_name_of_the_archive_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "to/systemd").mkdir(parents=True)
    shutil.copy(PROJECT / "systemd/unpack.py", tmp_path / "to/systemd")
    with tarfile.open(tmp_path / "to" / ARCHIVE, "w:xz") as tar:
        tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    done = unpack_program(tmp_path / "to", "trixie")
    assert done.returncode != 0
    assert "expected names below the folder" in done.stderr
    assert not (tmp_path / "evil").exists()
    with tarfile.open(tmp_path / "to" / ARCHIVE, "w:xz") as tar:
        link = tarfile.TarInfo("referee")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        tar.addfile(link)
    assert "expected only files, found 'referee'" in unpack_program(tmp_path / "to", "trixie").stderr


def test_wheels_of_earlier_locks_in_a_folder_that_is_kept_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    release = next(one for one in card_bundle.releases() if one.name == "trixie")
    (tmp_path / "trixie").mkdir()
    lock = (PROJECT / "systemd/locks/trixie.txt").read_text("utf-8")
    version = re.search(r"^itsdangerous==(\S+)", lock, re.MULTILINE)[1]
    for one in (version, "0.1"):
        (tmp_path / f"trixie/itsdangerous-{one}-py3-none-any.whl").touch()
    found = card_bundle.fetch_wheels(release, tmp_path)
    assert [path.name for path in found] == [f"itsdangerous-{version}-py3-none-any.whl"]


def test_the_same_files_make_the_same_bundle(small: Made, tmp_path: Path) -> None:
    wheels = {name: [small.folder / one for one in names] for name, names in WHEELS.items()}
    for name in ("one", "two"):
        card_bundle.make_bundle(tmp_path / name, small.key, wheels)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_signature_counts_only_by_a_known_key_and_for_updates(small: Made, tmp_path: Path) -> None:
    other = write_signers(make_key(tmp_path / "other"), tmp_path / "others")
    assert reason(small.path, other, tmp_path / "to") == "signature"
    assert reason(small.path, write_signers(small.key, tmp_path / "mail", "email"), tmp_path / "to") == "signature"
    assert reason(small.path, tmp_path / "nobody", tmp_path / "to") == "no_key"
    assert list((tmp_path / "to").iterdir()) == []


def test_nothing_of_a_changed_list_is_unpacked(small: Made, tmp_path: Path) -> None:
    longer = small.altered(tmp_path / "b", lambda name, data: data + b" " if name == MANIFEST else data)
    assert reason(longer, small.signers, tmp_path / "to") == "signature"
    assert list((tmp_path / "to").iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda name, data: data[:-1] + b"!" if name == ARCHIVE else data, id="another content"),
        pytest.param(lambda name, data: data + b"!" if name == ARCHIVE else data, id="a longer one"),
        pytest.param(lambda name, data: data[:-1] if name == ARCHIVE else data, id="a shorter one"),
        pytest.param(lambda name, data: None if name == ARCHIVE else data, id="one is missing"),
        pytest.param(lambda name, data: None if name == MANIFEST else data, id="no list"),
        pytest.param(lambda name, data: None if name == SIGNATURE else data, id="no signature"),
    ],
)
def test_a_damaged_bundle_is_refused(
    small: Made, tmp_path: Path, change: Callable[[str, bytes], bytes | None]
) -> None:
    assert reason(small.altered(tmp_path / "b", change), small.signers, tmp_path / "to") == "damaged"


def test_half_a_bundle_no_bundle_and_a_link_are_refused(small: Made, tmp_path: Path) -> None:
    data = small.path.read_bytes()
    inside = len(data.rstrip(b"\0")) - 1  # a tar file ends with zeros
    for number, part in enumerate((b"", b"x" * 5000, data[:600], data[: inside // 2], data[:inside])):
        (tmp_path / "part").write_bytes(part)
        assert reason(tmp_path / "part", small.signers, tmp_path / f"to{number}") == "damaged"
    (tmp_path / "link").symlink_to(small.path)
    assert reason(tmp_path / "link", small.signers, tmp_path / "to") == "damaged"
    assert reason(small.path, small.signers, tmp_path / "to", "bullseye") == "release"


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil", "."])
def test_no_name_leads_out_of_the_folder_even_if_it_is_signed(small: Made, tmp_path: Path, name: str) -> None:
    def change(member: str, data: bytes) -> bytes:
        if member != MANIFEST:
            return data
        found = json.loads(data)
        found["files"][name] = [0, ""]
        return json.dumps(found).encode()

    evil = small.altered(tmp_path / "b", change, sign=True)
    assert reason(evil, small.signers, tmp_path / "to") == "damaged"
    assert not (tmp_path / "evil").exists()


def test_a_full_card_is_told_before_anything_is_unpacked(
    small: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_module, "FOR_INSTALLING", 10**18)
    assert reason(small.path, small.signers, tmp_path / "to") == "no_room"
    assert list((tmp_path / "to").iterdir()) == []


def test_a_disk_that_is_full_in_the_middle_is_told(
    small: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(bundle_module, "write_member", full)
    assert reason(small.path, small.signers, tmp_path / "to") == "no_room"


def test_a_bundle_that_is_too_large_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = make_key(tmp_path / "key")
    monkeypatch.setattr(card_bundle, "fetch_wheels", lambda *_: [])
    assert card_bundle.main([str(tmp_path / "out"), "--key", str(key)]) == 0
    # Only a new card has what the Pi would have to build otherwise: for an update both would be too large.
    built = {f"wheels/referee-{__version__}-py3-none-any.whl", "share/referee.1",
             *(f"share/{name}" for name in COMPLETION.values())}  # fmt: skip
    for path, there in ((tmp_path / "out", False), (tmp_path / "card/trixie/referee-card/referee.bundle", True)):
        with tarfile.open(path) as tar:
            plain = {name for name in tar.getnames() if name.startswith(("wheels/", "share/"))}
            with tarfile.open(fileobj=tar.extractfile(ARCHIVE), mode="r:xz") as packed:
                names = plain | {name for name in packed.getnames() if name.startswith(("wheels/", "share/"))}
            assert names == (built if there else set())
            if there:
                wheel = io.BytesIO(tar.extractfile(min(name for name in plain if name.endswith(".whl"))).read())
                manifest = json.loads(tar.extractfile(MANIFEST).read())
                assert manifest["wheels"] == {"trixie": [f"wheels/referee-{__version__}-py3-none-any.whl"]}
    with zipfile.ZipFile(wheel) as file:
        found = file.namelist()
    assert {path.relative_to(PROJECT).with_suffix(".mo").as_posix() for path in written_catalogues()} <= set(found)
    assert not [name for name in found if name.startswith(("referee/models/", "referee/calibration/"))]
    monkeypatch.setattr(card_bundle, "MOST_BYTES", 1000)
    assert card_bundle.main([str(tmp_path / "out"), "--key", str(key)]) == 1
    assert "expected at most" in capsys.readouterr().err
    assert card_bundle.main([str(tmp_path / "out"), "--key", str(tmp_path / "none")]) == 1


def test_the_sizes_in_the_documentation_add_up_and_name_the_limit() -> None:
    text = (card_bundle.ROOT / "docs/card.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    begun = next(at for at, row in enumerate(rows) if row[0] == "in MB")
    *parts, whole = rows[begun + 2 : begun + 6]
    for column in (1, 2):
        assert round(sum(float(row[column]) for row in parts)) == int(whole[column])
    assert f"at most {card_bundle.MOST_BYTES // 10**6}" in whole[0]
    both = float(re.search(r"no packages: ([\d.]+) MB", text)[1])
    packages = sum(float(row[column]) for row in parts[1:] for column in (1, 2))
    assert f"it would have {both + packages:.0f} MB" in text
    assert both + packages < card_bundle.MOST_BYTES / 1e6
    assert len(re.findall(r"^\d+\. ", text, re.MULTILINE)) == 8
    assert "in eight steps" in text
