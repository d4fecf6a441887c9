"""What became of an update, on the page and at the panel."""

import html
import json
from contextlib import closing

import pytest
from kept_matches import Page
from virtual_evening import Evening

from referee.devices.update_result import FILE
from referee.game.notice import Notice
from referee.table.output.audience import PartialAudience

BACK = {"state": "back", "version": "2-abc", "before": "1-def", "reason": "stopped", "detail": "", "lost": 0}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The update to version 2-abc did not work: it stopped by itself twice. Version 1-def is in use again."),
        ("de", "Das Update auf Version 2-abc hat nicht geklappt: sie ist zweimal abgestürzt."),
        ("fr", "La mise à jour vers la version 2-abc a échoué"),
        ("it", "L'aggiornamento alla versione 2-abc non è riuscito: si è fermata due volte."),
    ],
)
def test_the_page_says_what_became_of_the_last_update(tmp_path, language, sentence):
    with closing(Page(tmp_path)) as page:
        assert "update-title" not in page.read("/more")
        (tmp_path / FILE).write_text(json.dumps(BACK))
        _, _, body = page.get("/more", Accept_Language=language)
        assert sentence in html.unescape(body.decode()).replace("\u202f", " ").replace("\xa0", " ")


def test_at_the_panel_it_is_said_and_a_lamp_shows_it_until_somebody_plays_on():
    seen = []

    async def script(evening):
        await evening.wait(1)
        seen.append(evening.lit)
        await evening.start()
        seen.append(evening.lit)

    evening = Evening()
    told = Notice("update.back", version="2-abc", before="1-def", why=Notice("update.why_stopped"))
    evening.replace_parts(news=(told,))
    evening.play(script)
    assert any("The update to version 2-abc did not work" in said for said in evening.said)
    quiet = Evening()
    without = []

    async def nothing(evening):
        await evening.wait(1)
        without.append(evening.lit)
        await evening.start()
        without.append(evening.lit)

    quiet.play(nothing)
    assert seen[0] != without[0]
    assert seen[1] == without[1]


class Screen(PartialAudience):
    """A page that shows what is wrong."""

    def __init__(self) -> None:
        self.shown = ()

    def troubles(self, told):
        self.shown = told


def test_all_that_must_be_known_of_an_update_is_shown_until_somebody_plays_on():
    back = Notice("update.back", version="2-abc", before="1-def", why=Notice("update.why_stopped"))
    news, screen, seen = (back, Notice("update.lost", events=7), Notice("system.safe_asked")), Screen(), []

    async def script(evening):
        await evening.wait(1)
        seen.append(screen.shown)
        await evening.start()
        seen.append(screen.shown)

    evening = Evening(audience=screen)
    evening.replace_parts(news=news)
    evening.play(script)
    assert seen == [news, ()]
