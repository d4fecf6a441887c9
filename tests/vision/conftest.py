"""Examples are the same on every run, and a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("steady", settings.get_profile("unhurried"), derandomize=True)
settings.load_profile("steady")
