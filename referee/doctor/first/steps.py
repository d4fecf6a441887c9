"""The nine checks in their order. A check with several parts has a step for each, which can be made alone."""

from __future__ import annotations

from referee.doctor.first import played, seen, standing
from referee.doctor.first.bench import Bench
from referee.doctor.first.session import Step

STEPS = (
    Step(1, "install", "what was installed, and what systemd says of it", standing.install),
    Step(
        2, "power-on", "the start over a bare table without light, then with the lamp", seen.power_on,
        "Lay a dark cloth and nothing else, switch all lamps off, pull the plug and put it in again, stop the service "
        "after two minutes, and begin here again.", Bench.require_camera,
    ),
    Step(
        3, "ribbon", "a ribbon that comes out while pictures come", seen.ribbon,
        "Get ready to pull the ribbon out of the camera; that can harm a camera, rarely: skip it if it must not.",
        Bench.require_camera,
    ),
    Step(4, "reading", "how fast a full table is read, by threads", played.reading),
    Step(
        4, "pressing", "from a press to its lamp", played.measure_presses,
        "Sit down at the buttons; lay the markers and as many tiles as you like.", Bench.pin_map,
    ),
    Step(
        4, "heat", "heat while an evening's looks go on for three hours", played.measure_heat,
        "Put the Pi where it will be on game nights, and leave it alone for three hours; Ctrl-C keeps what was "
        "measured until then.",
    ),
    Step(
        5, "focus", "focus at the four corners", seen.corners,
        "Lay the four markers at the corners, and switch the evening's lamps on.", Bench.require_camera,
    ),
    Step(
        6, "edges", "edges on the pins while bar and buzzer run", played.edges,
        "Use the 2 m ribbon, and keep all hands off the buttons for two minutes.", Bench.pin_map,
    ),
    Step(7, "reopening", "fifty openings of the camera", seen.check_reopening),
    Step(
        8, "memory", "the memory of the running referee", standing.memory,
        "Start the service (sudo systemctl start referee), and play a few turns or wait five minutes.",
        Bench.check_service,
    ),
    Step(8, "idle", "the load of the running referee while it watches", standing.idle,
         "Leave the service running and the table alone for a minute.", Bench.check_service),
    Step(8, "disk", "how long the card keeps writes waiting", standing.disk),
    Step(
        9, "colours", "red and orange in the evening's light", seen.colours,
        "Stop the service, switch on only the warm LED lamps, and lay all red and all orange tiles face up.",
        Bench.require_camera,
    ),
)  # fmt: skip
"""All steps. The number of a step is that of its check."""
