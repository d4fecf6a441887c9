"""A network that gives what a test has prepared."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class FakeModel:
    """A model that gives prepared outputs, the last one for ever, and keeps every array it was given."""

    outputs: list
    seen: list = field(default_factory=list)

    def __call__(self, array):
        """The next prepared outputs."""
        self.seen.append(array)
        return self.outputs[min(len(self.seen), len(self.outputs)) - 1]
