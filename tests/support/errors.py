"""What is told of an error, whatever it was made with: a notice or a text."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from referee.i18n import error_text

E = TypeVar("E", bound=BaseException)


@contextmanager
def telling(kind: type[E], match: str) -> Iterator[pytest.ExceptionInfo[E]]:
    """As `pytest.raises`; `match` is looked for in what operators read of the error."""
    with pytest.raises(kind) as caught:
        yield caught
    text = error_text(caught.value)
    assert re.search(match, text), text
