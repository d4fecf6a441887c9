"""Which part lies on which pin, and what that asks of resistors and currents.

The page and the drawing of the wiring are made from the same pin map.
"""

from referee.devices.wiring.pins import EVERYONE, PAUSE, Duty, PinMap

__all__ = ["EVERYONE", "PAUSE", "Duty", "PinMap"]
