"""Writes the manual page `referee.1` from the help of the command line, and the scripts with which shells complete.

python -m tools.manual FILE [--completion]

With `--completion` the scripts are written beside FILE: all at once, as a Pi takes seconds to start the program.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import typer

from referee import __version__
from referee.cli.terminal.command_tree import Verb, verbs_of
from referee.cli.terminal.shells import SHELLS
from referee.cli.verbs.verbs import app

CODES = {
    0: "Done, or accepted.",
    1: "Refused, or something is wrong.",
    2: "Bad input, arguments or settings.",
    3: "Cannot be judged: a doubt, or a picture without a tile.",
    4: "No camera.",
}
FILES = {
    "referee.toml": "Settings, in the current folder.",
    "/etc/referee/referee.toml": "Settings of the service.",
    "~/.local/state/referee": "Journal, pictures and PIN, unless the settings name another folder.",
    "/var/lib/referee": "The same for the service.",
}
VARIABLES = {
    "REFEREE_CONFIG": "The settings file.",
    "REFEREE_STATE": "The folder of the journal.",
    "REFEREE_TABLE_KEY": "Any setting, such as REFEREE_CAMERA_KIND.",
    "NO_COLOR": "If it is set, nothing is coloured.",
}
COMPLETION = {"bash": "referee.bash", "zsh": "_referee", "fish": "referee.fish"}
"""The files of the scripts, by shell."""


def manual(environ: Mapping[str, str]) -> str:
    """Return the page in the man macros of roff. `SOURCE_DATE_EPOCH` is its date; without it, none is given."""
    group = typer.main.get_command(app)
    return "\n".join([*_head(environ), *_verbs(list(verbs_of(group))), *_tail(), ""])


def _head(environ: Mapping[str, str]) -> Iterator[str]:
    epoch = environ.get("SOURCE_DATE_EPOCH", "")
    date = f"{datetime.fromtimestamp(int(epoch), UTC):%Y-%m-%d}" if epoch.isdecimal() else ""
    yield f'.TH REFEREE 1 "{date}" "referee {__version__}" "User Commands"'
    yield from (".SH NAME", r"referee \- a referee for tile Rummy with real tiles on a real table")
    yield from (".SH SYNOPSIS", ".B referee", r"[\fB\-\-version\fR] [\fB\-\-help\fR] \fIVERB\fR [\fIARGUMENTS\fR]")
    yield from (".SH DESCRIPTION", _roff(str(typer.main.get_command(app).help)))


def _verbs(verbs: list[Verb]) -> Iterator[str]:
    yield ".SH VERBS"
    for verb in verbs:
        arguments = " ".join(rf"\fI{_roff(one.name)}\fR" for one in verb.arguments)
        options = r" [\fIOPTIONS\fR]" if verb.options else ""
        yield f".SS referee {verb.name} {arguments}{options}".replace("  ", " ")
        yield _roff(verb.text)
        for argument in verb.arguments:
            yield from (".TP", rf"\fI{_roff(argument.name)}\fR", _roff(argument.text))
        for option in verb.options:
            names = ", ".join(rf"\fB{_roff(name)}\fR" for name in option.names)
            yield from (".TP", names + (rf" \fI{_roff(option.value)}\fR" if option.value else ""), _roff(option.text))


def _tail() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for code, text in CODES.items():
        yield from (".TP", rf"\fB{code}\fR", _roff(text))
    for title, told in (("FILES", FILES), ("ENVIRONMENT", VARIABLES)):
        yield f".SH {title}"
        for name, text in told.items():
            yield from (".TP", rf"\fI{_roff(name)}\fR", _roff(text))


def _roff(text: str) -> str:
    """Return a text as roff shows it: a hyphen that can be copied, and no line that is a request."""
    shown = text.replace("\\", r"\e").replace("-", r"\-").replace("\n", "\n.br\n")
    return re.sub(r"^(['.])(?!br$)", r"\\&\1", shown, flags=re.MULTILINE)


def main(words: list[str]) -> int:
    """Write the page to the file that is named, or print it."""
    page = manual(os.environ)
    if not words:
        sys.stdout.write(page)
        return 0
    target = Path(words[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page, encoding="utf-8")
    if words[1:] == ["--completion"]:
        verbs = list(verbs_of(typer.main.get_command(app)))
        for shell, name in COMPLETION.items():
            target.with_name(name).write_text(SHELLS[shell](verbs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
