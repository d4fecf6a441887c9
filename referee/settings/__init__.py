"""Settings: one file `referee.toml` in which every key is optional; the environment and flags override it.

`settings` declares and loads them, `file` finds the file, and `values` checks and formats values.
"""

from referee.settings.settings import Settings, load

__all__ = ["Settings", "load"]
