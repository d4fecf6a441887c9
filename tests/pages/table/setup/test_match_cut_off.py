"""A match of virtual players whose program was killed: the page asks what becomes of it, and it goes on or goes."""

import shutil

import pytest
from page_process import PageProcess

SETTINGS = ("camera.kind=virtual", 'game.players=["Ann","Ben"]', "game.rounds=1")
SENTENCES = {
    "en": "A match between virtual players is still under way: Ann and Ben. Let it go on, or discard it.",
    "de": "Eine Partie virtueller Spieler ist noch nicht zu Ende: Ann und Ben. "
    "Lass sie weitergehen, oder verwirf sie.",
    "fr": "Une partie de joueurs virtuels n'est pas terminée\xa0: Ann et Ben. Continue-la, ou abandonne-la.",
    "it": "Una partita di giocatori virtuali non è finita: Ann e Ben. Continuala o scartala.",
}


def started(state):
    return PageProcess(state, *SETTINGS, arguments=("--speed", "20"))


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A folder in which a match is under way, whose program was killed in the middle of a turn."""
    folder = tmp_path_factory.mktemp("state")
    process = started(folder)
    try:
        process.until(lambda parts: any(parts["table"]["sets"]) and parts["match"]["phase"] == "turn")
    finally:
        process.process.kill()
        process.close()
    return folder


@pytest.fixture
def asked(killed, tmp_path):
    process = started(shutil.copytree(killed, tmp_path / "state"))
    try:
        process.until(lambda parts: parts["setup"]["decision"])
        yield process
    finally:
        process.close()


def test_it_is_said_in_the_language_of_the_reader_and_operators_have_the_command(asked):
    for language, told in SENTENCES.items():
        page = asked.get("/setup", {"Accept-Language": language})[1].decode()
        assert told.replace("'", "&#39;") in page
    asked.until(lambda _: "end it with `referee scores --state" in " ".join("".join(asked.lines).split()))


HEADLINES = {
    "en": ("The match was interrupted.", "Resume or discard", "Match 1 is not over."),
    "de": ("Die Partie wurde unterbrochen.", "Fortsetzen oder verwerfen", "Partie 1 ist nicht zu Ende."),
    "fr": ("La partie a été interrompue.", "Reprendre ou abandonner", "La partie 1 n'est pas finie."),
    "it": ("La partita è stata interrotta.", "Riprendere o scartare", "La partita 1 non è finita."),
}


@pytest.mark.page
@pytest.mark.parametrize("language", HEADLINES)
def test_every_page_says_that_it_was_interrupted_and_leads_to_the_decision(asked, screen, language):
    headline, way, unfinished = HEADLINES[language]
    screen.resize(390, 844)
    for path in ("/", "/panel"):
        screen.open(f"{asked.url}{path}?lang={language}")
        screen.until("#live", headline)
        screen.until("#to-setup a", way)
        assert (screen.violations(), screen.complaints(), screen.sideways()) == ([], [], 0)
    screen.open(f"{asked.url}/scores?lang={language}")
    screen.until(".unfinished", unfinished)
    assert (screen.violations(), screen.sideways()) == ([], 0)
    screen.find(".unfinished a").click()
    screen.until("#live", headline)
    screen.find("#to-setup a").click()
    screen.find("#match-goes-on")


@pytest.mark.page
def test_it_goes_on_where_it_was(asked, screen):
    sets = len(asked.parts["table"]["sets"])
    screen.open(f"{asked.url}/setup?lang=en")
    screen.until("#match-text", SENTENCES["en"])
    screen.until("#match-begun", "Begun: ")
    assert not screen.all("#try-again")[0].is_displayed()
    assert (screen.violations(), screen.complaints()) == ([], [])
    screen.find("#match-goes-on").click()
    screen.wait(lambda: screen.driver.current_url == f"{asked.url}/", "the table, after one tap")
    parts = asked.until(lambda parts: parts["match"]["phase"] == "turn" and parts["clock"]["running"])
    assert [player["name"] for player in parts["match"]["players"]] == ["Ann", "Ben"]
    assert len(parts["table"]["sets"]) >= sets
    asked.until(lambda parts: parts["match"]["phase"] == "looking")  # somebody has pressed
    assert asked.post("decide", what="discard")[0] == 409  # nothing waits for that any more


def test_it_is_discarded_and_another_one_can_begin(asked):
    assert asked.post("decide", what="discard") == (200, "")
    parts = asked.until(lambda parts: parts["setup"]["stage"] == "ready" and parts["match"]["phase"] == "turn")
    assert parts["table"]["sets"] == []
    assert not parts["setup"]["decision"]
