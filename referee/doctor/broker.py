"""Whether the broker of the club lets the table in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.club.mqtt.line import Endpoint
from referee.doctor.finding import Finding, attention, ok, wrong
from referee.game.notice import Notice

Probe = Callable[[Endpoint], Notice | None]
"""Connects to a broker and disconnects again; returns what prevented it."""


def check_broker(endpoint: Endpoint, probe: Probe) -> Iterator[Finding]:
    """Check whether a connection can be made, under another client name so that a running referee stays connected."""
    found = probe(replace(endpoint, client=f"{endpoint.client}-doctor"))
    if found is not None:
        yield wrong("broker", found, Notice("club.see_to_broker"))
        return
    yield ok("broker", Notice("club.reached", address=endpoint.address))
    if endpoint.password and not endpoint.tls and endpoint.host not in ("localhost", "127.0.0.1", "::1"):
        yield attention("broker", Notice("club.password_readable"), Notice("club.use_tls"))
