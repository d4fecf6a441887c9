"""The sentences of a page: in the language of its reader, and in words for families.

Families do not see messages that are meant for operators. Operators find them on the console, in the log and in the
output of `referee doctor`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response

from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, Tile
from referee.i18n import LANGUAGES, Wording
from referee.i18n.wording import sendable

_CAMERA, _PANEL = Notice("setup.step_camera"), Notice("setup.step_panel")
NO_CAMERA = Notice("page.no_camera", step=_CAMERA)
BUSY, STUCK, SILENT = Notice("page.camera_busy"), Notice("page.camera_stuck"), Notice("page.camera_silent")
OTHER_SOURCE = Notice("page.camera_source", step=_CAMERA)
UNREACHED, LOGIN = Notice("page.camera_unreached", step=_CAMERA), Notice("page.camera_login", step=_CAMERA)
NOT_LOCAL = Notice("page.camera_not_local")
NO_PANEL = Notice("page.no_panel", step=_PANEL)
NOT_IN_ORDER = Notice("page.not_in_order")
NOT_POSSIBLE = Notice("page.not_possible")
CARD_FAILS = Notice("page.card_fails")

_SENTENCES: Mapping[Notice, tuple[str, ...]] = {
    NO_CAMERA: (
        "camera.pi_absent", "camera.pi_usb_only", "camera.picamera2_too_old", "camera.picamera2_unknown",
        "camera.no_picamera2", "camera.no_picamera2_because", "camera.wrong_numpy", "camera.usb_absent",
    ),
    BUSY: ("camera.usb_busy", "camera.pi_busy", "camera.net_busy"),
    STUCK: ("camera.stuck", "play.camera_stuck_for_good"),
    SILENT: (
        "camera.pi_silent", "camera.pi_lost", "camera.pi_closed", "camera.usb_no_picture", "camera.usb_no_colour",
        "camera.usb_closed", "camera.usb_silent", "camera.usb_failed", "camera.too_early", "camera.no_moment",
        "camera.moment_never_comes", "camera.lost_again",
    ),
    OTHER_SOURCE: (
        "camera.usb_number_wanted", "camera.net_address_wanted", "camera.address_elsewhere", "camera.path_wanted",
        "camera.no_folder", "camera.folder_closed", "camera.folder_empty", "camera.no_video",
        "camera.video_unplayable", "camera.video_empty",
    ),
    NOT_LOCAL: ("camera.net_not_local",),
    LOGIN: ("camera.net_login_refused", "camera.net_login_asked", "camera.net_login_missing"),
    UNREACHED: (
        "camera.net_no_camera", "camera.net_absent", "camera.net_closed", "camera.net_same", "camera.net_old",
        "camera.net_damaged", "camera.net_silent", "camera.net_fault", "camera.net_no_pictures", "camera.net_ended",
        "camera.net_no_picture", "camera.net_not_read", "camera.net_cut_off", "camera.net_no_answer",
        "camera.net_certificate_refused", "camera.net_no_https", "camera.net_no_https_answer",
        "camera.net_other_certificate", "camera.net_unplayable", "camera.net_no_host", "camera.net_no_name",
        "camera.net_leaves_https", "camera.net_moved_to_rtsp", "camera.net_sends_on",
        "camera.net_stream_moved", "camera.net_silence", "camera.net_answer_failed", "camera.net_refused",
        "camera.net_no_path", "camera.net_answered", "camera.net_lost_again",
    ),
    NO_PANEL: ("panel.no_lgpio", "panel.no_pins"),
    Notice("page.no_display"): ("panel.no_display",),
    CARD_FAILS: (
        "journal.disk_fails", "journal.disk_fails_twice", "journal.log_left", "journal.reads_otherwise",
        "journal.rows_missing", "journal.rows_lost", "journal.no_pictures",
    ),
    Notice("page.card_full"): ("journal.disk_full",),
    Notice("page.card_full_unplayed"): ("journal.disk_full_unplayed",),
    Notice("page.card_locked"): ("journal.read_only",),
    Notice("page.card_locked_unplayed"): ("journal.read_only_unplayed",),
    Notice("page.clock_back"): ("journal.clock_stays_back",),
    NOT_IN_ORDER: (
        "journal.altered", "journal.bad_events", "journal.bad_version", "journal.closed_folder", "journal.damaged",
        "journal.damaged_because", "journal.foreign", "journal.foreign_empty", "journal.held", "journal.in_use",
        "journal.in_use_unknown", "journal.log_garbled", "journal.misfit", "journal.newer", "journal.no_folder",
        "journal.other_event", "journal.planted_link", "journal.planted_no_file", "journal.planted_second_name",
        "journal.unknown_rules",
    ),
    Notice("page.no_voice"): ("play.no_voice",),
    Notice("system.vanishes"): ("machine.journal_vanishes",),
    Notice("system.keep_evening"): ("machine.give_it_a_partition",),
    Notice("system.make_room"): ("machine.make_room", "machine.make_room_or_fewer", "machine.make_room_or_larger"),
    Notice("system.card_full"): ("machine.no_room_left",),
    Notice("system.disk_fails"): (
        "machine.as_referee_or_elsewhere", "machine.card_read_only", "machine.not_written", "machine.room_unknown",
    ),
    Notice("play.stumbled"): ("play.stumbled_over",),
    Notice("page.fixed_elsewhere"): ("setup.held_elsewhere",),
    Notice("page.not_kept"): ("setup.not_kept",),
    NOT_POSSIBLE: ("setup.not_taken",),
    Notice("page.markers_hidden"): ("reading.too_few_markers",),
    Notice("page.markers_wrong", step=Notice("setup.step_table")): (
        "reading.foreign_ids", "reading.foreign_markers", "reading.odd_markers", "reading.two_tables",
        "doctor.markers_foreign",
    ),
    Notice("page.clean_lens"): ("camera.clean_lens",),
    Notice("page.other_box"): ("box.not_usable",),
    Notice("page.no_club"): (
        "club.expects_tls", "club.failed", "club.no_broker", "club.no_ca", "club.no_tls", "club.not_allowed",
        "club.old_broker", "club.refused", "club.taken_over", "club.wrong_certificate", "club.wrong_password",
    ),
}  # fmt: skip
_INSTEAD = {key: told for told, keys in _SENTENCES.items() for key in keys}
_AROUND = ("camera.says", "words.at")
"""Notices that only name the part that the notice within them is about."""
NOT_FOUND = 404
_FILES = (".png", ".jpg", ".svg", ".txt", ".zip", ".ico")
"""How addresses of files end, other than JSON, scripts and styles."""
COOKIE = "language"
_ALONE = re.compile(r" (?=[:;?!»])|(?<=«) ")
"""The blanks that French has before or after these signs; a line must not break there."""
_UNITS = "mm|cm|m|ms|s|min|kB|[MG]B|[KMG]o|px|%|°C|V|dBm|Hz"
_VALUE = re.compile(rf"(?<=[\d}}]) (?=(?:{_UNITS})(?!\w))|(?<=\d) (?=[x\u00d7] \d)|(?<=\d [x\u00d7]) (?=\d)")
"""The blanks within a value, between number and unit or width and height; `}` ends what a script fills in."""
_CARDS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}


def for_family(told: Notice) -> Notice:
    """Return the notice that a family reads instead; the same notice if it is meant for everybody."""
    if told.key in _INSTEAD:
        return _INSTEAD[told.key]
    fields = dict(told.fields)
    inner = next((value for value in fields.values() if isinstance(value, Notice)), None)
    if inner is not None and told.key in _AROUND and inner.key in _INSTEAD:
        return _INSTEAD[inner.key]
    if inner is not None and told.key == "camera.waiting":
        return Notice("page.camera_waits", why=for_family(inner))
    if inner is not None and told.key == "rules.contradiction":
        return Notice("page.rules_contradict", why=inner)
    return told


class PageWording(Wording):
    """Wording for a page that families read."""

    def of_faces(self, faces: str) -> PageWording:
        """Return the same language for tiles of other faces."""
        return PageWording(self.language, faces)

    def _number(self, value: float, how: str) -> str:
        return super()._number(value, how).replace("-", "\N{MINUS SIGN}")

    def __call__(self, told: Notice) -> str:
        """Return the notice in words for families.

        Blanks at which a line must not break are non-breaking: those within a value with its unit, and in French those
        before punctuation marks.
        """
        text = _VALUE.sub("\N{NO-BREAK SPACE}", super().__call__(for_family(told)))
        return _ALONE.sub("\N{NO-BREAK SPACE}", text) if self.language == "fr" else text


def language_of(request: HTTPConnection) -> str:
    """Return one of LANGUAGES: by `lang` in the address, the cookie or Accept-Language, or that of the table."""
    for chosen in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if chosen in LANGUAGES:
            return str(chosen)
    return accepted_language(request.headers.get("accept-language", "")) or request.app.state.language


def accepted_language(header: str) -> str | None:
    """Return the language of ours that a browser prefers by its weights; None if it accepts none."""
    found = []
    for place, item in enumerate(header[:500].split(",")):
        matched = re.fullmatch(r"\s*([a-zA-Z]{2,3})(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*", item)
        if matched and matched[1].lower() in LANGUAGES:
            found.append((-float(matched[2] or 1), place, matched[1].lower()))
    return min(found)[2] if found else None


def notice_response(
    request: HTTPConnection,
    notice: Notice,
    status: int,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> JSONResponse:
    """Return an answer that is one plain sentence, and the members of `more`."""
    body = {"told": sendable(PageWording(language_of(request))(notice)).decode(), **(more or {})}
    return JSONResponse(body, status, {"Cache-Control": "no-store", **(headers or {})})


def sentence_response(
    request: HTTPConnection, notice: Notice, status: int, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an answer that is one plain sentence, in the kind that a client expects of the address.

    That is JSON for data (see openapi.py), and plain text for a file that does not exist, such as a picture. Otherwise
    it is plain text if the client accepts HTML, and JSON if it does not.
    """
    path = request.url.path
    data = path.startswith("/api/") or path.endswith((".json", ".csv"))
    file = status == NOT_FOUND and path.endswith(_FILES)
    if data or (not file and "text/html" not in request.headers.get("accept", "")):
        return notice_response(request, notice, status, headers)
    text = PageWording(language_of(request))(notice)
    return PlainTextResponse(sendable(text), status, {"Cache-Control": "no-store", **(headers or {})})


def missing_picture(request: HTTPConnection) -> Response:
    """Return the answer for a picture that does not exist or is no longer kept."""
    return sentence_response(request, Notice("page.no_such_picture"), NOT_FOUND)


def face(tile: Tile | None, words: Wording) -> dict[str, Any]:
    """Return one tile: its key as in other JSON, its sign, its colour, the letters for the colour, and its name."""
    if tile is None:
        return {"tile": FACE_DOWN, "sign": "", "colour": "", "letters": "", "name": words(Notice("play.label_back"))}
    name = words(Notice("play.label_tile", tile=tile))
    if tile.colour is None:
        return {"tile": tile.name, "sign": "\u2605", "colour": "joker", "letters": "", "name": name}
    return {
        "tile": tile.name,
        "sign": sign(tile, words),
        "colour": tile.colour.name.lower(),
        "letters": words(Notice(f"page.letters_{tile.colour.name.lower()}")),
        "name": name,
    }


def sign(tile: Tile, words: Wording) -> str:
    """Return what is printed on a tile: its number, or the letter of a card in this language."""
    card = _CARDS.get(tile.number) if words.faces == "cards" else None
    return str(tile.number) if card is None else words(Notice(f"page.card_{card}"))


def faces(tiles: Iterable[Tile | None], words: Wording) -> list[dict[str, Any]]:
    """Return several tiles, each as `face()` does."""
    return [face(tile, words) for tile in tiles]
