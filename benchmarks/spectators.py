"""Screens that follow a page, in a process of their own: `python -m benchmarks.spectators PORT SCREENS SECONDS`.

It prints a line for every announcement that a screen receives: its number, and the time of the monotonic clock, which
all processes of a machine share. With `come-and-go`, SCREENS screens are opened and closed again in groups, which
takes LONG_S, and this is repeated; at the end it prints what became of them.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter

AT_ONCE, LONG_S = 50, 40.0


async def _follow(port: int, heard: list[tuple[int, float]]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    writer.write(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await writer.drain()
    while line := await reader.readline():
        if line.startswith(b"data: {"):
            at = time.monotonic()
            said = json.loads(line[6:])["parts"].get("said", ())
            heard += [(one["n"], at) for one in said[-1:]]


async def _visit(port: int, fates: Counter[str]) -> None:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        writer.write(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await writer.drain()
        status = (await asyncio.wait_for(reader.readline(), 20)).split()
        fates[status[1].decode() if len(status) > 1 else "closed"] += 1
        await asyncio.sleep(0.2)
        writer.close()
    except (OSError, TimeoutError) as error:
        fates[type(error).__name__] += 1


async def _run(port: int, screens: int, seconds: float, *, come_and_go: bool) -> None:
    if not come_and_go:
        heard: list[tuple[int, float]] = []
        following = [asyncio.ensure_future(_follow(port, heard)) for _ in range(screens)]
        await asyncio.wait(following, timeout=seconds)
        for number, at in heard:
            print(number, f"{at:.6f}")
        return
    fates: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.gather(asyncio.sleep(LONG_S * AT_ONCE / screens), *(_visit(port, fates) for _ in range(AT_ONCE)))
    print(json.dumps(fates))


if __name__ == "__main__":
    asyncio.run(_run(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), come_and_go="come-and-go" in sys.argv))
