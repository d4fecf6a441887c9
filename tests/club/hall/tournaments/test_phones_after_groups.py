"""What players' phones say of their group, of the final after it, and to those who are not in it."""

import html
import http.client
import re
from contextlib import closing

import pytest
from hall_pages import SECRET, groups_and_teams, hall_pages, play, tournament

from referee.club.hall.tournaments.player_tokens import token_of
from referee.club.tournament.events import CheckedIn, FinalWithdrawn, Left, TeamGiven
from referee.club.tournament.groups import final_of, group_name
from referee.club.tournament.rules import Drawing, GroupStage
from referee.club.tournament.standings import group_standings
from referee.i18n import LANGUAGES


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def phone(pages, hosting, number, language="en"):
    """The text of a player's page, without its tags."""
    pages.show_own_pages(hosting)
    with closing(http.client.HTTPConnection(pages.address.removeprefix("http://"), timeout=60)) as connection:
        connection.request("GET", f"/player/{token_of(SECRET, 'spring-cup-1', number)}?lang={language}")
        body = connection.getresponse().read().decode()
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_names_the_team_and_its_place_and_none_to_whoever_plays_alone(pages, language):
    words = {"en": "Team Red Foxes: place", "de": "Mannschaft Red Foxes: Platz", "fr": "Équipe Red Foxes : place",
             "it": "Squadra Red Foxes: posto"}  # fmt: skip
    assert words[language] in re.sub(r"\s+", " ", phone(pages, groups_and_teams(), 1, language))
    assert words[language].split()[0] not in phone(pages, groups_and_teams(), 8, language)


def test_before_the_first_result_a_team_has_no_place(pages):
    hosting = tournament(4, "entering")
    hosting.do(TeamGiven(1, "Red Foxes", 2.0))
    text = phone(pages, hosting, 1)
    assert "Team Red Foxes" in text
    assert "place" not in text.split("Team Red Foxes")[1][:20]


def begun_final():
    hosting = groups_and_teams()
    hosting.do(final_of(hosting.now.tournament, 1, 9.0, fill=True))
    return hosting


def places(hosting):
    """The group and the place in it of each player."""
    groups = enumerate(group_standings(hosting.now.tournament))
    return {line.player: (group_name(at), line.place, len(lines)) for at, lines in groups for line in lines}


def test_a_phone_shows_the_group_and_the_place_in_it(pages):
    hosting = groups_and_teams()
    for number, (group, place, players) in places(hosting).items():
        assert f"Group {group}: place {place} of {players}" in phone(pages, hosting, number)


def test_before_the_first_result_a_phone_shows_the_group_alone(pages):
    hosting = tournament(8, "drawn", rounds=1, largest=2, drawing=Drawing.GROUPS, groups=GroupStage(4, 2))
    told = phone(pages, hosting, 1)
    assert f"Group {group_name(hosting.now.tournament.group_of(1))} " in told
    assert "of 4" not in told
    assert "Group" not in phone(pages, tournament(8, "drawn", rounds=1), 1)


def test_after_the_groups_a_phone_says_that_the_final_comes_next(pages):
    hosting = groups_and_teams()
    told = phone(pages, hosting, 1)
    assert "The groups are over, and the final comes next." in told
    assert "That was the last round" not in told


def test_whoever_is_in_the_final_reads_so(pages):
    hosting = begun_final()
    for number in hosting.now.tournament.here:
        assert "You are in the final! Next: round 4." in phone(pages, hosting, number)
    hosting.draw()
    assert "Final · Round 4 of 5" in phone(pages, hosting, hosting.now.tournament.here[0])


def test_whoever_is_not_in_the_final_reads_their_place_and_thanks(pages):
    hosting = begun_final()
    here, away = {*hosting.now.tournament.here}, 7
    out = {number: of for number, of in places(hosting).items() if number not in here}
    for drawn in (False, True):
        if drawn:
            hosting.draw()
        for number, (group, place, _) in out.items():
            told = phone(pages, hosting, number)
            assert f"You are not in the final: you came in place {place} of group {group}." in told
            assert "Thank you for playing!" in told
            assert "You are not checked in" not in told
        assert "You are not checked in" in phone(pages, hosting, away)  # who never came


def test_whoever_comes_back_or_leaves_reads_that(pages):
    hosting = begun_final()
    one = min(places(hosting).keys() - {*hosting.now.tournament.here})
    hosting.do(CheckedIn(one, 9.1))
    assert "You are in the final!" in phone(pages, hosting, one)
    hosting.do(Left(one, 9.2))
    assert "You have left the tournament" in phone(pages, hosting, one)


def test_after_the_final_was_undone_everybody_waits_for_it_again(pages):
    hosting = begun_final()
    hosting.do(FinalWithdrawn(9.5))
    for number in places(hosting):
        assert "the final comes next" in phone(pages, hosting, number)


def test_during_the_final_it_is_over_for_whoever_has_played_it(pages):
    hosting = begun_final()
    while hosting.now.tournament.rounds_left:
        hosting.draw()
        play(hosting, range(1, len(hosting.drawn.tables) + 1))
    assert "That was the last round." in phone(pages, hosting, hosting.now.tournament.here[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_it(pages, language):
    hosting = begun_final()
    here = hosting.now.tournament.here[0]
    out = min(places(hosting).keys() - {*hosting.now.tournament.here})
    assert "{" not in phone(pages, hosting, here, language) + phone(pages, hosting, out, language)
