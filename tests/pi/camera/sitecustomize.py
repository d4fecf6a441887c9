"""Loaded by every Python in the root: whoever imports picamera2 gets the real one with a Pi's sensor on top."""

import importlib.util
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec


class _First(MetaPathFinder):
    done = False

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        if name != "picamera2" or _First.done:
            return None
        _First.done = True
        import real_picamera2  # noqa: F401 - it imports the real one, and puts the rest on top

        return importlib.util.find_spec("picamera2")


sys.meta_path.insert(0, _First())
