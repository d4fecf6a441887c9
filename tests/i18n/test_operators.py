from referee.i18n.wording import count


def test_one_is_one_and_more_are_more():
    assert count(1, "tile") == "1 tile"
    assert count(0, "tile") == "0 tiles"
