"""What families read on the page of a notice made for operators: what to do, without settings, paths or commands.

Operators have the notice itself, on the console, in the log and from the doctor.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.game.notice import Notice

_CAMERA, _PANEL = Notice("setup.step_camera"), Notice("setup.step_panel")
NO_CAMERA = Notice("page.no_camera", step=_CAMERA)
BUSY, STUCK, SILENT = Notice("page.camera_busy"), Notice("page.camera_stuck"), Notice("page.camera_silent")
OTHER_SOURCE = Notice("page.camera_source", step=_CAMERA)
UNREACHED, LOGIN = Notice("page.camera_unreached", step=_CAMERA), Notice("page.camera_login", step=_CAMERA)
NO_PANEL = Notice("page.no_panel", step=_PANEL)
NOT_IN_ORDER = Notice("page.not_in_order")
NOT_POSSIBLE = Notice("page.not_possible")
CARD_FAILS = Notice("page.card_fails")

_SENTENCES: Mapping[Notice, tuple[str, ...]] = {
    NO_CAMERA: (
        "camera.pi_absent", "camera.pi_usb_only", "camera.picamera2_too_old", "camera.picamera2_unknown",
        "camera.no_picamera2", "camera.no_picamera2_because", "camera.wrong_numpy", "camera.usb_absent",
        "camera.net_no_camera", "camera.net_absent",
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
    LOGIN: ("camera.net_login_refused", "camera.net_login_asked", "camera.net_login_missing"),
    UNREACHED: (
        "camera.net_closed", "camera.net_same", "camera.net_old", "camera.net_damaged", "camera.net_silent",
        "camera.net_fault", "camera.net_no_pictures", "camera.net_ended", "camera.net_no_picture",
        "camera.net_not_read", "camera.net_cut_off", "camera.net_no_answer", "camera.net_certificate_refused",
        "camera.net_no_https", "camera.net_no_https_answer", "camera.net_other_certificate", "camera.net_unplayable",
        "camera.net_no_host", "camera.net_no_name", "camera.net_not_local", "camera.net_leaves_https",
        "camera.net_moved_to_rtsp", "camera.net_sends_on", "camera.net_stream_moved", "camera.net_silence",
        "camera.net_answer_failed", "camera.net_refused", "camera.net_no_path", "camera.net_answered",
    ),
    NO_PANEL: ("panel.no_lgpio", "panel.no_pins"),
    Notice("page.no_display"): ("panel.no_display",),
    CARD_FAILS: (
        "journal.disk_fails", "journal.log_left", "journal.reads_otherwise", "journal.rows_missing",
        "journal.rows_lost", "journal.no_pictures",
    ),
    Notice("page.clock_back"): ("journal.clock_stays_back",),
    NOT_IN_ORDER: (
        "journal.altered", "journal.bad_events", "journal.bad_version", "journal.closed_folder", "journal.damaged",
        "journal.damaged_because", "journal.foreign", "journal.foreign_empty", "journal.held", "journal.in_use",
        "journal.in_use_unknown", "journal.log_garbled", "journal.misfit", "journal.newer", "journal.no_folder",
        "journal.other_event", "journal.planted_link", "journal.planted_no_file", "journal.planted_second_name",
        "journal.unknown_rules",
    ),
    Notice("page.no_voice"): ("play.no_voice",),
    Notice("play.stumbled"): ("play.stumbled_over",),
    Notice("page.fixed_elsewhere"): ("setup.held_elsewhere",),
    Notice("page.not_kept"): ("setup.not_kept",),
    NOT_POSSIBLE: ("setup.not_taken",),
    Notice("page.markers_hidden"): ("reading.too_few_markers",),
    Notice("page.markers_wrong", step=Notice("setup.step_table")): (
        "reading.foreign_ids", "reading.foreign_markers", "reading.odd_markers",
    ),
    Notice("page.clean_lens"): ("camera.clean_lens",),
    Notice("page.other_box"): ("box.not_usable",),
    Notice("page.no_club"): (
        "club.expects_tls", "club.no_ca", "club.no_tls", "club.taken_over", "club.wrong_certificate",
        "club.wrong_password",
    ),
}  # fmt: skip
_INSTEAD = {key: told for told, keys in _SENTENCES.items() for key in keys}
_AROUND = ("camera.says", "words.at")
"""Notices that only say of which part another one is."""


def for_family(told: Notice) -> Notice:
    """Return what a family reads instead; the notice itself where that is for everybody."""
    if told.key in _INSTEAD:
        return _INSTEAD[told.key]
    fields = dict(told.fields)
    inner = next((value for value in fields.values() if isinstance(value, Notice)), None)
    if inner is not None and told.key in _AROUND and inner.key in _INSTEAD:
        return _INSTEAD[inner.key]
    if inner is not None and told.key == "camera.waiting":
        return Notice("page.camera_waits", why=for_family(inner))
    return told
