"""Why there is no line, as notices."""

from __future__ import annotations

import ssl

from paho.mqtt.reasoncodes import ReasonCode

from referee.club.mqtt.line import Endpoint
from referee.game.notice import Notice

_PASSWORD = frozenset({134, 135, 140})
"""Bad user name or password, not authorized, bad authentication method."""
_OTHER_PROTOCOL = 132
_TAKEN_OVER = 142


class Failed(Exception):
    """There is no line, or none any more."""

    def __init__(self, told: Notice) -> None:
        super().__init__(str(told))
        self.told = told


def not_reached(endpoint: Endpoint, error: Exception) -> Notice:
    """Why nobody answered, or not as a broker should."""
    address, reason = endpoint.address, str(getattr(error, "strerror", None) or error)
    match error:
        case ssl.SSLCertVerificationError():
            told = Notice("club.wrong_certificate", address=address, reason=str(error.verify_message))
        case ConnectionResetError() if endpoint.tls:  # as brokers do that were expected to speak in the clear
            told = Notice("club.no_tls", address=address, reason=reason)
        case ssl.SSLError():
            told = Notice("club.no_tls", address=address, reason=str(error.reason or error))
        case FileNotFoundError() | PermissionError() if endpoint.ca is not None:
            told = Notice("club.no_ca", path=str(endpoint.ca), reason=reason)
        case TimeoutError():
            told = Notice("club.silent", address=address)
        case _:
            told = Notice("club.no_broker", address=address, reason=reason)
    return told


def let_in(endpoint: Endpoint, answer: ReasonCode) -> None:
    """Raise Failed unless the broker has let us in."""
    if not answer.is_failure:
        return
    if answer.value in _PASSWORD:
        raise Failed(Notice("club.wrong_password", address=endpoint.address, user=endpoint.user or "-"))
    if answer.value == _OTHER_PROTOCOL:
        raise Failed(Notice("club.old_broker", address=endpoint.address))
    raise Failed(Notice("club.refused", address=endpoint.address, reason=str(answer)))


def left_by_broker(endpoint: Endpoint, code: ReasonCode) -> Notice:
    """Why the broker has ended the line."""
    if code.value == _TAKEN_OVER:
        return Notice("club.taken_over", client=endpoint.client)
    if code.value in _PASSWORD:
        return Notice("club.wrong_password", address=endpoint.address, user=endpoint.user or "-")
    return connection_lost(endpoint)


def connection_lost(endpoint: Endpoint) -> Notice:
    """The line broke."""
    return Notice("club.lost", address=endpoint.address)
