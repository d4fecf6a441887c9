"""Samples of every notice with plausible fields, for the tests of all sentences and for `docs/sentences.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.game.notation import parse_set, parse_tile
from referee.game.notice import Notice, Value
from referee.game.tiles import Colour
from referee.i18n.notices import NOTICES, Kind

N = Notice
_LEFT = N("box.left", left=66, total=106)
_QUESTION = N("box.is_it", picture=2, place=N("place.top_left"), tile=parse_tile("R7"))
_WHICH = N(
    "reading.which_number", tile=parse_tile("R11"), tiles=parse_set("R11 R8"), place=N("place.top_left"),
    why=N("reading.why_number"),
)  # fmt: skip
_OFFERED = tuple(
    N("play.lettered", letter=letter, what=N("play.label_tile", tile=parse_tile(tile)))
    for letter, tile in (("a", "R11"), ("b", "R8"))
)
_SCORES = (N("play.score", player="Anna", points=35), N("play.score", player="Ben", points=-35))
_SETS = (N("judge.own_set", tiles=parse_set("R5 R6 R7")), N("judge.own_set", tiles=parse_set("R10 B10 **")))
_CORNERS = (N("doctor.corner_top_left"), N("doctor.corner_bottom_right"))
_MARKERS = tuple(N("doctor.marker", marker=number, corner=corner) for number, corner in enumerate(_CORNERS))

PARTS: Mapping[str, Value] = {
    "asked_for": N("words.text", text="1.5"),
    "display": N("panel.display"),
    "events": (N("machine.event", event=3, match=2), N("machine.other_events", number=4)),
    "joker": N("rules.first_joker_stands_for"),
    "obstacles": (N("draw.more_repeats"), N("draw.no_nearer")),
    "pin": N("panel_test.pin", gpio=17, pin=11),
    "pins": (N("panel_test.pin", gpio=17, pin=11), N("panel_test.pin", gpio=27, pin=13)),
    "side": N("doctor.side_left"),
    "spots": (N("doctor.spot", left=20, top=30), N("doctor.spot", left=70, top=10)),
    "begins": N("rules.starts_lot"),
    "ask": N("panel_test.ask_lamp_red"),
    "asked": N("play.cannot_see", doubts=(_WHICH,)),
    "brightest": _CORNERS[1],
    "corner": _CORNERS[0],
    "corners": _CORNERS,
    "counts": (N("doctor.counted_wrong", number=1), N("doctor.counted_attention", number=2)),
    "darkest": _CORNERS[0],
    "do": N("camera.flaw_do"),
    "doubt": _WHICH,
    "doubts": (_WHICH, N("play.covered", place=N("place.right"))),
    "faults": (N("box.blurred"), N("box.face_down", number=2)),
    "had": N("judge.had_only", number=2),
    "holding": (N("play.should_hold", player="Anna", hand=1), N("play.should_hold", player="Ben", hand=12)),
    "how": N("play.straighten_or_say", offered=_OFFERED),
    "lamp": N("console.lamp_red"),
    "left": _LEFT,
    "length": N("console.rounds", rounds=3),
    "marker": _MARKERS[0],
    "markers": _MARKERS,
    "missing": _MARKERS,
    "offered": _OFFERED,
    "otherwise": (N("console.rounds_not", now=3, wanted=1), N("console.handicaps_of_then")),
    "place": N("place.top_left"),
    "places": (N("place.top_left"), N("place.middle")),
    "problems": (N("box.missing", tiles=parse_set("R7 **")),),
    "question": _QUESTION,
    "result": N("console.won", winners=("Anna",)),
    "scores": _SCORES,
    "before": _SCORES,
    "after": _SCORES,
    "sets": _SETS,
    "signs": (N("console.green"), N("console.sound_accepted")),
    "tie": N("rules.tie_shared"),
    "trouble": N("journal.disk_full", where="/var/lib/referee"),
    "way": N("camera.way_mjpeg"),
    "ways": (N("box.way_left"), N("box.way_up")),
    "where": N("box.view_top_left"),
    "who": N("play.name", name="Anna"),
    "wrong": N("reading.too_dark"),
}
"""Values for fields that are notices, by the name of the field."""
EXACTLY: Mapping[str, Value] = {
    "tap.answered.tile": "red 7",
    **dict.fromkeys(
        (
            "draw.met.names",
            *(f"draw.nearer_{why}.names" for why in ("mates", "byes", "paired", "needed", "corrected", "not_found")),
        ),
        (N("words.text", text="Anna"), N("draw.more", count=3)),
    ),
    **dict.fromkeys(
        (f"ranks.my_result{how}.points" for how in ("", "_shared", "_equal")), N("director.amount", amount=12)
    ),
    "ranks.equal_decided.ties": "tables won, total margin",
    "ranks.my_totals.totals": "Anna +40, Ben \N{MINUS SIGN}10, Clara \N{MINUS SIGN}30",
    "results.was_decided.instead": "Anna +40, Ben \N{MINUS SIGN}20, Clara \N{MINUS SIGN}20",
    "results.was_decided.otherwise": "Anna +40, Ben \N{MINUS SIGN}20, Clara \N{MINUS SIGN}20",
    "results.was_rejected_both.otherwise": "Anna +40, Ben \N{MINUS SIGN}20, Clara \N{MINUS SIGN}20",
    "agreed.ties.ties": ("tables won", "opponents' points", "drawing lots"),
    "league.until_then.worth": N("league.worth_place"),
    "final.chosen.direct": "4",
    "final.chosen.more": "2",
    "final.chosen.others": "14",
    "tournament_page.counting_suits.counting": "Tournament points",
    "hall.point_of.points": "1",
    "machine.pi.name": "Raspberry Pi 5",
    "machine.pi_slow.name": "Raspberry Pi Zero",
    "machine.pi_with_cores.name": "Raspberry Pi 5",
    "system.at_address.network": N("system.on_cable"),
    "system.join.name": "Home",
    "system.joining.name": "Home",
    "system.on_wifi.name": "Home",
    "system.wifi_back.name": "Home",
    "system.wifi_gone.name": "Home",
    "system.wifi_joined.name": "Home",
    "system.wifi_needs_password.name": "Home",
    "system.wifi_not_joined.name": "Home",
    "system.wifi_password.name": "Home",
    "ranks.no_rating.found": "1850 Elo",
    "update.back.why": N("update.why_stopped"),
    "update.back.before": "0.1.0-9b27e13",
    "update.failed.why": N("update.why_damaged"),
    "update.failed.before": "0.1.0-9b27e13",
    "update.why_no_copy.reason": "No space left on device",
    "system.use_zone.zone": "Europe/Rome",
    "system.zone_set.zone": "Europe/Rome",
    "statistics.first_meld.turn": "2.4",
    "box.not_usable.place": "--set table.box",
    "box.not_usable.why": "this box was enrolled with another model",
    "buttons.seconds_left.seconds": "40",
    "camera.flaw.found": N("play.camera_moves"),
    "camera.flaw.do": N("box.hold_still"),
    "camera.net_no_picture.found": N("camera.way_none"),
    "camera.keeps_no_exposure.asked": N("camera.value_ms", ms=8.0),
    "camera.keeps_no_exposure.found": N("camera.value_ms", ms=20.0),
    "camera.keeps_no_focus.asked": N("camera.value_metres", metres=0.6),
    "camera.keeps_no_focus.found": N("camera.value_infinity"),
    "camera.keeps_no_gain.asked": N("camera.value_gain", gain=1.5),
    "camera.keeps_no_gain.found": N("camera.value_gain", gain=8.0),
    "camera.keeps_no_white_balance.asked": N("camera.value_colours", red=1.5, blue=2.0),
    "camera.keeps_no_white_balance.found": N("camera.value_none"),
    "camera.net_address_wanted.found": N("camera.address_no_host"),
    "camera.net_other_certificate.found": "4f:1c:9a:07",
    "camera.picamera2_too_old.found": "0.3.9",
    "camera.says.what": N("play.camera_moves"),
    "page.rules_contradict.why": N("rules.why_no_winning_set"),
    "camera.waiting.why": N("camera.net_closed", place="http://192.168.1.20:8080"),
    "console.page_at.address": "http://192.168.1.30:8080",
    "console.page_waits.address": "http://192.168.1.30:8080",
    "console.rules_box.players": "2-4",
    "director.changed_why.why": "two tiles were read wrongly",
    "director.refused.why": N("play.not_now"),
    "director.was_corrected.after": "35, 12",
    "director.was_corrected.before": "12, 35",
    "director.was_swapped.one": "Anna",
    "director.was_swapped.other": "Ben",
    "director.was_withdrawn.tables": "Anna, Ben | Cleo, Dora",
    "draw.seat.times": "1, 0, 1, 0",
    "draw.stands.places": ("2", "4", "5"),
    "doctor.check_failed.text": "list index out of range",
    "doctor.known_table_unread.why": "Expected at least 3 of the markers 0-3 in the picture, found 1 (2).",
    "doctor.known_table_wrong.tiles": ("R7", "B8"),
    "doctor.markers_foreign.why": N("reading.foreign_ids", found="17"),
    "doctor.sentences.told": (N("doctor.stop_service"),),
    "doctor.tinted.tint": N("doctor.tint_blue"),
    "hall.sum.tables": "12",
    "journal.disk_fails_twice.why": N("words.text", text="Input/output error"),
    "journal.misfit.why": N("words.text", text="player 5 of 4"),
    "journal.reads_otherwise.found": N("words.text", text="Input/output error"),
    "journal.rescued.why": N("words.text", text="Input/output error"),
    "journal.rescued_cut.why": N("words.text", text="Input/output error"),
    "journal.rows_lost.why": N("journal.disk_fails", reason="Input/output error", where="/var/lib/referee"),
    "journal.unknown_event.why": N("words.text", text="player 5 of 4"),
    "journal.unknown_rules.why": N("words.text", text="canasta"),
    "journal.misfit.kind": "press",
    "journal.foreign.tables": ("songs", "albums"),
    "journal.no_folder.found": N("words.text", text="/var/lib/referee"),
    "judge.joker_lies_as.stands": parse_tile("B8"),
    "judge.joker_lies_as.wanted": parse_tile("B11"),
    "judge.jokers_lie_as.stands": parse_set("B4 B5"),
    "judge.jokers_lie_as.wanted": parse_set("B8 B9"),
    "reading.which_colour.tile": parse_tile("R11"),
    "reading.which_colour.tiles": parse_set("R11 B11"),
    "reading.which_number.tile": parse_tile("R11"),
    "reading.which_number.tiles": parse_set("R11 R8"),
    "reading.which_tile.tiles": parse_set("R11 B8 **"),
    "machine.camera_failed.text": "list index out of range",
    "machine.journal_elsewhere.folder": "/home/anna/referee",
    "machine.power_now.faults": (N("machine.voltage_is_low"), N("machine.hot_now")),
    "machine.power_past.faults": (N("machine.voltage_was_low"), N("machine.was_hot")),
    "page.live_moves.state": N("page.live_turn", player="Anna"),
    "panel.oled.address": "0x3c",
    "panel_test.closed_together.buttons": ("button-1", "button-2"),
    "panel_test.interfaces_on.interfaces": (
        N("panel_test.has_pins", interface="SPI", pins=(N("panel_test.pin", gpio=9, pin=21),)),
    ),
    "panel_test.pressed_at_rest.buttons": (
        N("panel_test.button_at", button="Start", pin=N("panel_test.pin", gpio=17, pin=11)),
    ),
    "panel_test.switch_off.interfaces": ("SPI",),
    "results.is_disputed_with.instead": "30 : -30",
    "results.page_of.pages": "3",
    "results.was_overruled.instead": "30 : -30",
    "rules.box_too_small.holds": N("rules.holds", copies=1, jokers=0),
    "rules.box_too_small.needed": N("rules.holds", copies=2, jokers=2),
    "rules.contradiction.book": "Piatnik",
    "rules.contradiction.one": "winning-set=off",
    "rules.contradiction.other": "winning-sum=at-least",
    "rules.contradiction.why": N("rules.why_no_winning_set"),
    "rules.first_meld.joker": N("rules.first_joker_counts", points=25),
    "lens.stray.picture": N("lens.view", number=5),
    "lens.left.wants": (N("lens.want_pictures", number=3), N("lens.want_tilt")),
    "lens.left_out.why": N("lens.stray", wanted=0.25, found=0.8, picture=N("lens.view", number=5)),
    "lens.want_places.places": (N("box.view_top_left"), N("box.view_right")),
    "box.expected_place.found": "2:430=R7",
    "box.expected_place_such_as.found": "2:430=R7",
    "box.expected_place_such_as.places": "2:430,210 3:88,512",
    "console.known_keys.place": "2:430,210=R7",
    "box.more_than_held.tiles": (N("box.so_often", tile=parse_tile("R7"), times=3),),
    "console.season_not.now": N("console.season", season="Winter"),
    "console.season_not.wanted": N("console.no_season"),
    "console.sentence.what": N("console.won", winners=("Anna", "Ben")),
    "doctor.marker_gone.missing": _MARKERS[0],
    "judge.not_a_set.why": N("judge.why_numbers_differ"),
    "scores.because.why": "two tiles were read wrongly",
    "scores.by_because.why": "two tiles were read wrongly",
    "setup.address.address": "http://192.168.1.30:8080/panel",
    "tournament_page.begin_count.tables": "16",
    "tournament_page.byes.players": "Cleo, Dora",
    "tournament_page.done.what": "Round 3",
    "tournament_page.picked.one": "Anna",
    "tournament_page.picked.other": "Ben",
    "people.tries.what": N("people.slip_too_short"),
    "words.at.place": "--set table.tileset",
    "words.at.told": N("play.no_voice", program="espeak-ng"),
    "people.late.what": N("people.slip_too_short"),
    "people.shows_wrong_hand.what": N("people.slip_hand_short"),
}
"""Values by key and field, where `PARTS` or `PLAIN` does not have a suitable one."""
_MATCH = ("match.sentence", "match.hold_if_right", "match.counts_as_it_lies")
_LABELS = ("play.choice", "play.is_it", "play.is_it_holding", "play.lettered")

TEXTS: Mapping[str, str] = {
    "version": "0.2.0-4f1c9a0",
    "address": "192.168.1.10:1883", "advice": "sudo systemctl restart referee", "after": "2026-03-01 18:30",
    "at": "table-7", "before": "2026-03-08 21:15", "book": "Classic Rummy", "bound": "2", "box": "kitchen",
    "button": "Start", "buttons": "1", "choice": "3", "client": "table-7", "command": "pause", "contact": "button-1",
    "date": "1 March 2026",
    "damage": "page 7", "day": "2026-03-01", "done": "5", "end": "q", "enrol": "enrol", "error": "OSError",
    "examples": "http://192.168.1.20:8080/video", "file": "referee-damaged-1.db", "folder": "/var/lib/referee",
    "found": "DICT_6X6_250", "group": "B", "has": "rummikub", "here": "30", "interface": "SPI", "interfaces": "SPI",
    "keys": "1 2 s", "score": "61.5", "strength": "26.5",
    "kind": "usb", "lamps": "red", "league": "Thursday league", "letter": "a",
    "log": "referee.db-wal", "machine": "x86_64", "made": "2026-02-01",
    "markers": "1, 3", "minutes": "5",
    "name": "classic", "now": "rummikub", "number": "1", "of": "3", "oldest": "0.3.12",
    "one": "tie=shared", "option": "minutes = 2 | 1 | 3", "other": "minutes=1", "page": "http://192.168.1.30:8080/enter",
    "part": "red", "path": "/var/lib/referee/referee.db", "picture": "batch-1.jpg", "pin": "493027",
    "place": "http://192.168.1.20:8080", "players": "32", "points": "35", "pressed": "button-2", "process": "4711",
    "program": "espeak-ng", "ready": "14", "reason": "Permission denied", "repeats": "3", "round": "2", "rounds": "5",
    "rules": "classic", "season": "2026", "seconds": "0:40", "sensor": "imx708", "service": "/var/lib/referee",
    "setting": "[camera] lag_s", "silent": "1", "slug": "club-evening", "sound": "beep", "state": "active",
    "step": "camera", "table": "3", "tables": "songs", "target": "/etc/passwd", "text": "Ten minutes to go",
    "tiles": "R7", "tileset": "classic", "time": "18:42", "to": "http://192.168.1.21", "topic": "club/tables/table-7",
    "tournament": "Spring cup", "counting": "Tournament points", "result": "Anna 10, Ben -10",
    "total": "12", "user": "referee", "waiting": "2", "team": "Red Foxes", "wanted": "classic", "what": "classic",
    "device": "/dev/v4l-subdev0",
    "when": "2026-03-01 18:30", "where": "/var/lib/referee", "who": "Cleo", "why": "No space left on device",
}  # fmt: skip
"""Values for fields with a text that is shown unchanged, by the name of the field."""
PLAIN: Mapping[Kind, tuple[Value, Value]] = {
    Kind.TILE: (parse_tile("R11"), parse_tile("**")),
    Kind.TILES: (parse_set("R11"), parse_set("B12 ** ** K1")),
    Kind.SET: (parse_set("R11 R12 R13"), parse_set("R7 B7 **")),
    Kind.COLOUR: (Colour.RED, Colour.ORANGE),
    Kind.NUMBER: (1, 3),
    Kind.AMOUNT: (1.5, 20.0),
    Kind.NAME: ("Anna", "Ben"),
    Kind.NAMES: (("Anna",), ("Anna", "Ben", "Cleo")),
}
"""Values by kind of field: one for the singular, and one for the plural."""


def samples(key: str) -> Iterator[Notice]:
    """Yield the notice in the singular and in the plural; only once if it has no fields."""
    fields = NOTICES[key].fields
    for number in range(2 if fields else 1):
        yield Notice(key, **{name: value(key, name, kind, number) for name, kind in fields.items()})


def value(key: str, name: str, kind: Kind, number: int) -> Value:
    """Return a plausible value for a field; `number` is 0 for the singular, 1 for the plural."""
    if kind in PLAIN and f"{key}.{name}" in EXACTLY:
        return EXACTLY[f"{key}.{name}"]
    if kind is Kind.NAME and name in TEXTS:
        return TEXTS[name]
    if kind in PLAIN:
        return PLAIN[kind][number]
    part = _part(key, name)
    if kind is Kind.NOTICE:
        return part[0] if isinstance(part, tuple) else part
    several = part if isinstance(part, tuple) else (part, part)
    return several[:1] if number == 0 else several


def _part(key: str, name: str) -> Value:
    if f"{key}.{name}" in EXACTLY:
        return EXACTLY[f"{key}.{name}"]
    if key in _MATCH:
        return N("match.miscounted", player="Ben", hand=3, shown=2)
    if key in _LABELS and name == "what":
        return N("play.label_tile", tile=parse_tile("R11"))
    if name == "why" and key.startswith("reading."):
        return N("reading.why_number")
    found = PARTS.get(name, N("words.text", text="..."))
    known = found if isinstance(found, Notice) else N("words.text", text="...")
    return found if isinstance(found, tuple) or known.key in NOTICES else N("words.text", text="...")
