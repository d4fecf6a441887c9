"""An MQTT broker in the house or the club: a line to it in a thread of its own, and one that only records.

`mqtt` is not imported before somebody switches the club on: paho-mqtt belongs to the extra `club`.
"""

from referee.club.mqtt.line import Broker, BrokerConnection, Endpoint, Message

__all__ = ["Broker", "BrokerConnection", "Endpoint", "Message"]
