"""What is wrong with the monitor's own works, told once."""

from __future__ import annotations

from monitor.troubles import FOLDER, JOURNAL, Troubles


def test_what_is_over_is_named():
    """A trouble is told once, and once that it is over: which one it was, never that a source is back."""
    now = ["", "9 files changed at once, too many to be told one by one: a measurement names them"]
    troubles = Troubles({JOURNAL: lambda: now[0], FOLDER: lambda: now[1]})
    (told,) = troubles.news()
    assert (told.what, told.input, told.text) == ("unwatched", -2, now[1])
    assert troubles.news() == []
    now[1] = ""
    (told,) = troubles.news()
    assert (told.what, told.text) == ("back", "over: 9 files changed at once, too many to be told one by one")
