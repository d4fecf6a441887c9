"""Fifty times open, look, close."""

import sys
import time

from errand import PiCamera, PiSettings, held, tell

kept, counts = None, []
for _ in range(int(sys.argv[1])):
    camera = PiCamera(PiSettings(), kept)
    kept = camera.fixed or kept
    camera.frame(time.monotonic())
    camera.close()
    del camera
    counts.append(held())
tell(counts=counts)
