"""For all tests: however slow the machine is, none fails because of it; whatever its language, they speak English.

A runner may have started them in the background, where a shell has interrupts ignored. That is inherited by every
program that a test starts, and a test that interrupts one would wait for ever: so interrupts are listened to again.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
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

SLOWEST_FILES = (
    "tests/cli/programs/test_virtual_people.py",
    "tests/benchmarks/test_soak.py",
    "tests/table/test_kill_every_step.py",
    "tests/test_install.py",
    "tests/benchmarks/test_fire.py",
    "tests/vision/test_real_model.py",
    "tests/table/test_kill_resume.py",
    "tests/journal/test_kill.py",
    "tests/benchmarks/test_made_boxes.py",
    "tests/benchmarks/test_evenings.py",
)
"""Files that take longest as a whole; `make test` prints the slowest tests, which is what chose these. Each is run by
one process, so a run that begins them last waits for them alone."""
QUIET_S = 30.0
"""After so long without a result it is said which tests still run."""


LOCALE = Path(__file__).parent.parent / "referee" / "i18n" / "locale"


def check_sentences(locale: Path) -> None:
    """Raises UsageError where a catalogue is not compiled: hundreds of tests would fail, and none would say why."""
    missing = [path for path in sorted(locale.glob("*/LC_MESSAGES/*.po")) if not path.with_suffix(".mo").exists()]
    if missing:
        raise pytest.UsageError(
            f"expected compiled sentences, found {len(missing)} catalogues without, such as {missing[0]}: "
            "run `make messages`"
        )


class SignsOfLife:
    """Says which tests are still running where no result has come for a while."""

    def __init__(self, write: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._write, self._now = write, now
        self._running: dict[str, float] = {}
        self._quiet_since = now()
        self._done = threading.Event()

    def pytest_sessionstart(self) -> None:
        """Begin to watch."""
        threading.Thread(target=self._watch, name="signs of life", daemon=True).start()

    def pytest_sessionfinish(self) -> None:
        """Nothing runs any more."""
        self._done.set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins, in whatever process."""
        self._running[nodeid] = self._now()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test is done."""
        self._running.pop(nodeid, None)
        self._quiet_since = self._now()

    def look(self) -> None:
        """Say what runs if it has been quiet for so long."""
        now = self._now()
        if now - self._quiet_since >= QUIET_S and self._running:
            self._quiet_since = now
            running = sorted(self._running.copy().items(), key=lambda item: item[1])
            self._write("\nstill running: " + ", ".join(f"{name} ({now - since:.0f} s)" for name, since in running))

    def _watch(self) -> None:
        while not self._done.wait(QUIET_S / 10):
            self.look()


@pytest.hookimpl(trylast=True)  # the terminal's reporter is there then
def pytest_configure(config: pytest.Config) -> None:
    """Ends at once where sentences are not compiled; the process that others report to shows that they live."""
    check_sentences(LOCALE)
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SignsOfLife(terminal.write_line), "signs-of-life")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave what starts a browser to `make test-page`, and what needs a real broker to `make test-club`."""
    fixtures = set(getattr(item, "fixturenames", ()))
    if "chromium" in fixtures:
        item.add_marker(pytest.mark.page)
    if fixtures & {"mosquitto", "guarded_broker"}:
        item.add_marker(pytest.mark.club)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slowest files come first, then those with the most tests, which is why xdist must not order them itself."""
    tests: dict[str, int] = {}
    for item in items:
        tests[_file(item)] = tests.get(_file(item), 0) + 1
    ranks = {name: rank for rank, name in enumerate(SLOWEST_FILES)}
    items.sort(key=lambda item: (ranks.get(_file(item), len(ranks)), -tests[_file(item)]))


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Any]:
    """A real broker that lets everybody in."""
    from mosquitto import MISSING, PROGRAM, Mosquitto  # not at the top: tests on a bare Pi have no paho

    if PROGRAM is None:
        pytest.skip(MISSING)
    broker = Mosquitto(tmp_path / "mosquitto")
    yield broker
    broker.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests of a process: starting it takes longer than most of them."""
    from browser import browser

    with browser() as opened:
        yield opened


@pytest.fixture(scope="session")
def second_chromium() -> Iterator[Any]:
    """Another browser, for tests of two people."""
    from browser import browser

    with browser() as opened:
        yield opened


@pytest.fixture
def screen(chromium: Any) -> Iterator[Any]:
    """A browser on which nothing is left of the test before."""
    chromium.open("about:blank")
    yield chromium.as_new()
    chromium.open("about:blank")


@pytest.fixture
def other(second_chromium: Any) -> Iterator[Any]:
    """Another one, as of somebody else."""
    yield second_chromium.as_new()
    second_chromium.open("about:blank")
