"""Making parts from the settings: reader, camera, lens, box and match.

Programs and verbs get their parts from here; tests use others. Start reading at `from_settings`. Each module is
imported on its own, because `readers` loads the networks.
"""
