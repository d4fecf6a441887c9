"""Work on one picture in several threads at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import cv2
import pytest

from referee.vision.threads import MOST_THREADS, run_beside, run_in_threads, thread_count

PATIENCE_S = 10.0


@pytest.fixture(params=[1, 2, 4], autouse=True)
def _threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "getNumThreads", lambda: request.param)


@pytest.mark.parametrize("count", [0, 1, 2, 5, 40])
def test_results_stay_in_order(count: int) -> None:
    assert run_in_threads(lambda number: number**2, range(count)) == [number**2 for number in range(count)]


def test_several_threads_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "getNumThreads", lambda: 2)
    together = threading.Barrier(2, timeout=PATIENCE_S)  # one thread alone would wait for ever
    run_in_threads(lambda _: together.wait(), range(2))
    run_beside(together.wait, together.wait)


def test_one_thread_is_the_calling_thread() -> None:
    here = threading.current_thread()
    assert run_in_threads(lambda _: threading.current_thread(), range(3), threads=1) == [here] * 3


@pytest.mark.parametrize("bad", [0, 1, 6])
def test_an_error_reaches_the_caller(bad: int) -> None:
    def work(number: int) -> int:
        if number == bad:
            raise ValueError("no tile")
        return number

    with pytest.raises(ValueError, match="no tile"):
        run_in_threads(work, range(7))


@pytest.mark.parametrize("first", [True, False])
def test_an_error_in_either_of_two_works_reaches_the_caller(first: bool) -> None:
    def fail() -> None:
        raise ValueError("no marker")

    with pytest.raises(ValueError, match="no marker"):
        run_beside(fail, int) if first else run_beside(int, fail)


def test_two_works_give_their_results_in_order() -> None:
    assert run_beside(lambda: "chroma", lambda: 7) == ("chroma", 7)


def test_work_inside_of_work_does_not_wait_for_itself() -> None:
    found = run_in_threads(lambda a: run_in_threads(lambda b: 10 * a + b, range(6)), range(6))
    assert found == [[10 * a + b for b in range(6)] for a in range(6)]


def test_without_helpers_the_caller_does_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is ending starts no more threads, but a picture may still be read."""

    def refuse(*_: object) -> None:
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", refuse)
    assert run_in_threads(lambda number: -number, range(5)) == [0, -1, -2, -3, -4]
    assert run_beside(lambda: 1, lambda: 2) == (1, 2)


def test_there_are_never_more_threads_than_cores_of_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "getNumThreads", lambda: 64)
    assert thread_count() == MOST_THREADS


def test_after_an_error_no_other_part_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise Ctrl+C would wait until the helpers have done all the rest."""
    monkeypatch.setattr(cv2, "getNumThreads", lambda: 4)
    begun = []

    def work(number: int) -> None:
        begun.append(number)
        together.wait()
        if threading.current_thread() is here:
            raise KeyboardInterrupt
        stopped.wait(0.1)

    together, stopped, here = threading.Barrier(4, timeout=PATIENCE_S), threading.Event(), threading.current_thread()
    with pytest.raises(KeyboardInterrupt):
        run_in_threads(work, range(40))
    assert len(begun) == 4
