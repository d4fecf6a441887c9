"""Training: generated pictures, the networks, their calibration and export. Never imported at run time.

`main` does all of `referee train`. Import it from its own module: it needs torch, but the pictures do not.
"""
