"""Which packages dpkg alone can install: everything that is not certain is left to apt."""

import shutil
import subprocess
import sys
from pathlib import Path

import fits
import pytest
from fits import fit, main, packages_in

pytestmark = pytest.mark.skipif(shutil.which("dpkg") is None, reason="dpkg is not installed")
INSTALLED = """Package: libc6
Version: 2.41-12
Provides: libc6-abi (= 2)

Package: python3
Version: 3.13.5-1
Description: a language
 of several lines
 .
 and an empty one

Package: old-camera
Version: 1.0-1

Package: viewer
Version: 1
Depends: old-camera (= 1.0-1)
Breaks: slow (<< 2)
"""


def package(text: str, name: str = "new", version: str = "1") -> str:
    return f"Package: {name}\nVersion: {version}\n{text}\n"


@pytest.mark.parametrize(
    ("new", "fits_in"),
    [
        pytest.param(package("Depends: libc6 (>= 2.38), python3:any (>= 3.13~)"), True, id="all is there"),
        pytest.param(package("Depends: libc6 (>= 2.42)"), False, id="older than wanted"),
        pytest.param(package("Depends: libc6 (<< 2.41-12)"), False, id="too new"),
        pytest.param(package("Depends: missing"), False, id="missing"),
        pytest.param(package("Depends: missing | python3"), True, id="an alternative"),
        pytest.param(package("Depends: libc6-abi (>= 1)"), True, id="provided in a version"),
        pytest.param(package("Depends: stands-in (>= 1)") + "\n" + package("Provides: stands-in", "other"), False,
                     id="provided without a version"),
        pytest.param(package("Depends: other (>= 2)") + "\n" + package("", "other", "2"), True, id="among them"),
        pytest.param(package("Depends: other (>= 3)") + "\n" + package("", "other", "2"), False, id="too old"),
        pytest.param(package("Pre-Depends: libc6"), True, id="there before"),
        pytest.param(package("Pre-Depends: other") + "\n" + package("", "other"), False, id="not there before"),
        pytest.param(package("Breaks: python3 (<< 3.14)"), False, id="breaks another"),
        pytest.param(package("Breaks: python3 (<< 3.13)"), True, id="breaks an older one"),
        pytest.param(package("Conflicts: video\nProvides: video"), True, id="only itself conflicts"),
        pytest.param(package("Conflicts: libc6-abi"), False, id="conflicts with what is provided"),
        pytest.param(package("", "slow", "1"), False, id="is broken by another"),
        pytest.param(package("", "slow", "2"), True, id="is not broken by another"),
        pytest.param(package("", "old-camera", "1.1-1"), False, id="another needs the old version"),
        pytest.param(package("", "old-camera", "1.0-1"), True, id="the same version"),
        pytest.param(package("Depends: libc6 (>= 2) [arm64]"), False, id="not understood"),
        pytest.param(package("Breaks: viewer (<< 2)", "a") + "\n" + package("", "viewer", "2"), False,
                     id="breaks what is replaced after it"),
        pytest.param(package("", "slow", "1") + "\n" + package("", "viewer", "2"), False,
                     id="is broken by what is replaced after it"),
        pytest.param(package("Breaks: viewer (<< 2)\nReplaces: viewer (<< 2)", "viewer", "3"), True,
                     id="only its own older version breaks"),
        pytest.param(package("", "new", "1") + "\n" + package("", "new", "2"), False, id="twice"),
        pytest.param(package("Architecture: all", "a") + "\n" + package("Architecture: arm64", "b"), True,
                     id="for one processor"),
        pytest.param(package("Architecture: armhf", "a") + "\n" + package("Architecture: arm64", "b"), False,
                     id="for two processors"),
    ],
)  # fmt: skip
def test_packages_fit_only_if_nothing_is_missing_or_broken(new: str, fits_in: bool) -> None:
    assert fit(packages_in(new), packages_in(INSTALLED)) is fits_in


def test_another_that_needs_what_was_replaced_must_still_have_it() -> None:
    installed = (
        INSTALLED + "\nPackage: user\nVersion: 1\nDepends: thing\n\nPackage: maker\nVersion: 1\nProvides: thing\n"
    )
    assert not fit(packages_in(package("", "maker", "2")), packages_in(installed))
    assert fit(packages_in(package("Provides: thing", "maker", "2")), packages_in(installed))


def test_only_what_is_wholly_installed_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status = tmp_path / "status"
    monkeypatch.setattr(fits, "STATUS", status)
    (tmp_path / "new/DEBIAN").mkdir(parents=True)
    control = package("Depends: libc6", "new") + "Architecture: all\nMaintainer: a <a@b>\nDescription: a\n"
    (tmp_path / "new/DEBIAN/control").write_text(control)
    subprocess.run(["dpkg-deb", "--build", tmp_path / "new"], check=True, capture_output=True)  # noqa: S603, S607
    file = str(tmp_path / "new.deb")
    for state, code in (("install ok installed", 0), ("install ok unpacked", 1), ("deinstall ok config-files", 1)):
        status.write_text(f"Package: libc6\nStatus: {state}\nVersion: 2\n")
        assert main([file]) == code, state
    settled = "Package: libc6\nStatus: install ok installed\nVersion: 2\n\n"
    for other, code in (
        ("Package: other\nStatus: install ok half-configured\nVersion: 1\n", 1),
        ("Package: other\nStatus: install reinstreq installed\nVersion: 1\n", 1),
        ("Package: other\nStatus: deinstall ok config-files\nVersion: 1\n", 0),
        ("Package: other\nStatus: hold ok installed\nVersion: 1\n", 0),
        ("Package: new\nStatus: hold ok installed\nVersion: 0\n", 1),
        ("Package: new\nStatus: install reinstreq half-installed\nVersion: 1\n", 0),
        ("Package: libc6\nStatus: install ok installed\nArchitecture: armhf\nVersion: 2\n", 1),
    ):
        status.write_text(settled + other)
        assert main([file]) == code, other
    status.write_text(settled)
    assert main([file]) == 0
    assert main([file, file]) == 1
    assert main([str(tmp_path / "none.deb")]) == 1
    status.unlink()
    assert main([file]) == 1


def test_it_agrees_with_dpkg_about_this_machine(tmp_path: Path) -> None:
    """All that is installed here fits beside itself, whatever its fields say."""
    status = tmp_path / "status"
    shutil.copy("/var/lib/dpkg/status", status)
    installed = [one for one in packages_in(status.read_text("utf-8")) if fits._is_installed(one)]
    native = [one for one in installed if one.name in ("bash", "dpkg", "python3", "coreutils")]
    assert native
    for one in native:
        assert fit([one], installed), one.name


def test_it_runs_by_its_path() -> None:
    done = subprocess.run([sys.executable, "-P", "-B", fits.__file__, "no.deb"], check=False)  # noqa: S603
    assert done.returncode == 1
