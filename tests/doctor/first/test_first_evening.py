"""The first evening: its order, its record, how it goes on, and what stands there for what could not be measured."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benches import Helper, bench, machine, with_camera

from referee.doctor.finding import Finding, Result
from referee.doctor.first.bench import Bench, Lacking, Stopped, ok, skip_step, wrong
from referee.doctor.first.record import VERSION, load_record
from referee.doctor.first.session import Step, StepRunner
from referee.doctor.first.steps import STEPS
from referee.errors import BadInput, CameraLost, Loss
from referee.i18n import ENGLISH


def session(parts: Bench, path: Path, *steps: Step) -> StepRunner:
    return StepRunner(parts, path, load_record(path, parts.machine), steps)


def run(parts: Bench, path: Path, *steps: Step, chosen: Sequence[str] = (), left: Any = None) -> list[Finding]:
    return list(session(parts, path, *steps).run(chosen, left or {}))


def step(name: str, gives: Finding | BaseException, made: list[str] | None = None, **more: Any) -> Step:
    def measure(_bench: Bench) -> Finding:
        if made is not None:
            made.append(name)
        if isinstance(gives, BaseException):
            raise gives
        return gives

    return Step(1, name, "something", measure, **more)


def kept(path: Path) -> dict[str, dict[str, Any]]:
    return {one["step"]: one for one in json.loads(path.read_text())["steps"]}


def test_the_nine_checks_come_in_their_order() -> None:
    assert [one.check for one in STEPS] == sorted(one.check for one in STEPS)
    assert {one.check for one in STEPS} == set(range(1, 10))
    assert len({one.name for one in STEPS}) == len(STEPS)


def test_what_needs_hands_says_so_in_one_sentence() -> None:
    for one in STEPS:
        assert not one.text.endswith(".")
        if one.hands:
            assert one.hands.endswith(".")
            assert ". " not in one.hands


def test_the_record_has_a_version_a_machine_and_everything_measured(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "evening.json"
    run(bench(tmp_path), path, step("a", ok("a", "Fine.", ms=[1.5, 2.0])))
    data = json.loads(path.read_text())
    assert data["first_evening"] == VERSION
    assert data["machine"]["model"].startswith("Raspberry Pi 4")
    assert data["machine"]["libraries"]["numpy"]
    assert kept(path)["a"]["status"] == "measured"
    assert kept(path)["a"]["finding"]["figures"] == {"ms": [1.5, 2.0]}


def test_it_goes_on_where_it_stopped_and_makes_no_step_twice(tmp_path: Path) -> None:
    path, made = tmp_path / "evening.json", list[str]()
    first, second = step("first", ok("first", "Fine."), made), step("second", ok("second", "Fine."), made, hands="Go.")

    class Gone(Helper):
        def wait_until_done(self, _text: str) -> None:
            raise Stopped("Stopped.")

    assert [one.check for one in run(bench(tmp_path, hands=Gone()), path, first, second)] == ["first"]
    assert [one.check for one in run(bench(tmp_path), path, first, second)] == ["second"]
    assert made == ["first", "second"]
    assert run(bench(tmp_path), path, first, second) == []


def test_what_is_skipped_keeps_its_reason_and_what_was_lacking_is_tried_again(tmp_path: Path) -> None:
    path, made = tmp_path / "evening.json", list[str]()
    steps = (
        step("asked", ok("asked", "Fine."), made, hands="Go."),
        step("left", ok("left", "Fine."), made),
        step("lacking", Lacking("There is no camera.", "Buy one."), made),
    )
    found = run(bench(tmp_path, hands=Helper(["it is glued in"])), path, *steps, left={"left": "no time"})
    assert [ENGLISH(one.found) for one in found] == [
        "Left out: it is glued in.",
        "Left out: no time.",
        "There is no camera.",
    ]
    assert ENGLISH(found[2].do) == "Buy one."
    assert [kept(path)[name]["status"] for name in ("asked", "left", "lacking")] == ["skipped", "skipped", "lacking"]
    run(bench(tmp_path), path, *steps)
    assert made == ["lacking", "lacking"]
    run(bench(tmp_path), path, *steps, chosen=["left"])
    assert made[2:] == ["left"]
    assert kept(path)["left"]["status"] == "measured"


@pytest.mark.parametrize(
    ("error", "status", "result", "words"),
    [
        (CameraLost("expected a camera, found none", Loss.ABSENT), "lacking", Result.SKIPPED, "Expected a camera"),
        (CameraLost("expected a picture, found none", Loss.SILENT), "failed", Result.WRONG, "Expected a picture"),
        (BadInput("panel: expected pins, found none"), "lacking", Result.SKIPPED, "panel: expected pins"),
        (ZeroDivisionError("surprise"), "failed", Result.WRONG, "ZeroDivisionError: surprise."),
        (KeyboardInterrupt(), "failed", Result.ATTENTION, "This check was cut short."),
        (None, "lacking", Result.SKIPPED, "Nothing to measure."),
    ],
)
def test_a_step_that_breaks_is_kept_and_does_not_end_the_evening(
    tmp_path: Path, error: BaseException | None, status: str, result: Result, words: str
) -> None:
    path = tmp_path / "evening.json"
    broken = step("broken", skip_step("broken", "Nothing to measure.") if error is None else error)
    found = run(bench(tmp_path), path, broken, step("next", ok("next", "Fine.")))
    assert [one.check for one in found] == ["broken", "next"]
    assert found[0].result is result
    assert ENGLISH(found[0].found).startswith(words)
    assert kept(path)["broken"]["status"] == status


def test_nobody_lifts_a_hand_for_what_cannot_be_measured(tmp_path: Path) -> None:
    hands = Helper()
    found = run(bench(tmp_path, hands=hands, settings=with_camera("folder")), tmp_path / "evening.json", *STEPS,
                chosen=["power-on", "ribbon", "focus", "colours"])  # fmt: skip
    assert {one.result for one in found} == {Result.SKIPPED}
    assert len(hands.heard) == 4


@pytest.mark.parametrize("name", [one.name for one in STEPS if one.name not in ("reading", "disk", "heat")])
def test_off_a_pi_a_step_says_plainly_what_it_lacks(tmp_path: Path, name: str) -> None:
    parts = bench(tmp_path, machine=machine(tmp_path, {"proc/device-tree/model": "A laptop"}))
    (found,) = run(parts, tmp_path / "evening.json", *STEPS, chosen=[name])
    assert found.result is Result.SKIPPED
    assert ENGLISH(found.found).startswith("This is not a Raspberry Pi")


@pytest.mark.parametrize("name", ["power-on", "ribbon", "focus", "reopening", "colours", "pressing", "edges"])
def test_camera_and_pins_are_left_to_a_running_referee(tmp_path: Path, name: str) -> None:
    (found,) = run(bench(tmp_path, holder=lambda: "4711"), tmp_path / "evening.json", *STEPS, chosen=[name])
    assert found.result is Result.SKIPPED
    assert "process 4711" in ENGLISH(found.found)
    assert "systemctl stop referee" in ENGLISH(found.do)


@pytest.mark.parametrize("name", ["pressing", "edges"])
def test_without_pins_by_the_settings_that_is_said(tmp_path: Path, name: str) -> None:
    parts = bench(tmp_path)
    assert parts.pins is not None
    (found,) = run(replace(parts, pins=replace(parts.pins, kind="console")), tmp_path / "evening.json", *STEPS,
                   chosen=[name])  # fmt: skip
    assert 'kind = "console" in [panel]' in ENGLISH(found.found)
    (found,) = run(replace(parts, pins=None), tmp_path / "evening.json", *STEPS, chosen=[name])
    assert ENGLISH(found.found) == "The pin map cannot be used."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1, 2]", "version 1, found none"),
        ("{}", "version 1, found none"),
        ('{"first_evening": 2}', "version 1, found version 2"),
        ("no JSON", "found no JSON"),
        ('{"first_evening": 1, "steps": [{}]}', "expected a whole record"),
        ('{"first_evening": 1, "begun": "", "machine": {}, "steps": []}', "expected a whole record"),
        ('{"first_evening": 1, "begun": "", "machine": {"model": "A laptop", "release": ""}, "steps": []}',
         "found one of A laptop with ; name another file by --out"),
    ],
)  # fmt: skip
def test_any_other_file_is_refused_and_stays(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="expected a") as refused:
        run(bench(tmp_path), path, step("a", ok("a", "Fine.")))
    assert words in str(refused.value)
    assert path.read_text() == text


def test_a_place_that_cannot_be_written_is_told_before_anything_is_measured(tmp_path: Path) -> None:
    made: list[str] = []
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="found: Not a directory"):
        run(bench(tmp_path), tmp_path / "file" / "evening.json", step("a", ok("a", "Fine."), made))
    with pytest.raises(BadInput, match="expected a record of a first evening"):
        run(bench(tmp_path), tmp_path, step("a", ok("a", "Fine."), made))
    assert made == []


def test_an_unknown_step_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--step: expected one of a, found 'b'"):
        run(bench(tmp_path), tmp_path / "evening.json", step("a", wrong("a", "Bad.", "Mend it.")), chosen=["b"])
