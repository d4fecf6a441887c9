"""QR codes: of the page's address, and of the house's network. Nothing is fetched for them."""

from __future__ import annotations

import io

import segno

from referee.i18n.wording import sendable

BORDER = 3
"""Modules of quiet around a code."""


def svg(text: str) -> bytes:
    """The code as an SVG picture, dark on white whatever the page's colours."""
    out = io.BytesIO()
    segno.make(sendable(text).decode(), error="m", micro=False).save(
        out, kind="svg", border=BORDER, dark="#000", light="#fff", xmldecl=False, omitsize=True
    )
    return out.getvalue()


def in_letters(text: str) -> str:
    """The code for a terminal, two modules a letter."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True, border=1)
    return out.getvalue()


def modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """The code as rows of modules, without a border, as small as it can be; none for no text."""
    if not text:
        return ()
    made = segno.make(text, error="l", micro=False, boost_error=False)
    return tuple(tuple(bool(one) for one in row) for row in made.matrix)


def wifi_text(name: str, password: str) -> str:
    """What phones understand as the way into a wireless network; empty without a name."""
    if not name:
        return ""
    kind = f"T:WPA;S:{_escape(name)};P:{_escape(password)};" if password else f"T:nopass;S:{_escape(name)};"
    return f"WIFI:{kind};"


def _escape(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)
