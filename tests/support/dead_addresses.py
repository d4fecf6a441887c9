"""Addresses on this machine at which nobody answers: connections are refused, taken without a word, or dropped."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress


@contextmanager
def refusing() -> Iterator[int]:
    """A port that is bound, and at which nobody listens: each connection is refused."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        yield door.getsockname()[1]


@contextmanager
def silent() -> Iterator[int]:
    """A port at which each connection is taken and never answered."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as door:
        yield door.getsockname()[1]


@contextmanager
def dropping() -> Iterator[int]:
    """A port whose queue is full: Linux drops each further packet that asks for a connection."""
    with ExitStack() as stack:
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            with suppress(BlockingIOError):
                waiting.connect(door.getsockname())
        yield door.getsockname()[1]
