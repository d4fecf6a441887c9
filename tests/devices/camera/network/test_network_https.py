"""Cameras over https: whose certificate somebody vouches for, or is the very one that the settings name."""

import hashlib
import shutil
import ssl
import subprocess
import time

import pytest
from network_servers import Camera, serving, taken_at

from referee.devices.camera.network import wire
from referee.devices.camera.network.camera import NetworkCamera, NetworkSettings
from referee.errors import BadInput, CameraLost, Loss
from referee.i18n import error_text
from tests.support.errors import telling

OPENSSL = shutil.which("openssl")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="no openssl here to make a certificate with")


@pytest.fixture(autouse=True)
def _servers():
    with serving.ended():
        yield


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A certificate that a camera has made for itself, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    files = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(  # noqa: S603 - openssl, with words of our own
        [str(OPENSSL), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=camera",
         "-addext", "subjectAltName=IP:127.0.0.1", "-out", str(files[0]), "-keyout", str(files[1])],
        check=True, capture_output=True,
    )  # fmt: skip
    return files


def fingerprint(own):
    der = ssl.PEM_cert_to_DER_cert(own[0].read_text())
    return "sha256:" + hashlib.sha256(der).hexdigest()


def opened(own, path="/video", **settings):
    server = serving(Camera(tls=own))
    return server, NetworkCamera(
        NetworkSettings(timeout_s=30.0, source=server.url(path, "https"), lag_s=0.2, **settings)
    )


def refused(own, **settings):
    server = serving(Camera(tls=own))
    with pytest.raises(CameraLost) as caught:
        NetworkCamera(NetworkSettings(timeout_s=30.0, source=server.url("/video", "https"), **settings))
    assert server.requests == []
    return caught.value


@pytest.mark.parametrize("path", ["/video", "/shot.jpg"])
def test_a_certificate_of_its_own_is_taken_where_the_settings_name_it(own, path):
    _, camera = opened(own, path, certificate=fingerprint(own).upper().replace("SHA256:", ""))
    after = time.monotonic()
    assert taken_at(camera.frame(after).picture) >= after
    camera.close()


def test_otherwise_it_is_refused_and_nothing_sent(own):
    error = refused(own, user="anna", password="s3cret")  # noqa: S106 - nobody's
    assert error.kind is Loss.UNUSABLE
    assert "set [camera] certificate" in error_text(error)


def test_another_than_the_one_named_is_refused_and_the_found_one_told(own):
    error = refused(own, certificate="sha256:" + "ab" * 32)
    assert error.kind is Loss.UNUSABLE
    assert fingerprint(own) in error_text(error)


def test_one_that_somebody_vouches_for_must_be_of_that_host(own, monkeypatch):
    trusting = ssl.create_default_context(cafile=str(own[0]))
    monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
    server, camera = opened(own)
    camera.close()
    with telling(CameraLost, match="Hostname mismatch"):
        NetworkCamera(
            NetworkSettings(timeout_s=30.0, source=server.url("/video", "https").replace("127.0.0.1", "localhost"))
        )


def test_what_speaks_no_https_is_told(own):
    with telling(CameraLost, match="to speak https"):
        NetworkCamera(
            NetworkSettings(timeout_s=30.0, source=serving().url("/video", "https"), certificate=fingerprint(own))
        )


@pytest.mark.parametrize("text", ["sha256:", "sha1:" + "ab" * 20, "ab" * 31, "camera.pem"])
def test_a_fingerprint_is_64_digits(text):
    with telling(BadInput, match="64 hexadecimal digits"):
        NetworkCamera(NetworkSettings(timeout_s=30.0, source="https://127.0.0.1/", certificate=text))
    with pytest.raises(ValueError):  # noqa: PT011 - whoever calls it says what was wrong
        wire.fingerprint_of(text)
