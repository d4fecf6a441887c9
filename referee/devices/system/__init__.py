"""What the machine itself can do, through the system's own services: power, date and time, Wi-Fi.

The services are asked over D-Bus (`bus`). What the user `referee` may ask for is in `systemd/referee.rules`.
"""
