"""The connection to an MQTT broker, kept up in a thread of its own, and certificates for the broker.

`mqtt` is imported only if the club is switched on, because it needs paho-mqtt, which belongs to the extra `club`.
"""

from referee.club.mqtt.line import Broker, BrokerConnection, Endpoint, Message

__all__ = ["Broker", "BrokerConnection", "Endpoint", "Message"]
