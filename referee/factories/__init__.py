"""Settings to parts: which reader, which camera, which lens, which box, which match.

Whole programs and verbs take their parts from here, and tests take others.
"""
