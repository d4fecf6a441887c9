"""The club: what the table tells over a broker, and what others may ask of it."""
