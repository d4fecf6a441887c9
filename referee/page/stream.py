"""The stream of server-sent events: one snapshot, then the changes, each with the number of the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from referee.game.notice import Notice
from referee.page.broadcast import Broadcast
from referee.page.wording import language_of, notice_response

ALIVE_S = 0.7
"""Seconds without a change after which an "alive" event is sent."""
SILENT_S = 3 * ALIVE_S
"""Seconds without any event after which a screen shows that it is connecting: one event may be late, not three."""
MOST = 200
MOST_EACH = 12
"""The most streams that are open at once (MOST) and for one address (MOST_EACH); further ones must try again later."""
RETRY_S = 10
"""Seconds after which a refused stream may try again. The limits here were chosen by hand."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
TOO_MANY = Notice("page.too_many_screens", seconds=RETRY_S)


class Streams:
    """All open streams."""

    def __init__(self, broadcast: Broadcast) -> None:
        self._broadcast = broadcast
        self.open: Counter[str] = Counter()

    async def answer(self, request: Request) -> Response:
        """Answer with a stream, or with 503 if too many are open."""
        address = request.client.host if request.client is not None else ""
        if self.open.total() >= MOST or self.open[address] >= MOST_EACH:
            return notice_response(request, TOO_MANY, 503, {"Retry-After": str(RETRY_S), "Connection": "close"})
        if request.method == "HEAD":
            return Response(media_type="text/event-stream", headers=HEADERS)
        self.open[address] += 1
        self._broadcast.catch_up()
        # A browser that reconnects sends the id of its last event by itself. If it takes over a stream, the address
        # has the id.
        seen = request.headers.get("last-event-id") or request.query_params.get("since", "")
        since = self._broadcast.last_seen_number(seen)
        return _Stream(self._events(since, language_of(request)), lambda: self._release(address))

    def _release(self, address: str) -> None:
        self.open[address] -= 1
        if not self.open[address]:
            del self.open[address]

    async def _events(self, since: int, language: str) -> AsyncIterator[str]:
        broadcast = self._broadcast
        yield "retry: 2000\n\n"  # not an "alive" event: the first of those follows the snapshot
        while not broadcast.over:
            if broadcast.number > since or not since:
                message = broadcast.message(since, language)
                since = broadcast.number
                yield message
            elif not await broadcast.news(since, ALIVE_S):
                yield broadcast.tick()


class _Stream(StreamingResponse):
    """A stream that calls `over` when it ends, even if the client had left before it began."""

    def __init__(self, events: AsyncIterator[str], over: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream", headers=HEADERS)
        self._release = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()
