"""`referee play` on the real picamera2 and the real lgpio at once, and two people who lay tiles and press buttons."""

import ctypes
import os
import signal
import sys
import threading
import time

import cv2
from errand import sensor, tell
from real_picamera2 import show

LONGEST_S = 120.0
LAMPS = {17: "Anna", 27: "Ben", 23: "red", 24: "amber", 25: "green", 9: "draw"}
ANNA, BEN, START = 5, 6, 4
BUZZER = 18
header = ctypes.CDLL(None)
seen: list[str] = []


def lit():
    return {name for line, name in LAMPS.items() if header.fake_level(line)}


def press(line):
    header.fake_pull(line, 0)
    time.sleep(0.15)
    header.fake_pull(line, -1)


def lay(name):
    show(cv2.imread(f"/scenes/{name}.png"))
    time.sleep(2.0)  # people look at what they have laid


def until(what, true):
    """Wait until the lamps are so; whether they ever were."""
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end:
        if true(lit()):
            seen.append(what)
            return True
        time.sleep(0.02)
    seen.append(f"not {what}: {sorted(lit())}")
    return False


def turn(name, button, what, true):
    lay(name)
    press(button)
    return until(what, true)


def evening():
    until("ready", lambda on: on == {"green"})
    press(START)
    until("Anna's turn", lambda on: "Anna" in on)
    turn("opening", ANNA, "accepted", lambda on: {"green", "Ben"} <= on)
    turn("wrong", BEN, "refused", lambda on: {"red", "Ben"} <= on)
    turn("mended", BEN, "accepted", lambda on: {"green", "Anna"} <= on)
    lay("last")
    sensor.stuck.set()
    time.sleep(0.2)
    press(ANNA)
    until("told", lambda on: "red" in on)
    seen.append("Ben was passed on to" if "Ben" in lit() else "nothing accepted")
    sensor.stuck.clear()
    end = time.monotonic() + LONGEST_S
    while not {"Ben"} <= lit() and time.monotonic() < end:
        press(ANNA)
        pause = time.monotonic() + 10
        while "Ben" not in lit() and time.monotonic() < pause:
            time.sleep(0.05)
    until("accepted", lambda on: "Ben" in on)


def person():
    try:
        evening()
    finally:
        tell(seen=seen, writes={name: header.fake_writes(line) for line, name in (LAMPS | {BUZZER: "buzzer"}).items()})
        os.kill(os.getpid(), signal.SIGTERM)


from referee.cli.main import main  # noqa: E402 - the camera's parts come first

show(cv2.imread("/scenes/bare.png"))
threading.Thread(target=person, daemon=True).start()
code = main(["play", "--config", "/work/referee.toml"])
tell(seen=seen, code=code, dark=sorted(lit()))
sys.stdout.flush()
os._exit(0)
