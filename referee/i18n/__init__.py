"""The sentences that players read and hear, made from notices in English, German, French and Italian.

`notices` declares every key with its fields, `locale` has the catalogues, `grammar` names tiles in each language.
"""

from referee.i18n.wording import ENGLISH, LANGUAGES, Wording, error_text

__all__ = ["ENGLISH", "LANGUAGES", "Wording", "error_text"]
