"""The decoder over real recordings, where they lie beside the repository."""

from __future__ import annotations

import json

import pytest
from claude_lines import decode, of, records

from monitor.agents.claude.decode import ClaudeDecoder
from monitor.agents.claude.find import FINDER
from monitor.events import (
    FileOutcome,
    Prompted,
    RequestEnded,
    RunEnded,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
)

BROKEN = {"p_slow_nopartial.stream.jsonl": 1, "sdk_permission_and_hook_callbacks.log.jsonl": 1}
"""Recordings with lines that are no JSON: a shell's word on a killed process, and a line that was cut."""


def lines_of(path):
    """The lines a recording holds; of a timed one those that the agent wrote."""
    lines = [one for one in path.read_bytes().split(b"\n") if one]
    if not path.name.endswith(".log.jsonl"):
        return lines
    timed = [json.loads(one) for one in lines]
    return [one["line"].encode() for one in timed if one["dir"] == "out"]


def recordings(shared):
    folder = shared / "captures" / "claude"
    kept = [
        path for path in sorted(folder.rglob("*.jsonl")) if ".stdin." not in path.name and "requests" not in path.name
    ]
    return [*kept, *sorted((shared / "corpus" / "claude-code").glob("*.jsonl"))]


@pytest.fixture
def captures(shared):
    return shared / "captures" / "claude"


def test_every_recording_is_read(shared):
    """Nothing is unreadable but what is truly broken, no type is unknown, and no call of a finished turn is without its end."""
    paths = recordings(shared)
    assert len(paths) > 60
    for path in paths:
        decoder = ClaudeDecoder()
        events = decode(*lines_of(path), name=path.name, decoder=decoder)
        assert len(of(events, Unreadable)) == BROKEN.get(path.name, 0), path.name
        assert decoder.unknown_types == {}, path.name
        assert of(events, Said, Thought, ToolCalled, Prompted) or "api_retry" in path.name, path.name


def test_every_recording_is_recognised_and_no_other(shared):
    """Of all recordings of all agents exactly Claude Code's transcripts and streams are taken."""
    claude = {path for path in recordings(shared) if not path.name.endswith(".log.jsonl")}
    for path in [*(shared / "captures").rglob("*"), *(shared / "corpus").rglob("*")]:
        if path.is_file():
            assert (FINDER.open(path) is not None) == (path in claude), path


def test_each_record_alone_gives_the_same_texts(shared):
    """The texts of every recording can be read back record by record."""
    for path in recordings(shared):
        decoder = ClaudeDecoder()
        for record in records(lines_of(path), name=path.name):
            alone = {(type(one), one.place.item): one for one in ClaudeDecoder().feed(record)}
            for event in of(decoder.feed(record), Said, Thought, ToolCalled, ToolReturned):
                twin = alone[type(event), event.place.item]
                for name in ("text", "arguments", "output", "changes"):
                    assert getattr(twin, name, None) == getattr(event, name, None)


PAIRS = [
    ("p_stream_basic.jsonl", "transcript_basic.jsonl"),
    ("sdk_midrun_inject.log.jsonl", "transcript_midrun_inject.jsonl"),
    ("sdk_interrupt_longtool.log.jsonl", "transcript_interrupt_tool.jsonl"),
    *((f"hooks_{name}.stream.jsonl", f"hooks_{name}.transcript.jsonl") for name in (
        "log_only", "context", "stop_block", "pre_deny", "post_block", "abort_post", "abort_pre", "abort_batch",
        "abort_fail", "sysmsg", "stop_continue_false", "post_plain", "updated",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("stream", "transcript"), PAIRS)
def test_a_run_told_twice(captures, stream, transcript):
    """The same run by its stream and by its transcript: the same thoughts, calls, results, changes and ends."""

    def told(name):
        events = decode(*lines_of(captures / name), name=name)
        hidden = {"at", "seen", "place", "seq", "cwd", "part"}
        whole = [one for one in of(events, Said, Thought, ToolCalled, ToolReturned) if not getattr(one, "delta", False)]
        shown = [
            {name: getattr(one, name) for name in one.__struct_fields__ if name not in hidden}
            for one in whole
            if not getattr(one, "partial", False)
        ]
        return shown, [one.how for one in of(events, RequestEnded)]

    assert told(stream)[0] == told(transcript)[0]
    # A message sent with priority `now` ends the turn, which the transcript does not say.
    ends = [how for how in told(stream)[1] if "midrun" not in stream or how != "interrupted"]
    assert ends == told(transcript)[1]


def test_the_basic_run(captures):
    """Two failed edits, a failed command, an edit that succeeds, and the claim, with what it cost."""
    events = decode(*lines_of(captures / "transcript_basic.jsonl"))
    results = of(events, ToolReturned)
    assert [(one.outcome, one.failure, one.exit) for one in results] == [
        ("ok", "", None), ("failed", "not_found", None), ("failed", "", 7), ("failed", "not_found", None), ("ok", "", None),
    ]  # fmt: skip
    assert results[-1].files == (FileOutcome("/home/dev/lab/repo/hello.py", added=1, removed=1),)
    assert of(events, RequestEnded)[0].text == "Done"
    assert of(events, Used)[-1].cost == 0.079696


def test_the_run_with_a_sub_agent(captures):
    """Two results and two claims; the sub-agent is the same actor in the stream and in its own file."""
    stream = decode(*lines_of(captures / "p_subagent.stream.jsonl"))
    found = FINDER.open(captures / "subagent_session")
    decoder = found.decoder()
    session = []
    for source in found.inputs():
        data = source.path.read_bytes()
        lines = [data] if source.shape == "document" else [one for one in data.split(b"\n") if one]
        made = records(lines, name=source.name, role=source.role, index=source.index, actor=source.actor)
        session += [event for record in made for event in decoder.feed(record)]
    for events in (stream, session):
        assert [one.text for one in of(events, RequestEnded)] == ["Done parent", "Done (past end)."]
        assert [one.call for one in of(events, ToolCalled) if one.actor == "af395116c14da7fa9"] == [
            "toolu_subchild_0_1_e90cb5"
        ]
        assert [one.status for one in of(events, RunEnded) if one.actor] == ["completed"]


def test_denials(captures):
    """Without an approver a rule refuses; a host's no is a person's; a stopped command was cancelled."""
    for name in ("p_autodeny.stream.jsonl", "transcript_autodeny_then_resumed.jsonl"):
        assert [one.outcome for one in of(decode(*lines_of(captures / name)), ToolReturned)] == ["refused", "refused"]
    asked = of(decode(*lines_of(captures / "sdk_permission_and_hook_callbacks.log.jsonl")), ToolReturned)
    assert [one.outcome for one in asked] == ["refused", "denied"]
    stopped = of(decode(*lines_of(captures / "transcript_interrupt_tool.jsonl")), ToolReturned)
    assert [one.outcome for one in stopped] == ["cancelled"]


def test_real_transcripts(shared):
    """Places read in context: a failed edit that was redone, a denied commit, hooks that are not a person."""
    corpus = shared / "corpus" / "claude-code"

    def events_of(part):
        (path,) = corpus.glob(f"*{part}*")
        return decode(*lines_of(path), name=path.name)

    redone = [one for one in of(events_of("d3ad4cdc"), ToolReturned) if one.failure == "not_found"]
    assert [(one.place.line, one.files[0].file.rsplit("/")[-1]) for one in redone] == [(95, "diverse_musical_ai.py")]
    denied = of(events_of("fed8ce56"), ToolReturned)
    assert [one.place.line for one in denied if one.outcome == "denied"] == [13, 14]
    told = of(events_of("stop-hook-uncommitted"), Prompted)
    assert [(one.place.line, one.by) for one in told] == [(2, "user"), (8, "hook")]
    for part in ("python-to-rust", "coverage-test", "reflection-first", "uncommitted"):
        assert of(events_of(part), RequestEnded)
