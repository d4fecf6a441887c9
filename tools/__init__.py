"""Tools for developers; they are not installed."""
