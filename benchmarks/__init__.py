"""Measurements of reading and judging; `make bench` writes their results to models/METRICS.md."""
