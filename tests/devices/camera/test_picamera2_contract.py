"""The double of picamera2 beside the real one: names, signatures, numbers of controls, ranges, wherever it is there.

A Pi has it, and so has a root with the real picamera2 on libcamera's virtual camera; elsewhere this file is skipped.
The ranges of an imx708 stand in libcamera's source, not in a camera that is not there: they are held against a real
camera where one is connected.
"""

import importlib.util
import inspect

import picamera2_double as double
import pytest
from camera_doubles import Clock

from referee.devices.camera import pi_focus
from referee.devices.camera.pi_opening import tuning_of, without_adaptation

MISSING = [name for name in ("picamera2", "libcamera") if importlib.util.find_spec(name) is None]
needs_both = pytest.mark.skipif(bool(MISSING), reason=f"no {' and no '.join(MISSING)} here, as on a Pi")


def real():
    import picamera2

    return picamera2


METHODS = {
    "create_video_configuration": ("main", "lores", "buffer_count", "queue", "controls"),
    "configure": (),
    "start": (),
    "set_controls": (),
    "capture_request": ("wait", "flush"),
    "cancel_all_and_flush": (),
    "close": (),
    "stop": (),
}
"""What the adapter calls on a camera, and what it names in the call."""
ON_REQUESTS = ("make_array", "get_metadata", "release")


@needs_both
class TestReal:
    @pytest.mark.parametrize("name", METHODS)
    def test_every_call_of_the_adapter_fits_the_real_class(self, name):
        parameters = inspect.signature(getattr(real().Picamera2, name)).parameters
        assert set(METHODS[name]) <= set(parameters)
        required = [
            one.name
            for one in parameters.values()
            if one.default is inspect.Parameter.empty and one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        ]
        allowed = {"configure": 1, "set_controls": 2}
        assert len(required) <= allowed.get(name, 1)  # `self`, and what the adapter gives without a name

    def test_a_camera_is_made_as_the_adapter_makes_it(self):
        kind = real().Picamera2
        assert "tuning" in inspect.signature(kind.__init__).parameters
        assert list(inspect.signature(kind.load_tuning_file).parameters)[:1] == ["tuning_file"]
        assert callable(kind.global_camera_info)
        assert callable(kind._cm.reset)
        assert kind._cm.cameras == {}

    def test_a_request_has_what_the_adapter_asks_it_for(self):
        from picamera2.request import CompletedRequest

        assert all(callable(getattr(CompletedRequest, name)) for name in ON_REQUESTS)
        assert list(inspect.signature(CompletedRequest.make_array).parameters)[:2] == ["self", "name"]

    @pytest.mark.parametrize("name", pi_focus.ENUMS)
    def test_the_numbers_are_libcameras_own(self, name):
        import libcamera

        enum = getattr(libcamera.controls, name)
        assert {one: int(getattr(enum, one)) for one in pi_focus.ENUMS[name]} == pi_focus.ENUMS[name]

    @pytest.mark.parametrize("name", [*pi_focus.SET, *pi_focus.READ])
    def test_every_control_and_field_has_its_name_in_libcamera(self, name):
        import libcamera

        assert hasattr(libcamera.controls, name)

    def test_windows_are_rectangles_and_a_list_of_them_is_taken(self):
        import libcamera
        from picamera2.controls import Controls

        assert libcamera.controls.AfWindows.type == libcamera.ControlType.Rectangle
        if Controls.get_libcamera_controls.__module__ != "picamera2.controls":
            pytest.skip("the controls are simulated here: the virtual camera has none")
        camera = type("Camera", (), {"camera_ctrl_info": {"AfWindows": (libcamera.controls.AfWindows, None)}})()
        controls = Controls(camera, {"AfWindows": [(1, 2, 3, 4), (5, 6, 7, 8)]})
        made = controls.get_libcamera_controls()[libcamera.controls.AfWindows]
        assert [one.to_tuple() for one in made] == [(1, 2, 3, 4), (5, 6, 7, 8)]

    @pytest.mark.parametrize("model", ["imx708", "imx708_wide", "imx477"])
    def test_the_tunings_that_are_installed_can_be_stilled(self, model):
        kind = real().Picamera2
        try:
            whole = kind.load_tuning_file(f"{model}.json")
        except RuntimeError:
            pytest.skip(f"no tuning for {model} is installed here")
        assert without_adaptation(whole) == tuning_of(kind, model) is not None

    def test_a_connected_camera_has_the_ranges_of_the_double(self):
        kind = real().Picamera2
        found = [one for one in kind.global_camera_info() if "imx708" in one["Model"] and "/base" in one["Id"]]
        if not found:
            pytest.skip("no Camera Module 3 is connected")
        camera = kind()
        try:
            own = camera.camera_controls
        finally:
            camera.close()
        assert set(double.LIMITS) <= set(own)
        for name in ("AfMode", "AfTrigger", "AfMetering", "AeConstraintMode"):
            assert tuple(map(int, own[name][:2])) == double.LIMITS[name][:2]
        assert own["LensPosition"][0] <= 1 / 10
        assert own["LensPosition"][1] >= 1 / 0.1
        assert own["AnalogueGain"][1] >= 8.0


class TestDouble:
    """What can be held against the adapter's own lists anywhere."""

    def test_it_knows_every_control_that_is_set_and_no_other(self):
        assert set(double.LIMITS) == set(pi_focus.SET)
        assert set(pi_focus.FOCUSING) == double.FOCUS

    @pytest.mark.parametrize("name", METHODS)
    def test_it_takes_what_the_adapter_gives(self, name):
        assert set(METHODS[name]) <= set(inspect.signature(getattr(double.Picamera2, name)).parameters)

    def test_its_pictures_tell_every_field_that_is_read(self):
        device = double.Picamera2(Clock())
        size = {"size": (640, 480)}
        main, lores = {**size, "format": "RGB888"}, {**size, "format": "YUV420"}
        device.configure(device.create_video_configuration(main, lores, 4, queue=False, controls={}))
        device.start()
        request = device.capture_request(wait=1.0, flush=1)
        assert set(pi_focus.READ) <= set(request.get_metadata())
        request.release()
