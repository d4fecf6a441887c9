"""What was agreed on for a tournament, in one line."""

from dataclasses import replace
from urllib.request import urlopen

import pytest
from browser import SIZES
from hall_pages import EMPTY, SECRET, hall_pages, tournament
from hosting import Hosting

from referee.club.hall.tournaments.player_tokens import token_for
from referee.club.tournament import Counting, TieBreak
from referee.club.tournament.events import TeamGiven
from referee.club.tournament.rules import Drawing, GroupStage, Scheme
from referee.i18n import LANGUAGES, Wording
from referee.pages.hall.agreed_part import agreed
from referee.pages.hall.table_cards import table_token

GROUPS = {"drawing": Drawing.GROUPS, "groups": GroupStage(4, 2, Drawing.SWISS, carried=False)}


def line(language="en", **rules):
    return agreed(Hosting(2, **rules).now.tournament, Wording(language))


def test_a_swiss_tournament_says_what_decides_and_nothing_of_byes_that_cannot_be():
    found = line(drawing=Drawing.SWISS, counting=Counting.STRENGTH, match_rounds=4, scheme=Scheme(bye=9))
    assert found == (
        "Swiss system · 3 rounds · tables of 2 to 4 · matches of 4 rounds · order by tournament points and strength "
        "of opponents · ties: tables won, opponents' points, total margin and drawing lots"
    )


@pytest.mark.parametrize(("smallest", "largest"), [(2, 2), (3, 4), (3, 3)])
def test_where_a_bye_may_be_its_worth_is_told(smallest, largest):
    found = line(smallest=smallest, largest=largest, scheme=Scheme(bye=9), tie_breaks=())
    assert found.startswith("Seats planned ahead · 3 rounds · tables of ")
    assert found.endswith(" · order by tournament points · a bye is worth 9 points")


@pytest.mark.parametrize(("smallest", "largest"), [(2, 3), (2, 4)])
def test_tables_of_two_and_three_seat_everybody(smallest, largest):
    assert "bye" not in line(smallest=smallest, largest=largest)


def test_rounds_that_follow_from_the_groups_are_not_told_but_those_of_the_final_are():
    found = line(**GROUPS, largest=2, tie_breaks=(TieBreak.DIRECT,))
    assert found == (
        "Groups of about 4 · final of 2 rounds, Swiss system · the final begins from zero · tables of 2 · "
        "order by tournament points · ties: head to head · a bye is worth 6 points"
    )
    assert "Groups of about 4 · 3 rounds in the groups · " in line(**GROUPS)


def test_how_many_of_a_team_count_is_told_once_there_is_a_team():
    hosting = Hosting(2, team_counts=1)
    assert "team" not in agreed(hosting.now.tournament, Wording("en"))
    hosting.do(TeamGiven(1, "Red Foxes", 2.0))
    assert agreed(hosting.now.tournament, Wording("en")).endswith("the best player of each team counts")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_line(language):
    texts = [line(language, **GROUPS, largest=2, match_rounds=1), line(language, drawing=Drawing.SWISS)]
    assert all(" · " in text and "{" not in text for text in texts)


def test_the_director_reads_the_line_and_gets_to_what_can_be_changed(screen):
    with hall_pages() as pages:
        pages.show(tournament(8, "playing"))
        screen.resize(*SIZES["phone"])
        screen.open(f"{pages.address}/tournament/director?lang=en")
        screen.find("#agreed-fold summary").click()  # on a phone it is one line
        screen.until("#agreed", "Seats planned ahead · 3 rounds · tables of 2 to 4 · order by tournament points")
        screen.find("#agreed-fold a").click()
        assert screen.find("#rounds-number").get_attribute("value") == "3"
        screen.open(f"{pages.address}/tournament?lang=fr")
        screen.until("#agreed", "Places prévues d'avance · 3 rondes · tables de 2 à 4")


def test_how_many_rounds_a_match_has_is_read_where_its_result_is_written():
    with hall_pages() as pages:
        for rounds, said in (
            (None, None),
            (1, "The match has 1 round."),
            (3, "has 3 rounds: what counts is"),
        ):
            hosting = tournament(8, "drawn", match_rounds=rounds)
            hosting.begin()
            pages.show_own_pages(hosting)
            player = token_for(SECRET, hosting.now, hosting.drawn.tables[0].players[0])
            table = table_token(SECRET, hosting.now, 1)
            for path in (f"/player/{player}", f"/at/{table}", "/tournament/result-slips"):
                with urlopen(f"{pages.address}{path}?lang=en") as answer:  # noqa: S310 - it is our own page
                    text = answer.read().decode()
                assert ("The match has" in text) == (said is not None), path
                assert said is None or said in text, path


def test_a_hall_without_boxes_asks_for_it_too(screen):
    with hall_pages() as pages:
        for alone, said, unsaid in ((False, "boxes", "phones"), (True, "phones", "boxes")):
            pages.tell(replace(EMPTY, alone=alone))
            screen.open(f"{pages.address}/tournament/director?lang=en")
            screen.find("#open summary").click()
            screen.find(f"#open-match-{said}")
            assert screen.find("#open-match").is_displayed()
            assert not screen.all(f"#open-match-{unsaid}")[0].is_displayed()
