"""A real Mosquitto with a configuration of its own, on a port that is free; and a proxy that can stop forwarding."""

import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import paho.mqtt.client as paho

PROGRAM = shutil.which("mosquitto") or next(
    (str(path) for path in [Path("/usr/sbin/mosquitto")] if path.exists()), None
)
MISSING = "no mosquitto on this machine"
PATIENCE_S = 30.0


WORKERS_PORTS = 1000
"""How many ports each process of a test run has for itself, from 20,000 on.

Linux gives outgoing connections ports from 32,768 on. So nobody takes a port between the moment at which a test chose
it and the moment at which its server listens there.
"""
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 12
_ports = itertools.cycle(range(20_000 + _worker * WORKERS_PORTS, 20_000 + (_worker + 1) * WORKERS_PORTS))


def free_port():
    for port in itertools.islice(_ports, WORKERS_PORTS):
        with socket.socket() as door, contextlib.suppress(OSError):
            door.bind(("127.0.0.1", port))
            return port
    raise AssertionError(f"none of {WORKERS_PORTS} ports is free")


def until(true, seconds=PATIENCE_S):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
        return True
    return False


class Mosquitto:
    """The program, which may be killed and come back on the same port."""

    def __init__(self, folder, *lines, anonymous=True):
        self.folder, self.port = Path(folder), free_port()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o777)
        self.config = self.folder / "mosquitto.conf"
        text = [f"listener {self.port} 127.0.0.1", f"allow_anonymous {str(anonymous).lower()}", "user root", *lines]
        self.config.write_text("\n".join(text) + "\n")
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(  # noqa: S603
            [PROGRAM, "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(lambda: answers(self.port) or self.process.poll() is not None)
        assert self.process.poll() is None, "mosquitto has ended"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """As at an ordinary shutdown: what is persistent is written."""
        self.process.terminate()
        self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def close(self):
        if self.process.poll() is None:
            self.thaw()
            self.kill()


class Reader:
    """Reads along, as a hall does: every message in the order in which it came."""

    def __init__(self, port, *topics, user="", password=""):
        self.messages, self._topics = [], topics
        self.ready = threading.Event()
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        if user:
            self.client.username_pw_set(user, password)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: [client.subscribe(topic, 1) for topic in topics]
        self.client.on_subscribe = lambda *_: self.ready.set()
        self.client.on_message = lambda _client, _data, message: self.messages.append(message)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self.ready.wait(PATIENCE_S)

    def under(self, ending):
        return [message.payload for message in list(self.messages) if message.topic.endswith(ending)]

    def publish(self, topic, payload, *, retain=False):
        self.client.publish(topic, payload, 1, retain).wait_for_publish(PATIENCE_S)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


class Proxy:
    """Forwards bytes to a port; may stop doing so without a word, or cut all lines."""

    def __init__(self, port, at=0):
        self._to = port
        self._door = socket.create_server(("127.0.0.1", at))
        self.port = self._door.getsockname()[1]
        self.flows = threading.Event()
        self.flows.set()
        self.slow_s = 0.0
        self._open = []
        self._over = False
        self._threads = []
        self._runs(self._serve)

    def _runs(self, what, *told):
        thread = threading.Thread(target=what, args=told, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self):
        while not self._over:
            with contextlib.suppress(OSError):
                ours, _ = self._door.accept()
                self._open.append(ours)
                theirs = socket.create_connection(("127.0.0.1", self._to))
                self._open.append(theirs)
                for pair in ((ours, theirs), (theirs, ours)):
                    self._runs(self._forward, *pair)

    def _forward(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                self.flows.wait()
                time.sleep(self.slow_s)
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        """All lines break."""
        for line in self._open:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self):
        self._over = True
        self.flows.set()
        self.cut()
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE_S)
        for line in (*self._open, self._door):
            line.close()
