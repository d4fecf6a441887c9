"""Settings to parts: which reader, which camera, which lens, which box, which match.

Whole programs and verbs take their parts from here, and tests take others. `from_settings` is where to begin; each
module is imported by itself, for `readers` brings the networks.
"""
