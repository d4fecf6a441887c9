"""Every notice there is: its key, and the kinds of its fields.

A key's first part names its module and catalogue.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module

from referee.i18n.notices.kinds import Kind, NoticeType, form

__all__ = ["DOMAINS", "NOTICES", "Kind", "NoticeType", "form"]

_MODULES = {
    name.rpartition(".")[2]: name
    for _, name, folder in pkgutil.walk_packages(__path__, f"{__name__}.")
    if not folder and not name.endswith(".kinds")
}
DOMAINS = tuple(sorted(_MODULES))
"""A module of declarations and a catalogue in each language for every one."""

NOTICES: Mapping[str, NoticeType] = {
    key: made for domain in DOMAINS for key, made in import_module(_MODULES[domain]).NOTICES.items()
}
"""By key, such as ``judge.not_a_set``."""
