"""`referee play` with a camera that hangs in the kernel before the match: told, rebooted only where that is wanted."""

import pytest

from referee.cli.programs import opening
from referee.errors import CameraLost, Loss
from referee.settings.settings import CameraSettings


@pytest.mark.parametrize(
    ("wanted", "refused", "asked", "told"),
    [
        (False, None, 0, []),
        (True, None, 1, []),
        (True, "Access denied", 1, ["camera: the machine cannot be rebooted: Access denied"]),
    ],
)
def test_a_camera_that_hangs_in_the_kernel_is_not_waited_for(wanted, refused, asked, told, monkeypatch):
    said, reboots = [], []

    def stuck(*_):
        raise CameraLost("expected a camera that is free, found that it has hung", Loss.STUCK)

    monkeypatch.setattr(opening.build, "camera_of", stuck)
    monkeypatch.setattr(opening, "tell", said.append)
    monkeypatch.setattr(opening, "reboot", lambda: reboots.append(1) or refused)
    with pytest.raises(CameraLost):
        opening.camera(CameraSettings(reboot=wanted))
    assert (len(reboots), said) == (asked, told)
