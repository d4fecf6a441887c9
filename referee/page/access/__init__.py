"""Who may see and do what: names and origins, sizes and rates, the PIN and what it opens.

A request passes the connection's door, then how often its address may ask, the names of the page, whose it is and what
that one may do, and how large it is; each refuses with a status of its own and one plain sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.middleware import Middleware
from starlette.routing import Route

from referee.game.notice import Notice
from referee.page.access.authorization import API_ENTER, API_ME, ENTER, Authorization
from referee.page.access.limits import Bodies, Rates
from referee.page.access.policy import PIN, Hosts, Limits, Policy, Rate, is_local
from referee.page.access.secret import Secret, Sessions
from referee.page.access.sign_in import SignIn, Tries

__all__ = ["Access", "Limits", "Policy", "Rate", "is_local"]

Tell = Callable[[Notice], None]


class Access:
    """Who may do what at one page."""

    def __init__(self, policy: Policy, folder: Path | None = None, sentences: str = "access") -> None:
        """`folder` is where the PIN is kept; None: it holds until the program ends.

        `sentences` says which ones tell where the PIN stands: those of a table, or those of the `hall`.
        """
        self._sentences = sentences
        self.policy = policy
        self._forwarded = False
        self._tells: Tell | None = None
        self._secret = Secret(folder)
        self._sessions = Sessions(self._secret)
        self.tries = Tries()
        """The wrong PINs so far."""
        sign_in = SignIn(self._secret, self._sessions, self.tries, sentences)
        self.routes = [
            Route(ENTER, sign_in.page),
            Route(API_ENTER, sign_in.enter, methods=["POST"]),
            Route(API_ME, sign_in.me),
        ]

    def middleware(self) -> list[Middleware]:
        """What every request goes through."""
        limits = self.policy.limits
        return [
            Middleware(Rates, limits=limits),
            Middleware(Hosts, hosts=self.policy.hosts),
            Middleware(
                Authorization,
                policy=self.policy,
                sessions=self._sessions,
                forwarded=self._came_forwarded,
                sentences=self._sentences,
            ),
            Middleware(Bodies, limits=limits),
        ]

    @property
    def asks(self) -> bool:
        """Whether anybody is asked for the PIN: people of the house, or whoever comes through another server."""
        return self.policy.asks or (self._forwarded and PIN in (self.policy.reading, self.policy.writing))

    def on_secret(self, tell: Tell) -> None:
        """From now on this is told, in the server's thread, what only those at the table may know."""
        self._tells = tell

    def _came_forwarded(self) -> None:
        """Somebody came through another server, to a page for this machine alone; told the first time."""
        asked, self._forwarded = self.asks, True
        if self.asks and not asked and self._tells is not None:
            self._tells(Notice("access.through_a_server", pin=self._secret.pin))

    def pin(self) -> Notice | None:
        """What is told at the table; None where nobody is asked for a PIN."""
        return Notice("access.pin_is", pin=self._secret.pin) if self.asks else None

    def on_display(self) -> Notice | None:
        """The PIN, short; the word stands last, where a display of four digits shows nothing of it."""
        return Notice("access.on_display", pin=self._secret.pin) if self.asks else None

    def new_pin(self) -> Notice | None:
        """Another PIN, which ends all sessions; may be called in any thread."""
        if not self.asks:
            return None
        self._secret.renew()
        self.tries.forget()
        return Notice("access.new_pin", pin=self._secret.pin)

    def trouble(self) -> Notice | None:
        """Why the PIN holds only until the program ends."""
        reason = self._secret.trouble
        return None if reason is None or not self.asks else Notice("access.pin_not_kept", reason=reason)
