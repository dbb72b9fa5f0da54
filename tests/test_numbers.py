"""The detectors' numbers in the user's config: what is taken, what is said of the rest, and that everything obeys."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.config import chosen_numbers, read_config
from monitor.detectors.manual import RULES, counts, speaks
from monitor.detectors.numbers import DEFAULTS, Numbers, SitesNumbers, StallsNumbers, changed, entries
from monitor.detectors.wishes import granted
from monitor.events import DETECTORS

ENTRIES = [(one.detector, one.name) for one in entries()]
anything = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from([10**400, -(10**400)]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
tables = st.dictionaries(
    st.sampled_from((*DETECTORS, "site", "")),
    st.one_of(anything, st.dictionaries(st.sampled_from([*(name for _, name in ENTRIES), "wran"]), anything)),
)


def config(folder: Path, text: str) -> Path:
    (folder / "config.toml").write_text(text, encoding="utf-8")
    return folder


def test_every_detector_has_its_numbers_and_its_place_in_the_manual():
    """One table names all detectors: numbers, help and README are made from it."""
    assert {one.name for one in fields(Numbers)} == set(DETECTORS) == set(RULES)
    assert {detector for detector, _ in ENTRIES} == set(DETECTORS)


@pytest.mark.parametrize(("detector", "name"), ENTRIES)
def test_every_number_can_be_set_and_turned_off(tmp_path, detector, name):
    """Each number is taken from its own table, 0 too; the report of what differs names it alone."""
    for text, value in (("0", 0), ("1", 1)):
        chosen = chosen_numbers(config(tmp_path, f"[detectors.{detector}]\n{name} = {text}\n"))
        assert chosen.problems == ()
        assert getattr(getattr(chosen.numbers, detector), name) == value
        told = [(one.detector, one.name, one.value) for one in changed(chosen.numbers)]
        default = getattr(getattr(DEFAULTS, detector), name)
        assert told == ([] if value == default else [(detector, name, value)])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[detectors.sites]\nwarn = "three"', "[detectors.sites] warn: write a whole number from 0 to 1,000,000,000, not three"),
        ("[detectors.sites]\nwarn = 2.5", "[detectors.sites] warn: write a whole number from 0 to 1,000,000,000, not 2.5"),
        ("[detectors.sites]\nwarn = true", "[detectors.sites] warn: write a whole number from 0 to 1,000,000,000, not true"),
        ("[detectors.sites]\nwarn = -1", "[detectors.sites] warn: write a whole number from 0 to 1,000,000,000, not -1"),
        ("[detectors.thinking]\ncircles = 21", "[detectors.thinking] circles: write a whole number from 0 to 20, not 21"),
        ("[detectors.stalls]\ndeltas = nan", "[detectors.stalls] deltas: write a number of seconds from 0 to 1,000,000,000, not nan"),
        ("[detectors.stalls]\ndeltas = inf", "[detectors.stalls] deltas: write a number of seconds from 0 to 1,000,000,000, not inf"),
        ("[detectors.tests]\nstale = 2", "[detectors.tests] stale: write true or false, not 2"),
        ("[detectors.sites]\nwran = 3", "[detectors.sites] wran: there is no such number; did you mean warn?"),
        ("[detectors.sites]\nzzz = 3", "[detectors.sites] zzz: there is no such number"),
        ("[detectors.site]\nwarn = 3", "[detectors.site]: there is no such detector; did you mean sites?"),
        ("[detectors]\nsites = 3", "[detectors.sites] is no table, but 3"),
        ("detectors = 3", "[detectors] is no table, but 3"),
        ('[detectors.sites]\n"a\\u001bb" = 3', "[detectors.sites] a␛b: there is no such number"),
        (f"[detectors.sites]\nwarn = 0x{'f' * 5_000}", "[detectors.sites] warn: write a whole number from 0 to 1,000,000,000, not a number of that size"),
    ],
)  # fmt: skip
def test_a_wish_that_cannot_be_granted_is_one_line_that_names_file_and_key(tmp_path, text, told):
    """Wrong type, negative, too large, unknown: said with the file, the key and the near match; the default stays."""
    chosen = chosen_numbers(config(tmp_path, text))
    assert chosen.problems == (f"config.toml: {told}",)
    assert chosen.numbers == DEFAULTS


def test_good_numbers_are_kept_beside_bad_ones(tmp_path):
    """Each wrong wish costs only itself, in its own table and in others."""
    text = (
        "[detectors.sites]\nwarn = 9\nmore = -2\nbad = 1\n[detectors.stalls]\ncalls = 30\n[detectors.nothing]\nx = 1\n"
    )
    chosen = chosen_numbers(config(tmp_path, text))
    assert chosen.numbers == Numbers(sites=SitesNumbers(warn=9), stalls=StallsNumbers(calls=30))
    assert len(chosen.problems) == 3
    assert all("\n" not in one and one.startswith("config.toml: [detectors.") for one in chosen.problems)


@pytest.mark.parametrize("text", ["[detectors", "x = " + "[" * 20_000, "#" * (1 << 20) + "more"])
def test_a_broken_file_leaves_the_defaults(tmp_path, text):
    """What is no TOML, or too much of it, is one line, and nothing is lost but the wishes."""
    chosen = chosen_numbers(config(tmp_path, text))
    assert chosen.numbers == DEFAULTS
    (problem,) = chosen.problems
    assert problem.startswith("config.toml: ")
    assert "\n" not in problem


def test_what_is_no_text_or_no_file_is_told(tmp_path):
    """Bytes that are no UTF-8, and a folder in the file's place; without a file there is nothing to say."""
    assert read_config(tmp_path / "nowhere") == ({}, "")
    (tmp_path / "config.toml").write_bytes(b"x = '\xff'")
    assert read_config(tmp_path) == ({}, "config.toml: not written in UTF-8 (at byte 6)")
    (tmp_path / "config.toml").unlink()
    (tmp_path / "config.toml").mkdir()
    assert read_config(tmp_path) == ({}, "config.toml: Is a directory")


@given(st.one_of(tables, anything))
@settings(deadline=None, max_examples=200)
def test_any_table_is_taken(table):
    """Whatever stands there, numbers come of it that are in bounds, and each complaint is one line."""
    numbers, problems = granted(table)
    for one in entries(numbers):
        assert 0 <= one.value <= one.number.most
        assert type(one.value) is type(one.default) or one.number.unit in ("seconds", "times")
    assert all("\n" not in one and len(one) < 300 for one in problems)


@pytest.mark.parametrize("detector", DETECTORS)
def test_the_manual_says_the_numbers_in_force(detector):
    """Every number that brings a word stands in what is said of the detector; what is turned off does not."""
    names = [name for of, name in ENTRIES if of == detector]
    numbers, problems = granted({detector: dict.fromkeys(names, 0)})
    assert problems == []
    assert "{" not in counts(detector) + speaks(detector)
    off = speaks(detector, numbers)
    assert off == "never: it is turned off" or "note" in off
    other, _ = granted({detector: dict.fromkeys(names, 17)})
    said = counts(detector, other) + speaks(detector, other)
    switches = {one.name for one in entries() if one.number.unit == "switch"}
    unsaid = {"answered", "after", "formatter", *switches}
    assert said.count("17") >= len(set(names) - unsaid)


def test_the_report_says_which_numbers_are_not_the_defaults(tmp_path, monkeypatch, capsys):
    """A number of the user's own changes what is found, stands in the report, and is said on stderr where it is wrong."""
    from monitor.commands.report import write

    log = tmp_path / "run.jsonl"
    rows: list[dict[str, object]] = [{"event": "RunStarted", "agent": "mine"}, {"event": "Prompted", "text": "Read"}]
    for number in range(2):
        call = {"event": "ToolCalled", "call": str(number), "tool": "read", "kind": "read", "arguments": '{"p": "a"}'}
        rows += [call, {"event": "ToolReturned", "call": str(number), "output": "text"}]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "monitor").mkdir()

    def report(form: str) -> tuple[str, str]:
        write((str(log),), form=form, output=None, fail_on="never", project=None, redact=True)
        told = capsys.readouterr()
        return told.out, told.err

    plain = json.loads(report("json")[0])
    assert (plain["numbers"], plain["repeats"]) == ([], [])
    config(tmp_path / "monitor", "[detectors.repeats]\nsame_call = 2\nsame_cal = 1\n")
    out, err = report("json")
    mine = json.loads(out)
    assert mine["numbers"] == [{"detector": "repeats", "name": "same_call", "value": 2, "default": 3}]
    assert [one["count"] for one in mine["repeats"]] == [2]
    assert (
        err == "monitor: config.toml: [detectors.repeats] same_cal: there is no such number; did you mean same_call?\n"
    )
    for form in ("text", "md"):
        assert "repeats same_call 2 (else 3)" in report(form)[0].replace("`", "")


def test_a_watch_says_first_by_which_numbers_it_goes(capsys):
    """One line before all others, once; none where all numbers are the defaults."""
    from monitor.commands.watch import _Teller
    from monitor.run.run import Run

    teller = _Teller(None)
    for numbers in (DEFAULTS, Numbers(sites=SitesNumbers(warn=9))):
        for _ in range(2):
            teller.tell(Run(numbers).snapshot())
    lines = [json.loads(one) for one in capsys.readouterr().out.splitlines()]
    assert [list(one) for one in lines] == [["verdict"], ["numbers"]]
    assert lines[1] == {"numbers": [{"detector": "sites", "name": "warn", "value": 9, "default": 3}]}


def test_a_watch_tells_what_cannot_be_read(capsys):
    """A gap in the source has a line of its own, and so has its end."""
    from monitor.commands.watch import _Teller
    from monitor.events import SourceChanged
    from monitor.run.run import Run

    run, teller = Run(DEFAULTS), _Teller(None)
    for event in (
        None,
        SourceChanged(what="gap", text="9 bytes were lost"),
        None,
        SourceChanged(what="back", text="back"),
    ):
        if event is not None:
            run.feed(event)
        teller.tell(run.snapshot())
    lines = [json.loads(one) for one in capsys.readouterr().out.splitlines()]
    assert [one["sources"] for one in lines if "sources" in one] == [["9 bytes were lost"], []]


def test_a_replay_and_a_live_run_go_by_the_users_numbers(tmp_path, monkeypatch):
    """Both take the numbers of the user's config when they begin; a number given by hand comes before it."""
    from monitor.replay.replay import Replay
    from monitor.supervisor import Supervisor
    from monitor.targets import find

    log = tmp_path / "run.jsonl"
    log.write_text('{"event":"RunStarted","agent":"mine"}\n{"event":"Prompted","text":"Read"}\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "monitor").mkdir()
    config(tmp_path / "monitor", "[detectors.sites]\nwarn = 9\n")
    replay = Replay(find(str(log)))
    supervisor = Supervisor(find(str(log)), live=False)
    given = Supervisor(find(str(log)), live=False, numbers=DEFAULTS)
    try:
        assert replay.snapshot.numbers.sites.warn == supervisor.snapshot.numbers.sites.warn == 9
        assert given.snapshot.numbers == DEFAULTS
    finally:
        for one in (replay, supervisor, given):
            one.close()
