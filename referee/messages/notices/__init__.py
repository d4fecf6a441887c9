"""Every notice there is: its key, and the kinds of its fields. A key's first part names its catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from referee.messages.notices import gin, judge, match, start
from referee.messages.notices.kinds import Form, Kind, form

__all__ = ["NOTICES", "Form", "Kind", "form"]

_MODULES: tuple[ModuleType, ...] = (gin, judge, match, start)

NOTICES: Mapping[str, Form] = {key: made for module in _MODULES for key, made in module.NOTICES.items()}
"""By key, such as ``judge.not_a_set``."""
