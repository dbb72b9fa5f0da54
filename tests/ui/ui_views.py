"""What the invented runs asked of sites, and how their thinking went."""

from __future__ import annotations

from ui_samples import SampleRows, at, ran

from monitor.detectors.sites_view import SiteEntry, SitesView
from monitor.detectors.thinking_view import ThinkingFlag, ThinkingView
from monitor.events import Thought, ToolCalled, ToolReturned
from monitor.findings import Finding, Spot

HOST = "wheels.example.org"
CIRCLE = "The file may have been saved by somebody else in between, so I try the same edit once more."
SITES_ADVICE = (
    f"In this request 4 different calls to {HOST} failed (HTTP 404 ×3, no answer ×1) and none succeeded. When a site "
    f"fails however the address is written, the network is usually the cause. Check that once: request one address on {HOST} "
    "that must exist, such as its front page. If that fails too, tell the user what fails and what could help."
)
THINKING_ADVICE = (
    "Your last reply went in circles. Do not deliberate at length now. Give either your next tool call, or a short answer "
    "of a few lines: what you did, what fails, and what could help."
)
RISING = (
    0, 0, 5, 5, 10, 10, 15, 10, 15, 20, 20, 25, 25, 20, 30, 35, 35, 40, 45, 50, 50, 55, 60, 65, 65, 70, 75, 80, 85, 85,
)  # fmt: skip


def spot(index: int) -> Spot:
    return Spot(index, 0, index)


def fetched(rows: SampleRows, clock: str, url: str, outcome: str, *, level: str = "", took: float = 0.4) -> int:
    call = ToolCalled(at=at(clock), call=f"c{len(rows)}", tool="fetch", kind="fetch", url=url)
    bad = bool(level)
    result = ToolReturned(call=call.call, outcome="failed" if bad else "ok", output=f"{outcome}: {url}")
    return rows.add("fetch", clock, url, outcome, took=took, level=level, event=call, result=result)


def asking(rows: SampleRows) -> tuple[Spot, ...]:
    """Four calls to a site that none of them reaches; one to a site that answers."""
    simple = f"https://{HOST}/simple/sqlite-extras"
    found = [
        fetched(rows, "15:03:56", f"{simple}/", "HTTP 404", level="warn"),
        fetched(rows, "15:04:02", f"{simple}/index.html", "HTTP 404", level="warn"),
        ran(
            rows,
            "15:04:10",
            f"curl -sI {simple}/sqlite_extras-2.1.tar.gz",
            "exit 22",
            took=0.3,
            output="curl: (22) The requested URL returned error: 404",
            level="warn",
        ),
        ran(
            rows,
            "15:04:21",
            f"pip download sqlite-extras --index-url {simple.rsplit('/', 1)[0]}",
            "exit 1",
            took=15.2,
            output="ERROR: connection to the index timed out",
            level="warn",
        ),
    ]
    fetched(rows, "15:04:37", "https://mirror.example.com/sqlite/", "1 page", took=0.6)
    return tuple(map(spot, found))


def circling(rows: SampleRows) -> Spot:
    """A thought that comes again and again."""
    text = " ".join([f"The edit fails, but the change is small. {CIRCLE}"] * 12)
    return spot(
        rows.add(
            "thought", "15:05:48", text, "repeats itself", took=41.0, level="warn",
            event=Thought(at=at("15:05:48"), text=text),
        )
    )  # fmt: skip


def failing(spots: tuple[Spot, ...]) -> SitesView:
    """One site fails, one failed once, one answers."""
    return SitesView(
        (
            SiteEntry(HOST, "", 4, 4, 5, (("HTTP 404", 3), ("no answer", 1)), level="warn", spots=spots, request=2),
            SiteEntry("tiles.example.net", "", 1, 1, 5, (("HTTP 503", 1),), spots=spots[-1:], request=2),
            SiteEntry("mirror.example.com", answered=True, request=2),
        ),
        failing=1,
    )


def repeating(place: Spot) -> ThinkingView:
    """A reply that repeats itself."""
    flag = ThinkingFlag(place, "circles", 1_120, 1_680, CIRCLE, at=at("15:06:20"), request=2)
    history = tuple(value / 100 for value in RISING)
    return ThinkingView(9_480, 2_210, 0.85, 0.85, 0.85, history, 0.8, (flag,))


def found(spots: tuple[Spot, ...], place: Spot) -> tuple[Finding, Finding]:
    """The findings of both."""
    return (
        Finding(
            "sites", HOST, "warn", f"{HOST}: 4 different calls failed, none succeeded", SITES_ADVICE, request=2,
            opened=spots[2].seq, raised=spots[2].seq, places=spots, figure="4 of 5",
        ),
        Finding(
            "thinking", "circles", "warn",
            "The thinking went in circles: nearly all of its last 20 sentences were said four times or more",
            THINKING_ADVICE, request=2, opened=place.seq, raised=place.seq, places=(place,), figure="×1",
        ),
    )  # fmt: skip


CALM_SITES = SitesView((SiteEntry("mirror.example.com", answered=True, request=2),))
CALM_THINKING = ThinkingView(5_320, 1_480, 0.1, 0.1, 0.2, tuple(value / 200 for value in RISING[:22]), 0.8)
