"""Lists of players: CSV as people and spreadsheets write it, TRF, and everything that is wrong with a list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournaments import Log

from referee.club.tournament.events import Described, event_from_text, event_to_text
from referee.club.tournament.export import standings_csv
from referee.club.tournament.machine import LONGEST_CLUB
from referee.club.tournament.players_file import MOST_LINES, decode_list, read_players
from referee.i18n import LANGUAGES, Wording
from referee.letters import NAME_LETTERS

MOST = 256
TRF = (
    "012 Spring cup\n"
    "001    1 m    Muster,Max                        1850 SUI     1234567 1990/01/01  2.5    1     2 w 1\n"
    "001    2 wWGM Rossi, Anna                       2310 ITA      765432 1985        2.0    2     1 b 0\n"
    "001    3      Zoë                                                                0.0    3\n"
)


def read(text, log=None, most=MOST):
    return read_players(text, (log or Log()).now, most)


def told(found):
    return [(one.name, one.club, one.rating) for one in found.players]


def wrong(text, log=None, most=MOST):
    found = read(text, log, most)
    assert found.events == ()
    return [Wording("en")(one) for one in found.wrong]


@pytest.mark.parametrize(
    "header",
    [
        "Name,Club,Rating", "name;Verein;Wertungszahl", "Spieler;Klub;DWZ", "Nom;Club;Élo",
        "Joueuse;Association;Classement", "Nome;Società;Punteggio", "Giocatore;Circolo;Elo",
        '"Name";"Club";"Rating"', "NAME\tCLUB\tRATING",
    ],
)  # fmt: skip
def test_columns_are_known_by_their_names_in_four_languages(header):
    mark = next(one for one in ";\t," if one in header)
    found = read(f"{header}\r\nAnn{mark}North{mark}1850\r\nÉmile{mark}{mark}\r\n")
    assert told(found) == [("Ann", "North", 1850), ("Émile", "", None)]
    assert found.wrong == ()


def test_columns_may_be_in_any_order_with_others_between_them():
    found = read("Rating;Seat;Club;Name\n1700;4;South;Ben\n")
    assert told(found) == [("Ben", "South", 1700)]


def test_without_a_header_the_order_is_name_club_rating():
    assert told(read("Ann,North,1850\nBen\nCleo,South")) == [
        ("Ann", "North", 1850), ("Ben", "", None), ("Cleo", "South", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "header", ["Vorname;Nachname", "First name;Surname", "Prénom;Nom", "Nome;Cognome", "Vorname;Name"]
)
def test_two_columns_of_a_name_are_put_together(header):
    assert told(read(f"{header}\nAnn;Hill\n")) == [("Ann Hill", "", None)]


def test_quoted_cells_may_hold_marks_quotes_and_lines():
    found = read('name,club\n"Hill, Ann","The ""Jokers"""\n')
    assert told(found) == [("Hill, Ann", 'The "Jokers"', None)]
    assert [(one.line, one.name) for one in read('name,club\n"An\nn",North\nBen,\n').players] == [
        (2, "An n"),
        (4, "Ben"),
    ]
    assert wrong("name\nA\u200bn\n")[0].startswith("Line 2, A\N{REPLACEMENT CHARACTER}n: This name has characters")


def test_what_a_spreadsheet_writes_before_the_header_is_passed_over():
    assert told(read("sep=;\r\nName;Rating\r\n\r\nAnn;1500\r\n;;\r\n")) == [("Ann", "", 1500)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_every_usual_encoding_is_read(encoding):
    text = decode_list("Name;Verein\nJörg;Köln\nÉmile;Besançon\n".encode(encoding))
    assert told(read(text)) == [("Jörg", "Köln", None), ("Émile", "Besançon", None)]


def test_the_players_of_a_trf_file_are_read_with_rating_and_federation():
    found = read(TRF)
    assert found.form == "trf"
    assert told(found) == [("Max Muster", "SUI", 1850), ("Anna Rossi", "ITA", 2310), ("Zoë", "", None)]
    assert [one.line for one in found.players] == [2, 3, 4]


def test_every_line_that_is_wrong_is_named_with_what_was_expected_and_found():
    assert wrong("Name;Club;Rating\nAnn;North;strong\n;South;1500\nBen;;\nben ;;\nCleo;;99999\n") == [
        "Line 2: The rating of Ann must be a whole number from 0 to 9999, but it is “strong”.",
        "Line 3: The name is missing.",
        "Line 5: ben is already on line 4. Add something that tells the two apart.",
        "Line 6: The rating of Cleo must be a whole number from 0 to 9999, but it is “99999”.",
    ]
    assert wrong(f"Name;Club;Rating\nAnn;;\n;;strong\nann;{'C' * (LONGEST_CLUB + 1)};x\n") == [
        "Line 3: The name is missing.",
        "Line 3: A rating must be a whole number from 0 to 9999.",
        "Line 4: The rating of ann must be a whole number from 0 to 9999, but it is “x”.",
        "Line 4: ann is already on line 2. Add something that tells the two apart.",
        f"Line 4, ann: The name of a club may have at most {LONGEST_CLUB} characters.",
    ]
    assert wrong("") == wrong("Name;Club\n") == ["There are no players in the file: each needs a line of their own."]
    assert wrong('name\n"Ann\n') == ["Line 2: A quotation mark is missing at the end of a cell."]
    assert wrong("W" * (NAME_LETTERS + 1)) == [
        f"Line 1, {'W' * (NAME_LETTERS + 1)}: A name may have at most {NAME_LETTERS} characters."
    ]
    club = "C" * (LONGEST_CLUB + 1)
    assert wrong(f"Ann;{club}") == [f"Line 1, Ann: The name of a club may have at most {LONGEST_CLUB} characters."]


def test_too_many_players_are_refused_with_their_number():
    assert told(read("Player 0\nPlayer 1")) == [("Player 0", "", None), ("Player 1", "", None)]  # no header
    many = "\n".join(f"Player {number}" for number in range(500))
    assert wrong(many) == [
        f"A tournament can have at most {MOST} players; with those already on the list there would be 500."
    ]
    assert len(read(many, most=500).events) == 500
    endless = "\n".join(f"Player {number}" for number in range(MOST_LINES + 1))
    assert f"A file can have at most {MOST_LINES} lines, but this one has more." in wrong(endless, most=10**6)


def test_whoever_is_on_the_list_already_gets_club_and_rating_only():
    log = Log()
    log.enter("Ann")
    found = read("Name;Club;Rating\nANN;North;1850\nBen;South;\n", log)
    assert [one.known for one in found.players] == [True, False]
    for event in found.events:
        log.do(event_from_text(*event_to_text(event)))
    assert [(one.name, one.club, one.rating) for one in log.now.players] == [
        ("Ann", "North", 1850),
        ("Ben", "South", None),
    ]
    assert read("Name;Club;Rating\nANN;North;1850\nBen;South;\n", log).events == ()
    assert read("Name\nAnn\n", log).events == ()
    assert log.replayed() == log.now


def test_a_list_without_clubs_and_ratings_is_readable_by_earlier_versions():
    assert not [one for one in read("Ann\nBen\n").events if isinstance(one, Described)]


def test_a_name_that_looks_like_a_formula_comes_back_from_our_own_files():
    log = Log()
    log.enter("=1+1")
    log.enter("Ben")
    log.play()
    rows = standings_csv(log.now)
    assert "'=1+1" in rows
    found = read(rows.replace("player", "name"))
    assert {one.name for one in found.players} == {"=1+1", "Ben"}


@given(st.text(max_size=300))
def test_whatever_is_in_a_file_it_is_read_or_refused_in_every_language(text):
    found = read(text)
    assert bool(found.events) <= (not found.wrong)
    assert found.wrong or found.players
    for notice in found.wrong:
        assert all(Wording(language)(notice) for language in LANGUAGES)
    log = Log()
    for event in found.events:
        log.do(event)
    assert len(log.now.players) == len(found.players) * (not found.wrong)


@given(st.binary(max_size=300))
def test_whatever_bytes_a_file_has_they_are_a_text(data):
    read(decode_list(data))


@pytest.mark.parametrize(
    "header", ["Name,Club,Team", "Spieler;Verein;Mannschaft", "Joueur;Club;Équipe", "Nome;Circolo;Squadra"]
)
def test_a_column_of_teams_puts_players_in_teams(header):
    mark = next(one for one in ";," if one in header)
    log = Log()
    log.enter("Ann")
    text = "\n".join(
        (header, *(line.replace("|", mark) for line in ("ann||Red  Foxes", "Bo|North|red foxes", "Cy|North|")))
    )
    found = read(text, log)
    assert [one.team for one in found.players] == ["Red Foxes", "red foxes", ""]
    for event in found.events:
        log.do(event)
    assert [(one.name, one.team) for one in log.now.players] == [("Ann", "Red Foxes"), ("Bo", "Red Foxes"), ("Cy", "")]
    assert read(text, log).events == ()


def test_a_fifth_member_of_a_team_is_told_with_the_line():
    found = read("Name;Team\n" + "".join(f"P{number};Foxes\n" for number in range(5)))
    assert not found.events
    assert "Foxes already has 4 players" in Wording("en").all(found.wrong)
    assert "6" in Wording("en").all(found.wrong)
