"""Which modules of its packages Debian compiles beside the referee, as its own py3compile reads our list."""

import importlib.util
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).parent.parent
LIST = PROJECT / "systemd" / "referee.bcep"
PY3COMPILE, PARTS = Path("/usr/bin/py3compile"), Path("/usr/share/python3")
PACKAGES = "/usr/lib/python3/dist-packages"
LOADED = ("numpy/__init__.py", "numpy/testing/__init__.py", "numpy/_typing/__init__.py", "numpy/_pytesttester.py",
          "scipy/optimize/__init__.py", "numpyro/tests/part.py", "attests/part.py")  # fmt: skip
LEFT = ("numpy/tests/test_ctypeslib.py", "numpy/_core/tests/test_dtype.py", "numpy/f2py/crackfortran.py",
        "numpy/distutils/core.py", "scipy/optimize/tests/test_linprog.py")  # fmt: skip


@pytest.fixture
def py3compile(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Debian's program as a module."""
    if not PY3COMPILE.exists() or not (PARTS / "debpython").is_dir():
        pytest.skip(f"{PY3COMPILE} is not installed: no Debian with its Python")
    monkeypatch.syspath_prepend(str(PARTS))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("py3compile", str(PY3COMPILE))
    spec = importlib.util.spec_from_loader("py3compile", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def compiled(py3compile: ModuleType, folder: Path) -> list[str]:
    patterns = [found[:4] for found in py3compile.get_exclude_patterns_from_dir(f"{folder}/")]
    versions = {version for _, known, _, _ in patterns for version in known}
    files = [f"{PACKAGES}/{name}" for name in (*LOADED, *LEFT)]
    return [path.removeprefix(f"{PACKAGES}/") for path, _ in py3compile.filter_files(files, patterns, versions)]


def test_debian_compiles_all_but_what_is_never_loaded(py3compile: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "referee").write_bytes(LIST.read_bytes())
    assert compiled(py3compile, tmp_path) == list(LOADED)


def test_half_a_list_that_a_power_cut_left_is_not_read(py3compile: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "referee").write_bytes(LIST.read_bytes())
    (tmp_path / ".referee.new").write_text("re|-|/usr")
    assert compiled(py3compile, tmp_path) == list(LOADED)


def test_the_libraries_load_nothing_of_what_is_not_compiled() -> None:
    files = "*(getattr(one, '__file__', '') for one in sys.modules.values())"
    program = f"import sys, cv2, onnxruntime\nprint({files}, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    numpy = [path for path in done.stdout.splitlines() if "/numpy/" in path]
    assert len(numpy) > 20
    assert [path for path in numpy if {"tests", "f2py", "distutils", "_pyinstaller"} & set(path.split("/"))] == []
