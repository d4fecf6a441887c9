"""A wheel carries the compiled sentences, the networks and the lenses' profiles along.

In a checkout the sentences are compiled where they stand, and the others stay where people look for them.

The same source gives the same wheel, byte by byte: neither times nor permissions of files get into it.
"""

import contextlib
import os
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))  # pip builds without the folder of this file among the places to import from

from tools.catalogues import LOCALE, compile_catalogues  # noqa: E402

SAME_TIME = "315532800"
"""1980-01-01 in seconds since 1970, the first moment that a wheel can name; the caller may choose another."""
os.environ.setdefault("SOURCE_DATE_EPOCH", SAME_TIME)
os.umask(0o022)

CARRIED = "models/*.onnx", "models/*.npz", "models/tiles.toml", "calibration/*.toml", "calibration/*.svg"


class Build(build_py):
    """Builds the packages, and lays what they read at run time beside them."""

    def run(self) -> None:
        """As its parent; an editable installation reads the checkout's own files."""
        if not self.editable_mode:
            # What an earlier build left there may have modules that the source no longer has.
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if self.editable_mode:
            compile_catalogues()
            return
        compile_catalogues(Path(self.build_lib) / LOCALE.relative_to(ROOT))
        # The installer of a Raspberry Pi builds without both folders: it puts their files into /opt/referee itself.
        if any((ROOT / pattern).parent.is_dir() for pattern in CARRIED):
            self._carry()
        for path in Path(self.build_lib).rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with contextlib.suppress(OSError):  # a source that belongs to somebody else
            (ROOT / "LICENSE").chmod(0o644)  # it is copied later, with its permissions

    def _carry(self) -> None:
        for pattern in CARRIED:
            found = sorted(ROOT.glob(pattern))
            if not found:
                raise FileNotFoundError(f"expected {pattern} to carry along, found none")
            for file in found:
                target = Path(self.build_lib) / "referee" / file.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


setup(cmdclass={"build_py": Build})
