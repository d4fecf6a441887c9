"""The page of this machine beside the tables that are built one after the other.

`page` keeps it open, and `serving` is a table that the page starts.
"""

from referee.cli.page.lan_address import here, on_lan
from referee.cli.page.page import Page, tell_where

__all__ = ["Page", "here", "on_lan", "tell_where"]
