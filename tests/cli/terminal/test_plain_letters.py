"""Letters on a console that has few: without accents, and "?" only where nothing plain stands for them."""

import io

import pytest

from referee.cli.terminal.output import forgive_letters


@pytest.mark.parametrize(
    ("text", "encoding", "written"),
    [
        ("La règle est posée : 3 \N{MULTIPLICATION SIGN} 7 €", "ascii", "La regle est posee : 3 x 7 ?"),
        ("Straße, Cœur, Łódź, Ærø", "ascii", "Strasse, Coeur, Lodz, AEro"),
        ("« Rami ! » \u2212 l\u2019as\u2026", "ascii", '" Rami ! " - l\'as...'),
        ("Cle\u0301o e\u0301", "ascii", "Cleo e"),
        ("Zoë\u2019s 牌", "latin-1", "Zoë's ?"),
        ("牌 \U0001f600", "ascii", "? ?"),
        ("règle", "utf-8", "règle"),
    ],
)
def test_letters_that_a_console_lacks(text: str, encoding: str, written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr("sys.stdout", out)
    forgive_letters()
    out.write(text)
    out.flush()
    assert out.buffer.getvalue().decode(encoding) == written
