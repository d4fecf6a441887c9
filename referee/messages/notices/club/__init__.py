"""What is told of the club: its broker, the hall, a smart home."""
