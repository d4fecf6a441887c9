"""The running referee: one loop that brings camera, panel, clock, rules and journal together."""
