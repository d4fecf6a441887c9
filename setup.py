"""A wheel carries the networks and the lenses' profiles along; in a checkout they stay where people look for them."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CARRIED = "models/*.onnx", "models/*.npz", "models/tiles.toml", "calibration/*.toml", "calibration/*.svg"


class WithModels(build_py):
    """Builds the packages, and lays what they read at run time beside them."""

    def run(self) -> None:
        """As its parent; an editable installation reads the checkout's own files."""
        super().run()
        if self.editable_mode:
            return
        for pattern in CARRIED:
            found = sorted(Path().glob(pattern))
            if not found:
                raise FileNotFoundError(f"expected {pattern} to carry along, found none")
            for file in found:
                target = Path(self.build_lib) / "referee" / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


setup(cmdclass={"build_py": WithModels})
