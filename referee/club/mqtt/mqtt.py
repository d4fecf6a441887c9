"""A connection to an MQTT broker, kept up in a thread of its own, and notices that say why there is none.

1. Only this thread waits for the broker: `wake` just writes a byte into a pair of sockets.
2. Every connection is a new client with a clean session. paho-mqtt would keep unconfirmed messages in memory, and drop
   the newest if there are too many. The talker has all of them on disk instead, and sends them again.
3. If the broker is silent, refuses us or cannot be reached, the talker gets a notice, and another attempt follows. The
   waits between attempts grow, and are random to a degree (`Backoff`).

MQTT 5 is used because earlier versions do not say which message a broker refuses, or that another client has our id.
"""

from __future__ import annotations

import errno
import os
import random
import selectors
import socket
import ssl
import stat
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from referee.club.mqtt.line import PATIENCE, Backoff, Endpoint, Message, Patience, Talker
from referee.game.notice import Notice

_PASSWORD = frozenset({134, 135, 140})
"""Reason codes of MQTT 5.0: bad user name or password, not authorized, bad authentication method."""
_OTHER_PROTOCOL = 132
"""Unsupported protocol version (MQTT 5.0, 2.4)."""
_TAKEN_OVER = 142
"""Session taken over: another client has connected with our id (MQTT 5.0, 2.4)."""

GOODBYE_S = 2.0
"""The longest time that closing waits for the last messages to be sent, in seconds. Chosen by hand."""
PROBED = Patience(connect_s=5.0)
"""For checks, whose result somebody is waiting for."""
TLS_S = 3.0
"""The longest time, in seconds, to ask a broker that does not answer whether it expects an encrypted connection."""
LARGEST = 65_536
"""The largest message that the client accepts, in bytes; the broker is told when connecting. Equal to `LONGEST` of
`protocol/coding.py`."""
_DOWN = (paho.MQTTErrorCode.MQTT_ERR_NO_CONN, paho.MQTTErrorCode.MQTT_ERR_CONN_LOST)


class Failed(Exception):
    """The connection could not be made, or was lost; `told` says why."""

    def __init__(self, told: Notice) -> None:
        super().__init__(str(told))
        self.told = told


def not_reached(endpoint: Endpoint, error: Exception) -> Notice:
    """Return the notice for an error while connecting."""
    address, reason = endpoint.address, str(getattr(error, "strerror", None) or error)
    match error:
        case ssl.SSLCertVerificationError():
            told = Notice("club.wrong_certificate", address=address, reason=str(error.verify_message))
        case ConnectionResetError() if endpoint.tls:  # what a broker without TLS does
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
    """Raise Failed unless the broker has accepted our login."""
    if not answer.is_failure:
        return
    if answer.value in _PASSWORD:
        raise Failed(Notice("club.wrong_password", address=endpoint.address, user=endpoint.user or "-"))
    if answer.value == _OTHER_PROTOCOL:
        raise Failed(Notice("club.old_broker", address=endpoint.address))
    raise Failed(Notice("club.refused", address=endpoint.address, reason=str(answer)))


def left_by_broker(endpoint: Endpoint, code: ReasonCode) -> Notice:
    """Return the notice that says why the broker has closed the connection."""
    if code.value == _TAKEN_OVER:
        return Notice("club.taken_over", client=endpoint.client)
    if code.value in _PASSWORD:
        return Notice("club.wrong_password", address=endpoint.address, user=endpoint.user or "-")
    return connection_lost(endpoint)


def connection_lost(endpoint: Endpoint) -> Notice:
    """Return the notice that says that the connection was lost."""
    return Notice("club.lost", address=endpoint.address)


class MqttBroker:
    """Keeps up a connection to one broker. `will` is the message that the broker sends if our connection breaks."""

    def __init__(
        self,
        endpoint: Endpoint,
        will: Message | None,
        patience: Patience = PATIENCE,
        chance: Callable[[], float] = random.random,
        largest: int = LARGEST,
    ) -> None:
        """Prepare the connection; the broker is told to send no message larger than `largest` bytes."""
        self._endpoint, self._will, self._patience, self._largest = endpoint, will, patience, largest
        self._backoff = Backoff(patience, chance)
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, talker: Talker) -> None:
        """Start the thread that connects, and connects again whenever the connection is lost; returns at once."""
        self._thread = threading.Thread(target=self._work, args=(talker,), name="broker", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Have the talker's `step` called soon; may be called in any thread, and returns at once."""
        with suppress(OSError):  # if the socket is full, the thread wakes up anyway
            self._theirs.send(b"!")

    def close(self) -> None:
        """Disconnect; waits at most `GOODBYE_S` seconds for the thread."""
        self._over.set()
        self.wake()
        if self._thread is None:
            self._close_pair()
        else:  # it closes them, perhaps later: to connect to a broker that is silent takes longer than we wait
            self._thread.join(GOODBYE_S)

    def _work(self, talker: Talker) -> None:
        try:
            self._keep_up(talker)
        finally:
            self._close_pair()

    def _close_pair(self) -> None:
        self._ours.close()
        self._theirs.close()

    def _keep_up(self, talker: Talker) -> None:
        while not self._over.is_set():
            held = 0.0
            session = _Session(self._endpoint, self._will, self._patience, talker, self._ours, self._largest)
            try:
                session.connect()
                begun = time.monotonic()
                try:
                    session.run(talker, self._over)
                finally:
                    held = time.monotonic() - begun
            except Failed as error:
                _tell_closed(talker, error.told)
            except Exception as error:  # noqa: BLE001 - the match goes on whatever fails here
                traceback.print_exception(error)
                _tell_closed(talker, Notice("club.failed", error=f"{type(error).__name__}: {error}"))
            finally:
                session.end()
            self._rest(self._backoff.next(held))

    def _rest(self, seconds: float) -> None:
        self._over.wait(seconds)
        with suppress(OSError):
            while self._ours.recv(4096):
                pass


def _tell_closed(talker: Talker, why: Notice) -> None:
    """Report to the talker why the connection is down; an error in the talker does not stop further attempts."""
    try:
        talker.on_disconnect(why)
    except Exception as error:  # noqa: BLE001 - as above
        traceback.print_exception(error)


def probe(endpoint: Endpoint, patience: Patience = PROBED) -> Notice | None:
    """Connect to a broker and disconnect at once; return None, or why that failed."""
    session = _Session(endpoint, None, patience, None, None, LARGEST)
    try:
        session.connect()
        session.leave()
    except Failed as error:
        return error.told
    finally:
        session.end()
    return None


def _wait_for_end(connection: socket.socket, end: float) -> None:
    """Read what still comes until the broker closes the connection, or until `end` of `time.monotonic`; then close it.

    Closing a socket with unread data resets the connection. The broker could then lose our disconnect message, and
    send our will.
    """
    with connection, suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        while (left := end - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(65_536):
                return


class _Session:
    """One connection to the broker, from logging in to closing."""

    def __init__(
        self,
        endpoint: Endpoint,
        will: Message | None,
        patience: Patience,
        talker: Talker | None,
        waker: socket.socket | None,
        largest: int,
    ) -> None:
        self._endpoint, self._patience, self._talker, self._waker = endpoint, patience, talker, waker
        self._largest = largest
        self._answered: ReasonCode | None = None
        self._left: Notice | None = None
        self._news: list[Callable[[Talker], None]] = []
        self._client = client = paho.Client(
            paho.CallbackAPIVersion.VERSION2, client_id=endpoint.client, protocol=paho.MQTTv5
        )
        client.connect_timeout = patience.connect_s
        if will is not None:
            client.will_set(will.topic, will.payload, will.qos, will.retain)
        if endpoint.user:
            client.username_pw_set(endpoint.user, endpoint.password)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_message = self._on_message

    # Callbacks of the client, which run within a call of it: they only note what happened

    def _on_connect(self, _client: Any, _data: Any, _flags: Any, code: ReasonCode, _properties: Any) -> None:
        self._answered = code

    def _on_disconnect(self, _client: Any, _data: Any, flags: Any, code: ReasonCode, _properties: Any) -> None:
        if flags.is_disconnect_packet_from_server:
            self._left = left_by_broker(self._endpoint, code)

    def _on_publish(self, _client: Any, _data: Any, number: int, code: ReasonCode, _properties: Any) -> None:
        refused = str(code) if code.is_failure else None
        self._news.append(lambda talker: talker.on_confirmed(number, refused))

    def _on_message(self, _client: Any, _data: Any, message: paho.MQTTMessage) -> None:
        with suppress(UnicodeDecodeError):
            topic, payload, retained = message.topic, bytes(message.payload), bool(message.retain)
            self._news.append(lambda talker: talker.on_message(topic, payload, retained=retained))

    # BrokerConnection

    def publish(self, message: Message) -> int:
        """Hand a message to paho, and return the number by which it will be confirmed."""
        return int(self._client.publish(message.topic, message.payload, message.qos, message.retain).mid)

    def subscribe(self, topic: str) -> None:
        """Subscribe to a topic with quality of service 1."""
        self._client.subscribe(topic, 1)

    # From logging in to closing

    def connect(self) -> None:
        """Connect and log in; raises Failed, which says why that failed."""
        endpoint, limits = self._endpoint, Properties(PacketTypes.CONNECT)
        limits.MaximumPacketSize = self._largest
        try:
            if endpoint.tls:
                self._client.tls_set_context(trusting_context(endpoint))
            self._client.connect(
                endpoint.host, endpoint.port, self._patience.keepalive_s, clean_start=True, properties=limits
            )
        except (OSError, ValueError) as error:
            raise Failed(not_reached(endpoint, error)) from error
        silent = Failed(Notice("club.silent", address=endpoint.address))
        begun = time.monotonic()
        try:
            while self._answered is None:
                if time.monotonic() - begun > self._patience.connect_s:
                    raise silent
                self._wait(0.2)
        except Failed:
            if self._left is None and time.monotonic() - begun >= self._patience.keepalive_s:
                raise silent from None
            if (
                self._answered is None
                and not endpoint.tls
                and speaks_tls(endpoint, min(TLS_S, self._patience.connect_s))
            ):
                raise Failed(Notice("club.expects_tls", address=endpoint.address)) from None
            raise
        finally:  # after a refusal the connection is down, too; the reason of the refusal says more
            if self._answered is not None:
                let_in(endpoint, self._answered)

    def run(self, talker: Talker, over: threading.Event) -> None:
        """Send and receive until `over` is set; raises Failed if the connection is lost."""
        talker.on_connect(self)
        while not over.is_set():
            self._tell()
            self._wait(talker.step(self))
        self._tell()
        talker.before_disconnect(self)
        self.leave()

    def leave(self) -> None:
        """Disconnect properly, so that the broker does not send our will."""
        end = time.monotonic() + GOODBYE_S / 2
        found = self._client.socket()
        second = None if found is None else socket.socket(fileno=os.dup(found.fileno()))
        self._client.disconnect()
        with suppress(Failed):
            while self._client.want_write() and time.monotonic() < end:
                self._wait(0.1)
        if second is not None:
            _wait_for_end(second, end)

    def end(self) -> None:
        """Close the socket."""
        found = self._client.socket()
        if found is not None:
            with suppress(OSError):
                found.close()

    def _tell(self) -> None:
        """Pass on to the talker what the callbacks have noted."""
        news, self._news = self._news, []
        if self._talker is not None:
            for tell in news:
                tell(self._talker)

    def _wait(self, seconds: float) -> None:
        """Wait for the broker, a call of `wake`, or at most `seconds`; raises Failed if the connection is lost."""
        found = self._client.socket()
        if found is None:
            raise Failed(self._left or connection_lost(self._endpoint))
        pending = found.pending() if isinstance(found, ssl.SSLSocket) else 0
        readable, writable = bool(pending), self._client.want_write()
        if not readable and not self._news:
            with selectors.DefaultSelector() as selector:
                selector.register(found, selectors.EVENT_READ | (selectors.EVENT_WRITE if writable else 0))
                if self._waker is not None:
                    selector.register(self._waker, selectors.EVENT_READ)
                ready = selector.select(max(0.0, min(seconds, 1.0)))
            readable = any(key.fileobj is found and events & selectors.EVENT_READ for key, events in ready)
            if self._waker is not None and any(key.fileobj is self._waker for key, _ in ready):
                time.sleep(self._patience.soon_s)
                with suppress(OSError):
                    self._waker.recv(4096)
        results = [self._client.loop_read()] if readable else []
        if self._client.want_write():
            results.append(self._client.loop_write())
        results.append(self._client.loop_misc())
        if any(result in _DOWN for result in results) or self._client.socket() is None:
            self._tell()
            raise Failed(self._left or connection_lost(self._endpoint))


class _ClosedOnFailure(ssl.SSLSocket):
    """A TLS socket that is closed if its handshake fails; paho-mqtt would leave it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:  # whatever the handshake raises, the socket is closed
            self.close()
            raise


def trusting_context(endpoint: Endpoint) -> ssl.SSLContext:
    """Return a TLS context that trusts the system's authorities, or only the one in the settings. Raises OSError."""
    # If the path is a pipe or a device, OpenSSL might read from it for ever.
    if endpoint.ca is not None and not stat.S_ISREG(endpoint.ca.stat().st_mode):
        raise PermissionError(errno.EACCES, "it is no regular file", str(endpoint.ca))
    context = ssl.create_default_context(cafile=None if endpoint.ca is None else str(endpoint.ca))
    context.sslsocket_class = _ClosedOnFailure
    return context


def speaks_tls(endpoint: Endpoint, timeout_s: float) -> bool:
    """Return whether a server at this endpoint answers a TLS handshake.

    Nothing else is sent to it, so its certificate need not be checked.
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
