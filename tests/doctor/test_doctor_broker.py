"""The doctor tries the line to the club's broker, and says what keeps it out."""

from referee.club.mqtt.line import Endpoint
from referee.doctor.finding import Result, check_name
from referee.doctor.setup import check_broker
from referee.game.notice import Notice
from referee.i18n import ENGLISH

ENDPOINT = Endpoint("box", 1883, "referee-table-7")


def test_a_broker_that_lets_us_in_is_fine_and_is_entered_under_another_name():
    tried = []
    found = list(check_broker(ENDPOINT, lambda endpoint: tried.append(endpoint.client)))
    assert [one.result for one in found] == [Result.OK]
    assert tried == ["referee-table-7-doctor"]


def test_what_keeps_us_out_is_told():
    (found,) = check_broker(ENDPOINT, lambda _: Notice("club.wrong_password", address="box:1883", user="x"))
    assert found.result is Result.WRONG
    assert "refuses the user x" in ENGLISH(found.found)


def test_a_password_in_the_clear_is_told_unless_it_stays_on_this_machine():
    def results(host, *, tls):
        endpoint = Endpoint(host, 1883, "a", tls, password="secret")  # noqa: S106
        return [one.result for one in check_broker(endpoint, lambda _: None)]

    assert results("192.168.1.2", tls=False) == [Result.OK, Result.ATTENTION]
    assert results("192.168.1.2", tls=True) == results("localhost", tls=False) == [Result.OK]


def test_the_check_has_a_name():
    assert check_name("broker") == Notice("club.check")
