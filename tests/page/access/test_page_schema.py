"""Everything that the page takes, tried out by schemathesis against a real server, after the page's own document."""

import json

import pytest
from guarded import house
from tried_out import MISSING, commands_of, paths_of, tried_out

from referee.journal.opening import open_journal
from referee.pages.table.commands import COMMANDS

EXAMPLES = {"everything": 12, "nothing": 3}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    open_journal(folder).journal.close()
    with house(folder, reading="pin") as made:
        yield made


def test_the_document_tells_of_every_operation_and_every_command(home):
    session = home.cookie()
    told = json.loads(home.ask("/api/openapi.json", Cookie=session)[2])
    files = {"/scores.{kind}", "/scores/players.{kind}", "/scores/{match}.{kind}", "/scores/statistics.{kind}"}
    routes = paths_of(home) | files | {"/scores/head-to-head.{kind}"}
    assert set(told["paths"]) == routes
    assert commands_of(told) == set(COMMANDS)


@pytest.mark.page
@pytest.mark.skipif(MISSING, reason="schemathesis is not installed")
@pytest.mark.parametrize("may", list(EXAMPLES))
def test_nothing_that_is_sent_makes_it_fail_or_answer_otherwise_than_it_says(home, tmp_path, may):
    tried_out(home, tmp_path, EXAMPLES[may], everything=may == "everything")
