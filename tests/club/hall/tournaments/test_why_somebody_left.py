"""Who has left is told apart from who never came, and why somebody left is for the director only."""

import json

import pytest
from hall_evening import hall_evening
from hosting import Hosting
from test_tournament_evening import Director

from referee.club.tournament.events import CheckedIn, Left
from referee.i18n import Wording
from referee.pages.hall.tournament_part import PARTS


def test_the_reason_is_kept_until_the_player_is_back_and_is_in_no_part():
    hosting = Hosting(4)
    hosting.draw()
    hosting.do(Left(2, 3.0, "Felt ill"), Left(3, 3.0))
    assert hosting.now.tournament.left_why == ((2, "Felt ill"),)
    told = {name: part.render(hosting.facts, Wording("en")) for name, part in PARTS.items()}
    assert "Felt ill" not in json.dumps(told)
    assert [one["away"] for one in told["tournament"]["players"]] == ["", "has left", "has left", ""]
    hosting.do(CheckedIn(2, 4.0))
    assert hosting.now.tournament.left_why == ()


@pytest.mark.page
def test_the_director_reads_who_has_left_and_why(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        director = Director(evening, screen)
        director.opens(names="Anna\nBen\nClara\nDora")
        for number in (1, 2, 3):
            director.press(f"#check-in-{number}", "is checked in.")
        director.draws()
        director.press("#leave-2")
        director.fill("#leave-text-2", "Felt ill")
        director.press("#players form.inline [type=submit]", "Ben is withdrawn.")
        screen.until("#players", "Felt ill")
        row = "return document.querySelectorAll('#players li')[arguments[0]].textContent"
        assert "has left" in screen.run(row, 1)
        assert "not here" in screen.run(row, 3)
        assert screen.violations() == []
        public = screen.run(
            "return Promise.all(['/tournament.json', '/tournament-standings.csv'].map(function (one) {"
            "return fetch(one).then(function (answer) { return answer.text(); }); }))"
        )
        assert len(public) == 2
        assert "Felt ill" not in "".join(public)
        screen.driver.delete_all_cookies()
        assert (
            screen.run("return fetch('/tournament/leavers.json').then(function (one) { return one.status; })") == 403
        )
