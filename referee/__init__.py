"""A referee for real tile Rummy on a real table."""

__version__ = "0.1.0"
