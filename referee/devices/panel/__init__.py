"""The panel: buttons, lamps, buzzer and displays, on the pins of a Raspberry Pi or without hardware.

`debounce` turns the edges of a contact into presses.
"""

from referee.devices.panel.debounce import Down, Press, Told
from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.panel.panel import OnEdge, Panel, RecordingPanel

__all__ = ["Down", "Glow", "Lights", "OnEdge", "Panel", "Press", "RecordingPanel", "Told", "Tune"]
