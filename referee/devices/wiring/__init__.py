"""Which part is connected to which pin, and the resistors and currents that follow from it.

The page and the drawing of the wiring are made from the same pin map.
"""

from referee.devices.wiring.pins import EVERYONE, PAUSE, Duty, PinMap

__all__ = ["EVERYONE", "PAUSE", "Duty", "PinMap"]
