"""A real browser without a window; tests that want one skip, saying so, where there is none."""

import base64
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE_S = 120.0
# What ChromeDriver answers, as an "unknown error", where a new page replaces an element between two of its own steps,
# and what a script answers before the page's own scripts have run.
GONE = ("does not belong to the document", "aborted by navigation", "Referee is not defined")
AXE = Path(__file__).parents[2] / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)
SIZES = {"phone": (320, 640), "tablet": (820, 1180), "television": (1920, 1080)}
NARROW = {"320 px": (320, 640, 1), "200 %": (640, 450, 2)}
"""A narrow phone; and a screen of 1280 by 900, everything at twice its size."""
CUT_OFF = """
return Array.prototype.filter.call(document.querySelectorAll("main *, header *"), function (one) {
  var box = one.getBoundingClientRect(), style = getComputedStyle(one);
  var unseen = !box.width || !box.height || style.visibility === "hidden";
  unseen = unseen || style.position === "absolute" && box.right < 0; // for screen readers only
  if (unseen || one.closest(".sr, .skip, svg, option, [tabindex='0'] table")) { return false; } // a table is scrolled
  var outside = box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5;
  var bounds = ["hidden", "clip"].indexOf(style.overflowX) >= 0 || ["BUTTON", "A", "LI"].indexOf(one.tagName) >= 0;
  var holds = bounds && style.display !== "inline" && one.tagName !== "INPUT";
  var inside = holds && one.scrollWidth > one.clientWidth + 1;
  return outside || inside;
}).map(function (one) { return one.outerHTML.slice(0, 200); });
"""
SMALL = """
return Array.prototype.filter.call(document.querySelectorAll("main button, main select, main input, main a.button"),
  function (one) {
    var box = (one.closest("label") || one).getBoundingClientRect();
    return box.height > 0 && (box.height < 43.5 || box.width < 43.5);
  }).map(function (one) { return one.outerHTML.slice(0, 200); });
"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Found:
    """What is found on a page, looked for again where the page has made it anew meanwhile."""

    def __init__(self, screen: "Browser", look: Callable, what: str) -> None:
        self.screen, self.look, self.what = screen, look, what

    def __getattr__(self, name: str):
        """Attributes as Selenium has them; methods as well, but for what is done to it."""
        return self.screen.wait(lambda: (getattr(self.look(), name),), self.what)[0]

    def do(self, act: Callable):
        """Do something with it, once that can be done; tells what came of it."""
        return self.screen.wait(lambda: (act(self.look()),), self.what)[0]

    def click(self) -> None:
        self.do(self._click)

    def _click(self, element) -> None:
        """Click; what the tabs at the bottom cover is moved to the middle first, as a reader would."""
        from selenium.common.exceptions import ElementClickInterceptedException

        try:
            element.click()
        except ElementClickInterceptedException:
            self.screen.run("arguments[0].scrollIntoView({block: 'center'})", element)
            raise

    def send_keys(self, *keys: str) -> None:
        self.do(lambda element: element.send_keys(*keys))

    def clear(self) -> None:
        self.do(lambda element: element.clear())

    def get_attribute(self, name: str):
        return self.do(lambda element: element.get_attribute(name))

    def find_elements(self, *how: str) -> list:
        return self.do(lambda element: element.find_elements(*how))


class Browser:
    """Chromium, driven by Selenium."""

    def __init__(self, driver) -> None:
        self.driver = driver

    def open(self, address: str) -> "Browser":
        self.driver.get(address)
        return self

    def find(self, selector: str, holds: Callable = lambda _: True) -> Found:
        """The first element that is seen and for which this holds, waited for."""

        def first():
            return next(one for one in self.all(selector) if one.is_displayed() and holds(one))

        found = Found(self, first, selector)
        found.do(lambda _: None)
        return found

    def all(self, selector: str) -> list:
        return self.driver.find_elements("css selector", selector)

    def text(self, selector: str) -> str:
        return self.find(selector).text

    def run(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, selector: str, text: str) -> None:
        """Wait until that element is seen and holds this text."""
        self.wait(lambda: any(text in one.text for one in self.all(selector) if one.is_displayed()), f"{text!r}")

    def wait(self, holds: Callable, what: str = ""):
        from selenium.common import exceptions
        from selenium.webdriver.support.ui import WebDriverWait

        passing = [
            StopIteration,  # nothing is seen yet
            exceptions.StaleElementReferenceException,  # the page has made it anew
            exceptions.ElementClickInterceptedException,
            exceptions.ElementNotInteractableException,
        ]
        waiting = WebDriverWait(self.driver, PATIENCE_S, 0.05, passing)

        def answer():
            try:
                return holds()
            except exceptions.WebDriverException as error:
                if not any(text in str(error) for text in GONE):
                    raise
                raise exceptions.StaleElementReferenceException(error.msg) from error

        try:
            return waiting.until(lambda _: answer())
        except exceptions.TimeoutException as error:
            error.msg = f"waited for {what} in {self.driver.page_source[:20000]}"
            raise

    def resize(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": min(width, height) < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefers(self, **features: str) -> None:
        """`scheme="dark"`, `motion="reduce"`, `media="print"`."""
        named = {"scheme": "prefers-color-scheme", "motion": "prefers-reduced-motion"}
        told = [{"name": named[name], "value": value} for name, value in features.items() if name in named]
        media = {"features": told, "media": features.get("media", "")}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    def complaints(self) -> list[str]:
        """What the console was told: errors of scripts, refusals of the content security policy."""
        return [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]

    def violations(self) -> list[str]:
        """What axe-core finds: a line each, with the elements.

        Meanwhile the tabs lie at the end of the page: axe-core counts what they cover as small, but it can be
        scrolled.
        """
        if not AXE.exists():
            pytest.skip("axe-core is not installed (npm install --prefix .venv/axe axe-core)")
        self.run(AXE.read_text(encoding="utf-8") + "; window.axe = window.axe || axe;")
        found = self.driver.execute_async_script(
            "const done = arguments[1], tabs = document.querySelectorAll('.tabs');"
            "tabs.forEach(one => { one.style.position = 'static'; });"
            "axe.run(document, {runOnly: arguments[0]}).catch(error => ({failed: String(error)})).then(found => {"
            "  tabs.forEach(one => { one.style.position = ''; });"
            "  done(found);"
            "});",
            RULES,
        )
        return [f"{one['id']}: {[node['html'] for node in one['nodes']]}" for one in found["violations"]]

    def violations_in_both_schemes(self) -> list[str]:
        """What axe-core finds in light and then in dark colours, which stay."""
        found = []
        for scheme in ("light", "dark"):
            self.prefers(scheme=scheme)
            found += self.violations()
        return found

    def narrow(self, size: str) -> None:
        """One of NARROW."""
        width, height, scale = NARROW[size]
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def cut_off(self) -> list[str]:
        """What is outside of the screen, or does not fit where it stands."""
        return self.run(CUT_OFF)

    def small(self) -> list[str]:
        """What is too small for a finger."""
        return self.run(SMALL)

    def paper(self) -> int:
        """How many sheets of A4 the page is in print."""
        sheet = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": False}
        data = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", sheet)["data"])
        return len(re.findall(rb"/Type\s*/Page\b", data))

    def as_new(self) -> "Browser":
        """Nothing is left of the test before."""
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})  # of every port
        self.resize(1280, 900)
        self.prefers()
        self.complaints()
        return self

    def sideways(self) -> int:
        """By how many pixels the page is wider than the screen."""
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")


@contextmanager
def browser(language: str = "en", text_px: int = 16) -> Iterator[Browser]:
    """`text_px` is the size of text that somebody has chosen in the browser's settings."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no Chromium with its driver on this machine")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    for argument in (*ARGUMENTS, f"--lang={language}", f"--accept-lang={language}"):
        options.add_argument(argument)
    options.binary_location = program
    options.add_experimental_option("prefs", {"webkit.webprefs.default_font_size": text_px})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    try:
        chrome.set_script_timeout(PATIENCE_S)
        chrome.set_page_load_timeout(PATIENCE_S)
        yield Browser(chrome)
    finally:
        chrome.quit()
