"""Preparation before a match and between rounds: light and focus, the box, the lens, and what the reader learns.

No turn runs during it. `at_a_screen` and `enrolment` are where to begin. Import each part from its own module, so that
nothing else is loaded.
"""
