"""One scenario, played by five real agents: the same is said of each, and each still tells what its decoder knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import pytest
from drift import fields, gone, without
from installed import needs, version
from known_events import KNOWN, Known
from scenario import PLAYS, Play, Told

from monitor.events import Event, Place

FACTS = {
    "writes": [(False, ["not_found", "not_found"])],
    "sites": [("example.com", 1, False)],
    "claims": ["Done."],
    "claimed": True,
    "counts": (6, 5),
    "unreadable": 0,
}
"""What is said of each of them, whichever agent played it."""
DOUBLED = {("Codex", "live"), ("OpenCode", "live")}
"""They tell most things twice, in pieces and whole or by two sources; what comes first depends on the moment."""
Played = Callable[[str], Play]

pytestmark = pytest.mark.timeout(400)
by_agent = pytest.mark.parametrize(
    "agent",
    [
        pytest.param(name, marks=[needs(name), pytest.mark.xdist_group(name.partition(" ")[0].lower())])
        for name in PLAYS
    ],
)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Has an agent play it, once for all tests."""
    plays: dict[str, Play] = {}

    def play(name: str) -> Play:
        if name not in plays:
            with pytest.MonkeyPatch.context() as patched:
                patched.setenv("HOME", str(tmp_path_factory.mktemp("home")))
                new = Play(tmp_path_factory.mktemp("play"), patched, KNOWN[name][0])
                new.listen()
                PLAYS[name](new)
                plays[name] = new
        return plays[name]

    return play


def facts(report: Mapping[str, Any]) -> dict[str, object]:
    """What every agent and every source must agree on."""
    row = report["runs"][0]
    return {
        "writes": [
            (one["outstanding"], [bad["failure"] for bad in one["failures"]]) for one in report["failed_writes"]
        ],
        "sites": [(one["site"], one["failed_calls"], one["answered"]) for one in report["sites"]],
        "claims": [one["text"] for one in report["claims"]],
        "claimed": report["verdict"]["claimed_done"],
        "counts": (row["turns"], row["calls"]),
        "unreadable": sum(one["unreadable"] for one in report["inputs"]),
    }


def decoded(told: Told, records) -> list[Event]:
    """The events of these records, wherever they stand; one input after another, however they came."""
    decoder = told.decoder.copy()
    ordered = sorted(records, key=lambda record: record.input.index)
    events = [event for record in ordered for event in decoder.feed(record)]
    events += decoder.finish(tuple({record.input.index: record.input for record in records}.values()))
    return [msgspec.structs.replace(one, place=Place(one.place.input, one.place.line), seen=0.0) for one in events]


def sources(agent: str, play: Play) -> list[tuple[str, Known, Told]]:
    """Its two sources, each with what it must show."""
    return [(name, *both) for name, *both in zip(("live", "files"), KNOWN[agent], play.told, strict=True)]


@by_agent
def test_the_same_is_said_of_every_agent(agent, played):
    """Live and from its files, the same failed writes, failing site, claim and counts; live the folder has changed."""
    live, files = played(agent).told
    assert facts(live.report) == FACTS
    assert live.report["verdict"]["state"] == "changed"
    assert facts(files.report) == FACTS


@by_agent
def test_every_known_event_is_still_seen(agent, played, record_property):
    """No kind of record and no field that the decoder rests on is gone; what is new is told, and is no failure."""
    told = sources(agent, played(agent))
    new = [f"{source} {kind} ×{count}" for source, _, one in told for kind, count in one.unknown.items()]
    record_property("unknown types", f"{agent} {version(agent)}: {', '.join(new) or 'none'}")
    lost = {source: gone(known, one.records) for source, known, one in told}
    assert lost == {"live": [], "files": []}, f"{agent} {version(agent)} does not tell any more: {lost}"


@by_agent
def test_one_that_is_gone_is_missed(agent, played):
    """Each known kind renamed and each known field removed is named as gone; without it, other events are decoded."""
    for source, known, one in sources(agent, played(agent)):
        events = decoded(one, one.records)
        for kind in known:
            assert kind in gone(known, without(one.records, kind)) or not kind.endswith("]"), source
        rested_on = [name for kind in known for name in fields(known, kind) or [kind]]
        less = {name: without(one.records, name) for name in rested_on}
        assert [name for name, records in less.items() if name not in gone(known, records)] == [], source
        if (agent, source) not in DOUBLED:
            assert [name for name, records in less.items() if decoded(one, records) == events] == [], source
