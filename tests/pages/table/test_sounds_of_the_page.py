"""The tunes of the panel on a page: what is heard of each, rendered by the browser itself."""

import time

import pytest
from page import served

from referee.table.output.signals import TUNES, Cue

OFFLINE = """
window.made = [];
window.AudioContext = window.webkitAudioContext = function () {
  var context = new OfflineAudioContext(1, 44100 * 3, 44100);
  Object.defineProperty(context, "state", { value: "running" });
  window.made.push(context);
  return context;
};
"""
"""A context that renders three seconds of sound, instead of playing them."""
HEARD = """
var done = arguments[0];
window.made[window.made.length - 1].startRendering().then(function (buffer) {
  var samples = buffer.getChannelData(0), levels = [], step = 441;
  for (var at = 0; at < samples.length; at += step) {
    var most = 0;
    for (var i = at; i < at + step; i += 1) { most = Math.max(most, Math.abs(samples[i])); }
    levels.push(most);
  }
  done(levels);
});
"""
"""How loud each hundredth of a second is."""


@pytest.fixture
def table():
    with served() as made:
        yield made


@pytest.mark.parametrize("cue", [Cue.ACCEPTED, Cue.REFUSED, Cue.LONG, Cue.LEFT_10, Cue.TIME_UP, Cue.MATCH_OVER])
def test_a_tune_is_heard_as_long_as_it_lasts_fades_and_never_distorts(table, screen, cue):
    screen.open(f"{table.address}/panel?lang=en")
    screen.run(OFFLINE)
    screen.run("Tones.want(true)")
    table.follower.on_tune(TUNES[cue], time.monotonic())
    screen.wait(lambda: screen.run("return window.made.length && Referee.parts.tune") is not None, "the tune")
    levels = screen.driver.execute_async_script(HEARD)
    lasts = sum(seconds for _, seconds in TUNES[cue])
    assert 0.2 < max(levels) < 0.6
    assert max(levels[round(100 * lasts) + 3 :]) == 0
    begins = 1.0  # hundredths of a second
    for hertz, seconds in TUNES[cue]:
        first, last = round(begins) + 1, round(begins + 100 * seconds) - 2
        if hertz is None:
            assert max(levels[first:last]) == 0
        else:
            assert levels[first] > levels[last] > 0.03
        begins += 100 * seconds


def test_nothing_is_heard_where_nobody_has_wanted_it(table, screen):
    screen.open(f"{table.address}/panel?lang=en")
    screen.run(OFFLINE)
    table.follower.on_tune(TUNES[Cue.ACCEPTED], time.monotonic())
    screen.wait(lambda: screen.run("return !!Referee.parts.tune"), "the tune")
    assert screen.run("return window.made.length") == 0
