"""What the page offers about the last verdict, beside a refused turn."""

from page import Stream, served

from referee.game.match.events import Withdrawn
from referee.table.output.audience import Offers


def test_what_was_misread_in_an_accepted_turn_is_offered_once_that_was_taken_back():
    with served() as table:
        table.press()
        table.see("R11 R12 R13")
        stream = Stream(table)
        assert stream.until(lambda parts: parts["picture"])["offers"] is None
        table.game.do(Withdrawn(0, table.game.t + 1.0))
        table.follower.on_offers(Offers(taken_back=True))
        table.follow()
        offers = stream.until(lambda parts: parts["offers"])["offers"]
        assert (offers["agree"], offers["proposed"], offers["reread"]) == (False, False, None)
        stream.close()
