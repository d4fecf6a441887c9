"""For all tests: however slow the machine is, none fails because of it; whatever its language, they speak English.

A runner may have started them in the background, where a shell has interrupts ignored. That is inherited by every
program that a test starts, and a test that interrupts one would wait for ever: so interrupts are listened to again.
"""

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

for variable in ("LC_ALL", "LC_MESSAGES"):
    os.environ.pop(variable, None)
os.environ["LANG"] = "C.UTF-8"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as nohup does; programs that tests start must hear it
    signal.signal(signal.SIGHUP, lambda *_: None)
