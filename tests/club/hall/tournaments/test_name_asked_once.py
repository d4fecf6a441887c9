"""The director's name is asked once: it is known on both of the director's pages, also where both are open."""

import pytest
from hall_evening import hall_evening
from test_tournament_evening import Director


@pytest.mark.page
def test_a_name_typed_at_the_desk_stands_on_the_page_of_the_tournament_that_is_open_already(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        director = Director(evening, screen)
        director.opens("Ann\nBen\nCem")
        value = "return document.getElementById('withdraw-who').value"
        assert screen.run(value) == ""
        tournament = screen.driver.current_window_handle
        screen.driver.switch_to.new_window("tab")
        try:
            screen.open(f"{evening.address}/director?lang=en")
            screen.find("#who").send_keys("Eve\t")
            screen.wait(lambda: screen.run("return localStorage.getItem('director-name')") == "Eve", "the name")
        finally:
            screen.driver.close()
            screen.driver.switch_to.window(tournament)
        screen.wait(lambda: screen.run(value) == "Eve", "the name on the other page")
        screen.open(f"{evening.address}/director?lang=en")
        assert screen.find("#who").get_attribute("value") == "Eve"
        assert screen.complaints() == []
