from __future__ import annotations

import pytest
from network_story import NOT_FOUND, Network, failing, recorded

from monitor.detectors.sites import Sites
from monitor.events import Prompted, ToolCalled, ToolReturned


def test_three_warn_five_block():
    """The third different failed call is a warning, the fifth blocks; each proves it by the results it points to."""
    told = Network()
    levels = []
    for number in range(6):
        told.shell(f"curl -sI https://dl.google.com/{number}.zip", NOT_FOUND)
        levels.append(told.site("dl.google.com").level)
    assert levels == [None, None, "warn", "warn", "stop", "stop"]
    entry = told.site("dl.google.com")
    assert (entry.failed_calls, entry.towards, entry.limit, entry.kinds) == (6, 6, 5, (("HTTP 404", 6),))
    assert not entry.answered
    assert entry.cause == "site"
    (finding,) = told.open()
    assert finding.message == "dl.google.com: all 6 different calls to it failed"
    assert finding.figure == "5 of 5"
    assert [spot.seq for spot in finding.places] == [1, 3, 5, 7, 9, 11]
    assert (finding.opened, finding.raised) == (5, 9)
    assert entry.at == 111.0


def test_identical_repeats_count_once():
    """The same call made again is the repeats rule's business, whatever the order of its arguments."""
    told = Network()
    for _ in range(6):
        told.shell("curl -sI https://dl.google.com/x", NOT_FOUND)
    assert told.names() == {"dl.google.com": 1}
    one, other = (
        '{"command": "curl https://a.com/x", "timeout": 5}',
        '{"timeout": 5, "command": "curl https://a.com/x"}',
    )
    for call, arguments in (("p", one), ("q", other)):
        told.tell(ToolCalled(call=call, tool="bash", kind="shell", command="curl https://a.com/x", arguments=arguments))
        told.tell(ToolReturned(call=call, output="curl: (7) Failed to connect to a.com port 443", exit=7))
    assert told.site("a.com").failed_calls == 1


def test_one_answer_clears_for_the_request():
    """A site that answered once is not flagged in the request, and what was flagged is cleared."""
    told = Network()
    failing(told, 5)
    assert told.site("dl.google.com").level == "stop"
    told.shell("curl -sI https://dl.google.com/ok", "HTTP/2 200 \n")
    entry = told.site("dl.google.com")
    assert (entry.level, entry.answered, entry.failed_calls) == (None, True, 5)
    failing(told, 6)
    assert told.open() == []
    (finding,) = told.detector.view().findings
    assert (finding.state, finding.why_ended, finding.level) == ("cleared", "it answered", "stop")


def test_a_new_request_begins_again():
    """The findings of a request are closed by the next prompt; its sites are kept for the report."""
    told = Network()
    failing(told, 4)
    told.prompt()
    view = told.detector.view()
    assert view.entries == ()
    assert [(entry.site, entry.level, entry.request) for entry in view.earlier] == [("dl.google.com", "warn", 1)]
    assert [finding.state for finding in view.findings] == ["closed"]
    failing(told, 2)
    assert told.site("dl.google.com").level is None


def test_settled_by_the_operator():
    """What the operator settles stays quiet for the rest of the request."""
    told = Network()
    failing(told, 3)
    told.settle(told.open()[0].key, "the site is down, go on")
    failing(told, 4)
    assert told.open() == []
    assert told.site("dl.google.com").level is None
    assert told.detector.view().findings[0].why_ended == "the site is down, go on"
    told.prompt()
    failing(told, 3)
    assert len(told.open()) == 1


def test_numbers_are_settings():
    """Other numbers move the levels, and 0 turns the rule off."""
    told = Network(warn=2, more=1)
    failing(told, 2)
    assert told.site("dl.google.com").level == "warn"
    failing(told, 1)
    assert (told.site("dl.google.com").level, told.site("dl.google.com").limit) == ("stop", 3)
    off = Network(warn=0)
    failing(off, 9)
    assert off.detector.view().entries == ()


def test_calls_that_were_not_made_never_count():
    """Refused, denied, cancelled and copied calls say nothing of a site."""
    told = Network()
    for outcome in ("denied", "refused", "corrected", "approval_timeout", "cancelled", "not_executed"):
        told.shell(f"curl https://a.com/{outcome}", NOT_FOUND, None, outcome=outcome)
    told.shell("curl https://a.com/old", NOT_FOUND, copied=True)
    told.shell("curl https://a.com/later", NOT_FOUND, background=True)
    assert told.detector.view().entries == ()


def test_a_background_call_is_judged_when_it_returns():
    """The acknowledgement of a background call is no result; what comes later under the same call is."""
    told = Network()
    told.tell(ToolCalled(call="b", tool="bash", kind="shell", command="curl -I https://a.com/x"))
    told.tell(ToolReturned(call="b", output="started https://a.com/x HTTP/1.1 404 Not Found", background=True))
    assert told.names() == {}
    told.tell(ToolReturned(call="b", output=NOT_FOUND))
    assert told.names() == {"a.com": 1}


def test_sites_are_the_runs_own():
    """Calls of sub-agents count for the same site, even where their call ids are the same."""
    told = Network()
    for actor in ("", "x", "y"):
        told.tell(
            ToolCalled(call="same", tool="bash", kind="shell", command=f"curl https://a.com/{actor}", actor=actor)
        )
    for actor in ("y", "", "x"):
        told.tell(ToolReturned(call="same", output=NOT_FOUND, actor=actor))
    assert told.site("a.com").level == "warn"


def test_login_and_rate_are_capped():
    """401, 407 and 429 never block: the site was reached; each has its own advice. 403 counts like any other."""
    for output, cause, word in (
        ("HTTP/1.1 401 Unauthorized", "login", "credentials"),
        ("HTTP/1.1 407 Proxy Authentication Required", "login", "credentials"),
        ("HTTP/1.1 429 Too Many Requests", "rate", "Retry-After"),
        ("fatal: could not read Username for 'https://dl.google.com': No such device or address", "login", "login"),
    ):
        told = Network()
        failing(told, 8, output)
        entry = told.site("dl.google.com")
        assert (entry.level, entry.cause, entry.towards, entry.failed_calls) == ("warn", cause, 0, 8)
        assert word in told.open()[0].advice
        assert told.open()[0].figure == "×8"
    told = Network()
    failing(told, 5, "HTTP/1.1 403 Forbidden")
    assert told.site("dl.google.com").level == "stop"
    told = Network()
    failing(told, 4)
    failing(told, 4, "HTTP/1.1 429 Too Many Requests")
    assert told.site("dl.google.com").level == "warn"


def test_an_answer_by_any_way_clears_the_host():
    """A host that answered through a proxy can be reached: it is flagged by no way any more."""
    told = Network()
    failing(told, 3)
    told.shell("curl -sI -x http://127.0.0.1:8 https://dl.google.com/y", NOT_FOUND)
    told.shell("curl -sI -x http://127.0.0.1:8 https://dl.google.com/x", "HTTP/2 200")
    assert [(entry.name, entry.answered, entry.level) for entry in told.detector.view().entries] == [
        ("dl.google.com", True, None),
        ("dl.google.com via 127.0.0.1:8", True, None),
    ]
    assert told.open() == []


def test_advice_fits_and_names_what_helps():
    """Advice is addressed to the agent, under 1,200 characters, with one check and what could help."""
    told = Network()
    host = ".".join(["very" * 12] * 5) + ".com"
    failing(told, 3, host=host)
    advice = told.open()[0].advice
    assert len(advice) < 1_200
    for word in ("another network", "a proxy", "a mirror", "CI", "must exist"):
        assert word in advice
    failing(told, 2, host=host)
    stopped = told.open()[0].advice
    assert "Make no further call to" in stopped
    assert "must exist" not in stopped
    assert all(word in stopped for word in ("another network", "a proxy", "a mirror", "CI"))


def test_what_was_seen_by_the_view_does_not_change():
    """The view is the same object until something changes, and an old one never changes."""
    told = Network()
    failing(told, 3)
    view = told.detector.view()
    told.shell("ls", "a.txt")
    assert told.detector.view() is view
    before = view.entries[0].failed_calls
    failing(told, 1)
    assert (view.entries[0].failed_calls, told.detector.view() is view) == (before, False)


def test_state_is_bounded():
    """However many sites, calls and requests there are, what is kept stays small."""
    told = Network()
    for number in range(1_500):
        told.shell(f"curl https://a.com/{number}", NOT_FOUND)
    assert told.site("a.com").failed_calls == 1_000
    assert len(told.site("a.com").spots) == 20
    for number in range(400):
        told.shell(f"curl https://host{number}.com/", NOT_FOUND)
        told.tell(ToolCalled(call=f"open{number}", kind="shell", command="x" * 100_000))
    view = told.detector.view()
    assert len(view.entries) == 200
    assert view.entries[0].site == "a.com"
    assert len(told.detector._calls._calls) == 200
    for _ in range(3):
        told.prompt()
        for number in range(120):
            told.shell(f"curl https://host{number}.com/", NOT_FOUND)
    assert len(told.detector.view().earlier) == 100


@pytest.mark.parametrize(
    ("name", "site", "cause"),
    [
        ("02-unreachable-404", "dl.google.com", "site"),
        ("02c-web_fetch-404", "dl.google.com", "site"),
        ("03-unreachable-refused", "dl.google.com via 127.0.0.1:9", "proxy"),
        ("02b-MISS-proxy-url-in-command", "dl.google.com via 127.0.0.1:54185", "site"),
    ],
)
def test_recordings(shared, name, site, cause):
    """Recorded runs against dead sites: a warning at the third different call, blocked at the fifth."""
    detector, levels = Sites(), []
    for event in recorded(shared / "captures" / "lcode" / name / "stdout.jsonl"):
        detector.feed(event)
        if isinstance(event, ToolReturned):
            levels.append(next(entry.level for entry in detector.view().entries if entry.name == site))
    assert levels[:5] == [None, None, "warn", "warn", "stop"]
    assert set(levels[5:]) <= {"stop"}
    assert detector.view().entries[0].cause == cause
    if cause == "proxy":
        assert "127.0.0.1:9" in detector.view().findings[0].advice


def test_late_and_unknown_events():
    """Results without a call, calls without a result and events of an older request are taken as they come."""
    told = Network()
    told.tell(ToolReturned(call="nobody", output=NOT_FOUND))
    told.tell(ToolCalled(call="x", kind="shell", command="curl https://a.com"))
    told.detector.feed(Prompted(text="", request=7, seq=50))
    told.tell(ToolReturned(call="x", output=NOT_FOUND))
    assert told.names() == {"a.com": 1}
