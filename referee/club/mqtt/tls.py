"""Encrypted connections to a broker: whom we trust, and whether a broker wants one."""

from __future__ import annotations

import errno
import socket
import ssl
import stat

from referee.club.mqtt.line import Endpoint


class _ClosedOnFailure(ssl.SSLSocket):
    """A socket that is closed where its handshake fails; paho-mqtt would leave it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def trusting_context(endpoint: Endpoint) -> ssl.SSLContext:
    """Return whom we trust: the system's authorities, or the one of the settings alone. Raises OSError."""
    # OpenSSL would wait for whoever writes into a pipe, and read a device for ever.
    if endpoint.ca is not None and not stat.S_ISREG(endpoint.ca.stat().st_mode):
        raise PermissionError(errno.EACCES, "it is no regular file", str(endpoint.ca))
    context = ssl.create_default_context(cafile=None if endpoint.ca is None else str(endpoint.ca))
    context.sslsocket_class = _ClosedOnFailure
    return context


def speaks_tls(endpoint: Endpoint, timeout_s: float) -> bool:
    """Return whether something at this endpoint answers a TLS handshake; nothing else is sent there.

    Nobody is trusted by that, so the certificate is not checked.
    """
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            socket.create_connection((endpoint.host, endpoint.port), timeout_s) as plain,
            context.wrap_socket(plain, server_hostname=endpoint.host),
        ):
            return True
    except (OSError, ValueError):
        return False
