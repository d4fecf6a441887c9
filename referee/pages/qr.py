"""QR codes of the page's address and of the house's wireless network. They are made here, without the internet."""

from __future__ import annotations

import io

import segno

from referee.i18n.wording import sendable

BORDER = 3
"""Width of the white border around a code, in modules."""


def svg(text: str) -> bytes:
    """Return the code as an SVG picture, dark on white whatever the colours of the page."""
    out = io.BytesIO()
    segno.make(sendable(text).decode(), error="m", micro=False).save(
        out, kind="svg", border=BORDER, dark="#000", light="#fff", xmldecl=False, omitsize=True
    )
    return out.getvalue()


def in_letters(text: str) -> str:
    """Return the code for a terminal, with two modules in each letter."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True, border=1)
    return out.getvalue()


def modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """Return the code as rows of modules, without a border and as small as possible; empty for an empty text."""
    if not text:
        return ()
    made = segno.make(text, error="l", micro=False, boost_error=False)
    return tuple(tuple(bool(one) for one in row) for row in made.matrix)


def wifi_text(name: str, password: str) -> str:
    """Return the text that phones read as the login of a wireless network; empty if there is no name."""
    if not name:
        return ""
    kind = f"T:WPA;S:{_escape(name)};P:{_escape(password)};" if password else f"T:nopass;S:{_escape(name)};"
    return f"WIFI:{kind};"


def _escape(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)
