"""The HTML pages, made from templates in the language that a browser accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.i18n.wording import sendable
from referee.journal.codec import Schema
from referee.page.command import Command
from referee.page.stream import SILENT_S
from referee.page.wording import COOKIE, PageWording, language_of

NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}
YEAR_S = 365 * 86400


class Pages:
    """Makes pages from templates."""

    def __init__(
        self,
        *folders: Path,
        commands: Mapping[str, Command[Any]] | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        """Read all templates of these folders now, as static files are; for the same name, the first folder is used.

        In a template, `limits("command", "field")` returns the attributes of an input for that field of a command;
        `functions` can be called there, too, by their names.
        """
        paths = [path for folder in reversed(folders) for path in folder.glob("*.html")]
        texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
        self._templates = Environment(loader=DictLoader(texts), autoescape=True, undefined=StrictUndefined)
        self._templates.globals.update(functions or {})
        self._commands = commands or {}

    def words(self, request: Request, faces: str = "numbers") -> Wording:
        """Return the wording in the language that a browser accepts."""
        return PageWording(language_of(request), faces)

    def page(self, request: Request, template: str, status: int = 200, **values: Any) -> Response:
        """Return a page. In its template, `t("key", field=...)` is the sentence of `page.key`, or of a full key."""
        language = language_of(request)
        words = self.words(request)

        def t(key: str, **fields: Any) -> str:
            return words(Notice(key if "." in key else f"page.{key}", **fields))

        text = self._templates.get_template(template).render(
            t=t,
            words=words,
            language=language,
            languages=NAMES,
            path=request.url.path,
            limits=self.limits,
            silent_ms=round(1000 * SILENT_S),
            **values,
        )
        answer = HTMLResponse(sendable(text), status, {"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"})
        if request.query_params.get("lang") in LANGUAGES:
            answer.set_cookie(COOKIE, language, max_age=YEAR_S, samesite="strict", httponly=True)
        return answer

    def limits(self, command: str, *path: str) -> Markup:
        """Return the attributes of an input for a field of a command, or for a part of that field."""
        schema = self._commands[command].codec.schema
        for name in path:
            schema = schema["properties"][name]
        return input_limits(schema)


def input_limits(schema: Schema) -> Markup:
    """Return the attributes that limit an input to the JSON schema of a number or text, or of the items of a list."""
    schema = schema.get("items", schema)
    if schema["type"] == "string":
        return Markup('maxlength="{}"').format(schema["maxLength"])
    step = 1 if schema["type"] == "integer" else "any"
    return Markup('min="{}" max="{}" step="{}"').format(schema["minimum"], schema["maximum"], step)
