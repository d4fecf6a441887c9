"""In which language a verb speaks: as asked for, as set, or as the system's."""

from pathlib import Path

import pytest

from referee.cli.main import main
from referee.cli.terminal.chosen_settings import as_set, of_system, wording
from referee.errors import BadInput
from referee.game.notice import Notice

OVER = Notice("play.match_ends")
TOLD = {
    "en": "The match ends here.",
    "de": "Die Partie endet hier.",
    "fr": "La partie s'arrête ici.",
    "it": "La partita finisce qui.",
}


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "REFEREE_CONFIG"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("language", "told"), TOLD.items())
def test_asked_for(language: str, told: str) -> None:
    assert wording(language, "fr")(OVER) == told


def test_as_set_before_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    assert wording(None, "de")(OVER) == TOLD["de"]
    assert wording(None)(OVER) == TOLD["it"]


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_ALL": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "de_DE", "LC_MESSAGES": "it_IT"}, "it"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "en"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
        ({}, "en"),
    ],
)
def test_the_systems(environ: dict[str, str], language: str) -> None:
    assert of_system(environ) == language


def test_settings_that_cannot_be_used_leave_it_to_the_system(tmp_path: Path) -> None:
    (tmp_path / "referee.toml").write_text('[game]\nlanguage = "it"\n')
    assert as_set() == "it"
    (tmp_path / "referee.toml").write_text('[game]\nlanguage = "xx"\n')
    assert as_set() == "auto"


def test_another_one_is_refused() -> None:
    with pytest.raises(BadInput, match="--language: expected one of en, de, fr, it, found 'xx'"):
        wording("xx")


def test_the_rules_are_told_in_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert main(["rules", "classic"]) == 0
    assert "Bist du am Zug" in capsys.readouterr().out
    assert main(["rules", "classic", "--language", "fr"]) == 0
    assert "tuiles" in capsys.readouterr().out
