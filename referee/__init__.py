"""A referee for real tile Rummy on a real table.

`docs/architecture.md` walks through the rooms; `cli` is where the program begins.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
