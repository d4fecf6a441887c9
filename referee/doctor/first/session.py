"""Runs the checks of the first evening one after the other, and stores each result at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.doctor.camera import what_to_do
from referee.doctor.finding import Finding, sentence
from referee.doctor.first import record as records
from referee.doctor.first.bench import Bench, Lacking, Left, Stopped, attention, skip_step, wrong
from referee.doctor.first.record import Record, entry, save, status_of
from referee.errors import BadInput, CameraLost, Loss, RefereeError

AGAIN = "Take this check up again: referee doctor --first-evening --step {name}."


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to measure: the number of its check, its name, what it is, and what the person must do before."""

    check: int
    name: str
    text: str
    measure: Callable[[Bench], Finding]
    hands: str = ""
    needs: Callable[[Bench], object] = lambda _bench: None
    """Raises Lacking if the step cannot be made, before anybody has to do anything for it."""


class StepRunner:
    """Runs the steps that are still to be made, and stores what they find in one file."""

    def __init__(self, bench: Bench, path: Path, record: Record, steps: Sequence[Step]) -> None:
        self._bench, self._path, self._steps = bench, path, steps
        self.record = record

    def run(self, chosen: Sequence[str], left: Mapping[str, str]) -> Iterator[Finding]:
        """Run every step that is still to be made, or only the chosen steps, even again; yield their findings.

        `left` are reasons for skipping steps, by name. Raises BadInput for an unknown step.
        """
        steps = {step.name: step for step in self._steps}
        for option, names in (("--step", chosen), ("--skip", left)):
            if unknown := [name for name in names if name not in steps]:
                raise BadInput(f"{option}: expected one of {', '.join(steps)}, found {unknown[0]!r:.40}")
        save(self.record, self._path)  # so that nothing is measured that cannot be stored
        for step in self._steps:
            if step.name in left:
                yield self._keep_finding(step, records.SKIPPED, _leave_out(step, left[step.name]), 0.0)
            elif step.name in chosen or not (chosen or self.record.is_settled(step.name)):
                began = self._bench.now()
                try:
                    status, finding = self._run_step(step)
                except Stopped as stopped:
                    self._bench.hands.tell(str(stopped))
                    return
                yield self._keep_finding(step, status, finding, self._bench.now() - began)

    def _run_step(self, step: Step) -> tuple[str, Finding]:
        """Run a step and return its status and finding. A step that breaks must not end the evening."""
        self._bench.hands.tell(f"Check {step.check}, {step.name}: {step.text}.")
        try:
            step.needs(self._bench)
            if step.hands:
                self._bench.hands.wait_until_done(step.hands)
            finding = step.measure(self._bench)
        except Stopped:
            raise
        except Left as reason:
            return records.SKIPPED, _leave_out(step, str(reason))
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - drivers' errors share no base
            return _not_measured(step, error)
        return status_of(finding), finding

    def _keep_finding(self, step: Step, status: str, finding: Finding, seconds: float) -> Finding:
        made = entry(step.check, step.name, status, finding, self._bench.machine.wall(), seconds)
        self.record = self.record.with_entry(made)
        save(self.record, self._path)
        return finding


def _leave_out(step: Step, reason: str) -> Finding:
    return skip_step(step.name, sentence(f"Left out: {reason}"))


def _not_measured(step: Step, error: BaseException) -> tuple[str, Finding]:
    """Return the status and the finding of a step that was not completed."""
    again = AGAIN.format(name=step.name)
    match error:
        case Lacking():
            return records.LACKING, skip_step(step.name, sentence(error), error.do)
        case CameraLost(kind=(Loss.ABSENT | Loss.BUSY | Loss.UNUSABLE)):
            return records.LACKING, skip_step(step.name, sentence(error), what_to_do(error))
        case CameraLost():
            return records.FAILED, wrong(step.name, sentence(error), what_to_do(error))
        case KeyboardInterrupt():
            return records.FAILED, attention(step.name, "This check was cut short.", again)
        case RefereeError():
            return records.LACKING, skip_step(step.name, sentence(error), again)
    return records.FAILED, wrong(step.name, f"{type(error).__name__}: {sentence(error)}", again)
