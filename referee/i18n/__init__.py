"""Sentences: what players read and hear, in English, German, French and Italian, made of notices.

`notices` declares every key with its fields, `locale` holds the catalogues, `grammar` names tiles in each language.
"""

from referee.i18n.wording import ENGLISH, LANGUAGES, Wording, error_text

__all__ = ["ENGLISH", "LANGUAGES", "Wording", "error_text"]
