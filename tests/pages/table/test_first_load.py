"""How much a phone fetches before it shows the table: little enough for a weak Wi-Fi."""

from page_states import SIZES, arrived, in_state

MOST_KB, MOST_REQUESTS = 150, 10
FETCHED = """
const page = performance.getEntriesByType("navigation")[0];
const files = performance.getEntriesByType("resource").filter(one => one.initiatorType !== "img");
return [files.length + 1, files.reduce((sum, one) => sum + one.transferSize, page.transferSize) / 1000];
"""


def test_the_table_is_fetched_with_few_bytes(screen):
    screen.resize(*SIZES["phone"])
    screen.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    try:
        with in_state("lobby") as table:
            screen.open(f"{table.address}/?lang=fr")
            arrived(screen)
            requests, kilobytes = screen.run(FETCHED)
    finally:
        screen.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})
    assert requests <= MOST_REQUESTS, requests
    assert kilobytes <= MOST_KB, kilobytes
