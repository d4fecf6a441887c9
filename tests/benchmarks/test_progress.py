"""Long measurements show that they live, and leave nothing behind where they are ended."""

import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from benchmarks import press, progress
from benchmarks.press import FEWEST, PRESSES
from benchmarks.report import Figures

ROOT = Path(__file__).resolve().parents[2]


def test_a_part_says_that_it_begins_that_it_still_runs_and_that_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    heard = threading.Event()
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        if "still" in text:
            heard.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "tell", tell)
        with progress.signs_of_life("press", every_s=0.01):
            assert heard.wait(60)
    assert told[0] == "press: measuring"
    assert told[1].startswith("press: still measuring after ")
    assert told[-1].startswith("press: measured in ")
    assert capsys.readouterr().out == ""


def test_every_part_of_the_measurements_shows_that_it_lives(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks import __main__ as bench

    (tmp_path / "METRICS.md").write_text(
        (ROOT / "models" / "METRICS.md").read_text(encoding="utf-8"), encoding="utf-8"
    )
    monkeypatch.setattr(bench, "METRICS", tmp_path / "METRICS.md")
    monkeypatch.setattr(bench, "PARTS", {"gin": Figures})
    monkeypatch.setattr(progress, "end_on_signals", lambda: None)
    assert bench.main(["gin"]) == 0
    assert "gin: measuring\ngin: measured in " in capsys.readouterr().err


def test_an_interrupted_measurement_says_so_and_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks import __main__ as bench

    def interrupted() -> Figures:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "METRICS", tmp_path / "METRICS.md")
    monkeypatch.setattr(bench, "PARTS", {"gin": interrupted})
    monkeypatch.setattr(progress, "end_on_signals", lambda: None)
    assert bench.main(["gin"]) == 130
    assert "interrupted" in capsys.readouterr().err
    assert not (tmp_path / "METRICS.md").exists()


def test_presses_are_counted_as_they_come(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def played(_: Path, __: int, watch: press.Stopwatch, *___: object, **____: object) -> None:
        watch.answered += [(1.0, FEWEST, True)] * (PRESSES // 2)

    monkeypatch.setattr(press, "build_reader", lambda: None)
    press.milliseconds(tmp_path, {"alone": press.alone}, ahead=True, play=played)
    half, whole = f"presses read ahead: {PRESSES // 2} of {PRESSES}", f"presses read ahead: {PRESSES} of {PRESSES}"
    assert capsys.readouterr().err.splitlines() == [half, whole]


def test_a_folder_of_measurements_lies_outside_of_the_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with progress.folder_on_disk("table-") as folder:
        assert ROOT not in folder.resolve().parents
    monkeypatch.setattr(progress, "DISK", tmp_path / "none")
    with progress.folder_on_disk("table-") as folder:
        assert folder.is_dir()
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_measurement_that_is_ended_takes_its_folder_along(tmp_path: Path, number: signal.Signals) -> None:
    program = textwrap.dedent(
        """
        import asyncio, signal, sys
        from pathlib import Path
        from benchmarks import progress

        progress.DISK = Path(sys.argv[1])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        progress.end_on_signals()

        async def work():
            print("ready", flush=True)
            await asyncio.sleep(600)

        with progress.folder_on_disk("press-") as folder:
            (folder / "journal").write_text("a match")
            asyncio.run(work())
        """
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(number)
        process.communicate(timeout=120)
    assert process.returncode != 0
    assert not list(tmp_path.iterdir())
