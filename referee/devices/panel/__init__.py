"""The panel: buttons, lamps, buzzer and displays, on the pins of a Raspberry Pi or recorded.

`debounce` turns the edges of a contact into presses.
"""
