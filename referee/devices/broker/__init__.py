"""An MQTT broker in the house or the club: a line to it in a thread of its own, and one that only records.

Nothing here is imported before somebody switches the club on: paho-mqtt belongs to the extra `club`.
"""
