"""Measurements on pictures and rules; `make bench` writes their table to models/METRICS.md."""
