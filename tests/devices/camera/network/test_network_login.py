"""Answers to challenges, by the examples of the standards themselves."""

import pytest

from referee.devices.camera.network.login import Login

MD5 = (
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5,'
    ' nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
)
OWN = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
MUFASA = ("Mufasa", "Circle of Life")


def login(user="Mufasa", password=MUFASA[1]):
    return Login(user, password, lambda: OWN)


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_digest_as_in_rfc_7616(algorithm, response):
    mine = login()
    assert mine.header("GET", "/dir/index.html") is None
    assert mine.take_challenge([MD5.replace("=MD5", f"={algorithm}")], sent=False)
    header = mine.header("GET", "/dir/index.html")
    assert f'response="{response}"' in header
    assert "nc=00000001, " in header
    assert "nc=00000002, " in mine.header("GET", "/dir/index.html")
    assert not mine.readable


def test_digest_of_old_cameras_as_in_rfc_2069():
    mine = Login("Mufasa", "CircleOfLife", lambda: OWN)
    mine.take_challenge(['Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'], sent=False)
    header = mine.header("GET", "/dir/index.html")
    assert 'response="1949323746fe6a43ef61f9606e7febea"' in header
    assert "qop" not in header


def test_basic_as_in_rfc_7617():
    mine = Login("Aladdin", "open sesame")
    assert mine.take_challenge(['Basic realm="WallyWorld"'], sent=False)
    assert mine.header("GET", "/") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    assert mine.readable


def test_the_strongest_that_is_offered():
    mine = login()
    mine.take_challenge(["Basic realm=x", MD5, MD5.replace("=MD5", "=SHA-256")], sent=False)
    assert "algorithm=SHA-256" in mine.header("GET", "/")


@pytest.mark.parametrize(
    "offers",
    [[], ["Negotiate"], ["Digest nonsense"], [MD5.replace("=MD5", "=SHA-512")], ['Digest qop="auth-int", nonce="x"']],
)
def test_what_cannot_be_answered(offers):
    assert not login().take_challenge(offers, sent=False)


def test_a_refused_answer_is_wrong_unless_its_number_was_too_old():
    mine = login()
    assert mine.take_challenge([MD5], sent=False)
    assert not mine.take_challenge([MD5], sent=True)
    assert mine.take_challenge([f"{MD5}, stale=TRUE"], sent=True)


def test_without_a_user_nothing_is_sent():
    mine = Login("", "")
    assert not mine.take_challenge([MD5, "Basic realm=x"], sent=False)
    assert mine.header("GET", "/") is None
