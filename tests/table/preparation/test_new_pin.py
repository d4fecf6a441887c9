"""Start held three times in a row before a match gives another PIN for the page: nobody is locked out."""

from types import SimpleNamespace

import pytest
from virtual_evening import Evening

from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.game.tiles import tile_set
from referee.i18n import ENGLISH
from referee.table.input.requests import EnrolBox, EnrolStep, PendingRequest, Sender, TryPanel
from referee.table.output.audience import Audiences
from referee.table.preparation.enrol_steps import BEGIN

HELD = 1.2


class PinOfPage:
    def __init__(self) -> None:
        self.pins = ["123456"]

    def on_display(self) -> Notice:
        return Notice("access.on_display", pin=self.pins[-1])

    def new_pin(self) -> Notice:
        self.pins.append(str(int(self.pins[-1]) + 1))
        return Notice("access.new_pin", pin=self.pins[-1])


class Spectator(Audiences):
    def __init__(self) -> None:
        super().__init__()
        self.heard = []

    def on_notice(self, told: Notice) -> None:
        self.heard.append(ENGLISH(told))


TEACHER = SimpleNamespace(name="ours", tileset=tile_set("gin"), table_mm=(900.0, 600.0))


@pytest.fixture
def pin():
    return PinOfPage()


def shown(evening) -> list[str]:
    return [moment.text for _, moment in evening.panel.history]


def test_the_third_time_there_is_another_pin_told_at_the_table_only(pin):
    spectator = Spectator()

    async def script(evening):
        assert shown(evening)[-1] == "123456 PIN"
        for _ in range(2):
            await evening.press("pause", hold=HELD)
        assert evening.said[-1] == ENGLISH(BEGIN)
        await evening.press("pause", hold=HELD)
        assert "New PIN for the page: 123457" in evening.said[-1]
        assert shown(evening)[-1] == "123457 PIN"
        assert not any("12345" in heard for heard in spectator.heard)
        # The enrolment that the second time began is over: start deals.
        await evening.start()
        assert evening.state.phase is Phase.TURN
        assert "PIN" not in shown(evening)[-1]

    Evening(teacher=TEACHER, pin=pin, audience=spectator).play(script)
    assert pin.pins == ["123456", "123457"]


def test_where_no_box_can_be_enrolled_there_is_another_pin_all_the_same(pin):
    async def script(evening):
        said = []
        for _ in range(3):
            await evening.press("pause", hold=HELD)
            said.append(evening.said[-1])
        assert ["twice more" in said[0], "Hold start again" in said[1]] == [True, True]
        assert "New PIN for the page: 123457" in said[2]
        assert evening.state.phase is Phase.LOBBY
        await evening.start()
        assert evening.state.phase is Phase.TURN

    Evening(pin=pin).play(script)
    assert pin.pins == ["123456", "123457"]


def test_without_box_and_without_a_pin_start_held_begins(pin):
    pin.on_display = lambda: None

    async def script(evening):
        await evening.press("pause", hold=HELD)
        assert evening.state.phase is Phase.TURN

    Evening(pin=pin).play(script)
    assert pin.pins == ["123456"]


def test_later_or_after_a_short_press_it_does_not(pin):
    async def script(evening):
        for _ in range(2):
            await evening.press("pause", hold=HELD)
        await evening.wait(15)
        await evening.press("pause", hold=HELD)
        await evening.press("pause", hold=HELD)

    Evening(teacher=TEACHER, pin=pin).play(script)
    assert pin.pins == ["123456"]


def test_without_a_page_nothing_is_told_of_a_pin():
    async def script(evening):
        for _ in range(3):
            await evening.press("pause", hold=HELD)
        assert not any("PIN" in text for text in [*evening.said, *shown(evening)])

    Evening(teacher=TEACHER).play(script)


async def wished(evening, wish):
    answers = []
    evening.loop.request(PendingRequest(wish, Sender.PAGE, answers.append))
    await evening.wait(0.2)
    assert answers == [None]


def test_a_panel_test_keeps_nobody_from_another_pin(pin):
    async def script(evening):
        await wished(evening, TryPanel(""))
        for _ in range(3):
            await evening.press("pause", hold=HELD)
            await wished(evening, TryPanel("")) if len(pin.pins) == 1 else None
        assert shown(evening)[-1] == "123457 PIN"
        # The test is over, too: presses mean again what they do.
        await evening.start()
        assert evening.state.phase is Phase.TURN

    Evening(teacher=TEACHER, pin=pin).play(script)


def test_an_enrolment_that_somebody_has_begun_keeps_nobody_from_it_either(pin):
    async def script(evening):
        await wished(evening, EnrolBox(EnrolStep.BEGIN))
        for _ in range(3):
            await evening.press("pause", hold=HELD)
            await wished(evening, EnrolBox(EnrolStep.BEGIN)) if len(pin.pins) == 1 else None
        assert shown(evening)[-1] == "123457 PIN"
        await evening.start()
        assert evening.state.phase is Phase.TURN

    Evening(teacher=TEACHER, pin=pin).play(script)
