"""Training: generated pictures, the networks, their calibration and export. Never imported at run time.

`main` is `referee train` from start to end. It is imported from its module: it needs torch, and the pictures do not.
"""
