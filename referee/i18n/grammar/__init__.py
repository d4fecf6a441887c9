"""How each language names and lists tiles, sets and colours: one module for each language.

`base` has the methods that every language must define, and those that are the same for most languages.
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
"""Languages by code (ISO 639-1). English is the language that others fall back to."""
