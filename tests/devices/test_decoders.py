"""What decoders print is ours to tell; whatever others write meanwhile is passed on."""

import os

import cv2
import numpy as np

from referee.devices.decoders import collected_complaints


def jpeg() -> bytes:
    return cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (60, 90, 3), np.uint8))[1].tobytes()


def test_what_a_decoder_prints_is_collected_and_the_rest_passed_on(capfd):
    data = jpeg()
    with collected_complaints() as complaints:
        os.write(2, b"somebody else\n")
        cv2.imdecode(np.frombuffer(data[: len(data) // 2] + b"\xff\xd9", np.uint8), cv2.IMREAD_COLOR)
        os.write(2, b"and another\n")
    assert complaints.lines == ("Corrupt JPEG data: premature end of data segment",)
    assert complaints.damage == "premature end of data segment"
    assert capfd.readouterr().err == "somebody else\nand another\n"


def test_a_few_bytes_before_the_end_are_no_damage(capfd):
    """Cameras fill up the data to whole words."""
    whole = jpeg()
    for extra, damage in ((3, None), (100, "93 extraneous bytes before marker 0xd9")):
        with collected_complaints() as complaints:
            cv2.imdecode(np.frombuffer(whole[:-2] + b"\x55" * extra + b"\xff\xd9", np.uint8), cv2.IMREAD_COLOR)
        assert complaints.damage == damage
    assert capfd.readouterr().err == ""


def test_more_than_is_kept_blocks_nobody(capfd):
    with collected_complaints() as complaints:
        for _ in range(3):
            try:
                os.write(2, b"libpng warning: again\n" * 3000)
            except BlockingIOError:
                continue
    assert complaints.lines[0] == "libpng warning: again"
    assert complaints.damage is None
    assert capfd.readouterr().err == ""
