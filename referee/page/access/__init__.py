"""Who may see and do what: host names and origins, sizes and rates, the PIN and what it allows.

Every request is checked in this order: the number of connections, the rate of its address, the host name, the session
and what it may do, and the size of the body. Each check refuses with its own status and one plain sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from referee.game.notice import Notice
from referee.page.access.authorization import API_ENTER, API_ME, ENTER, Authorization
from referee.page.access.limits import Bodies, Rates
from referee.page.access.opener import OpenerPolicy
from referee.page.access.policy import PIN, Hosts, Limits, Policy, Rate, is_local
from referee.page.access.secret import Secret, Sessions
from referee.page.access.sign_in import SignIn, Tries

__all__ = ["Access", "Limits", "Policy", "Rate", "is_local"]

Tell = Callable[[Notice], None]


class Access:
    """The rules of access to one page, and its PIN."""

    def __init__(
        self,
        policy: Policy,
        folder: Path | None = None,
        sentences: str = "access",
        for_readers: tuple[str, ...] = (),
        for_all: tuple[str, ...] = (),
    ) -> None:
        """`folder` is where the PIN is saved. None: the PIN is valid until the program ends.

        `sentences` begins the keys of the notices about where to find the PIN: "access" for a table, "hall" in a hall.
        `for_readers` are paths to which everybody may post who may see the page, because that changes nothing.
        `for_all` are beginnings of paths that need no PIN, even where reading needs it.
        """
        self._sentences, self._for_readers = sentences, frozenset(for_readers)
        self._for_all = for_all
        self._given = policy
        self._forwarded = False
        self._tells: Tell | None = None
        self._secret = Secret(folder)
        self._sessions = Sessions(self._secret)
        self.tries = Tries()
        """The wrong PINs that were entered so far."""
        self._sign_in = sign_in = SignIn(self._secret, self._sessions, self.tries, sentences)
        self.routes = [
            Route(ENTER, sign_in.page),
            Route(API_ENTER, sign_in.enter, methods=["POST"]),
            Route(API_ME, sign_in.me),
        ]

    @property
    def policy(self) -> Policy:
        """What requires the PIN now: what the settings say, or more if somebody has set the PIN on the page."""
        given = self._given
        return replace(given, writing=PIN) if self._secret.asks and given.writing != PIN else given

    @property
    def is_open(self) -> bool:
        """Whether the settings let everybody in the network change everything: then the PIN may be set on the page."""
        return not self._given.local and self._given.writing != PIN

    @property
    def asks_by_choice(self) -> bool:
        """Whether the PIN is required only because somebody has set it on the page."""
        return self._secret.asks

    def set_pin(self, pin: str, answer: Response) -> None:
        """Ask for this PIN from now on; the browser that gets the answer needs not enter it."""
        self._secret.choose(pin)
        self.tries.forget()
        self._sign_in.begin(answer)
        if self._tells is not None:
            self._tells(Notice("access.pin_is", pin=pin))

    def stop_asking(self) -> None:
        """No longer ask for the PIN that was set on the page."""
        self._secret.stop_asking()
        self.tries.forget()

    def middleware(self) -> list[Middleware]:
        """Return the middleware that checks every request, in order."""
        limits = self.policy.limits
        return [
            Middleware(OpenerPolicy),
            Middleware(Rates, limits=limits),
            Middleware(Hosts, hosts=self.policy.hosts),
            Middleware(
                Authorization,
                policy=lambda: self.policy,
                sessions=self._sessions,
                forwarded=self._came_forwarded,
                sentences=self._sentences,
                for_readers=self._for_readers,
                for_all=self._for_all,
            ),
            Middleware(Bodies, limits=limits),
        ]

    @property
    def asks(self) -> bool:
        """Whether the PIN is ever required: from other machines of this network, or through another server."""
        return self.policy.asks or (self._forwarded and PIN in (self.policy.reading, self.policy.writing))

    def on_secret(self, tell: Tell) -> None:
        """Call `tell`, in the server's thread, with every notice that only people at the table may see."""
        self._tells = tell

    def _came_forwarded(self) -> None:
        """Note that a request came through another server; announce the PIN if nobody needed it before."""
        asked, self._forwarded = self.asks, True
        if self.asks and not asked and self._tells is not None:
            self._tells(Notice("access.through_a_server", pin=self._secret.pin))

    def pin(self) -> Notice | None:
        """Return the notice that tells people at the table the PIN; None if nobody needs it."""
        return Notice("access.pin_is", pin=self._secret.pin) if self.asks else None

    def on_display(self) -> Notice | None:
        """Return the PIN as a short notice, None if nobody needs it.

        Its last word may be lost: a display of four digits cannot show it.
        """
        return Notice("access.on_display", pin=self._secret.pin) if self.asks else None

    def new_pin(self) -> Notice | None:
        """Choose a new PIN, which ends all sessions, and return the notice for it; may be called in any thread."""
        if not self.asks:
            return None
        self._secret.renew()
        self.tries.forget()
        return Notice("access.new_pin", pin=self._secret.pin)

    def trouble(self) -> Notice | None:
        """Return why the PIN could not be saved; None if it was, or if nobody needs it."""
        reason = self._secret.trouble
        return None if reason is None or not self.asks else Notice("access.pin_not_kept", reason=reason)
