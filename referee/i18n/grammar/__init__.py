"""How each language names tiles, sets and colours, and joins several of them: one module a language.

`base` says what a language must know, and what it does where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.i18n.grammar.base import Language
from referee.i18n.grammar.english import English
from referee.i18n.grammar.french import French
from referee.i18n.grammar.german import German
from referee.i18n.grammar.italian import Italian

__all__ = ["GRAMMARS", "Language"]

GRAMMARS: Mapping[str, Language] = {"en": English(), "de": German(), "fr": French(), "it": Italian()}
"""By the code of the language (ISO 639-1); English is what others fall back to."""
