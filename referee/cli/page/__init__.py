"""The page of this machine, which stays open while one table after another is built.

`page` keeps it open, and `serving` runs the tables beside it.
"""

from referee.cli.page.lan_address import here, on_lan
from referee.cli.page.page import Page, tell_where

__all__ = ["Page", "here", "on_lan", "tell_where"]
