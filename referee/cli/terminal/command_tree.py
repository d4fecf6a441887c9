"""All verbs with their options and help, as the command line itself has them: for completion and the manual."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its names, what its value is called (empty for a switch), and its help."""

    names: tuple[str, ...]
    value: str
    text: str
    several: bool


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument: what it is called, with `[...]` around one that may be left out, and its help."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with all that it takes."""

    name: str
    text: str
    arguments: tuple[Argument, ...]
    options: tuple[Option, ...]


def verbs_of(group: Any) -> Iterator[Verb]:
    """Yield every verb of the program; `group` is its command, of which this loads all verbs."""
    for name, command in group.commands.items():
        found = [one for one in command.params if not getattr(one, "hidden", False)]
        arguments = tuple(_argument(one) for one in found if one.param_type_name == "argument")
        options = tuple(_option(one) for one in found if one.param_type_name == "option")
        yield Verb(name, inspect.cleandoc(command.help or ""), arguments, options)


def _argument(parameter: Any) -> Argument:
    name = str(parameter.metavar or parameter.name.upper()).removesuffix("...")
    bare = name.strip("[]")
    several = "..." if parameter.nargs == -1 else ""
    return Argument(f"{bare}{several}" if parameter.required else f"[{bare}]{several}", _text(parameter))


def _option(parameter: Any) -> Option:
    value = "" if parameter.is_flag else str(parameter.metavar or "VALUE")
    return Option((*parameter.opts, *parameter.secondary_opts), value, _text(parameter), bool(parameter.multiple))


def _text(parameter: Any) -> str:
    return " ".join((parameter.help or "").split())
