"""Settings: one file `referee.toml`, every key optional, that environment and flags override.

`settings` is what the program is told by them; where the file lies and what a value may be stands beside it.
"""

from referee.settings.settings import Settings, load

__all__ = ["Settings", "load"]
