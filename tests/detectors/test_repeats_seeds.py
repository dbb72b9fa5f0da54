"""The rules that were taken over, against the programs they come from."""

from __future__ import annotations

from calls_story import Calls
from dirtywork.runner import ProgressTracker, RepeatTracker
from hypothesis import given, settings
from hypothesis import strategies as st
from lcode.repeats import Repeats as Seed

from monitor.detectors.repeat_limits import RepeatLimits
from monitor.detectors.repeats import Repeats
from monitor.events import Change, FileOutcome, ReplyEnded, ToolCalled, ToolReturned

OUTPUTS = ("one", "two", "passed in 0.12s", "passed in 1.50s", "at 12:30:45", "at 9:01:02")
lcode_calls = st.lists(
    st.one_of(
        st.tuples(st.just("read_file"), st.sampled_from([{"path": "a"}, {"path": "b"}]), st.sampled_from(OUTPUTS)),
        st.tuples(st.just("grep"), st.just({"pattern": "x"}), st.sampled_from(("", "Error: no such folder"))),
        st.tuples(st.just("edit_file"), st.just({"path": "a", "old_string": "1", "new_string": "2"}),
                  st.sampled_from(("Edited a", "Error: old_string not found in a", "The user denied this action."))),
        st.tuples(st.just("bash"), st.sampled_from([{"command": "ls"}, {"command": "make all"}]),
                  st.sampled_from(("x\n[exit code: 0]", "y\n[exit code: 2]"))),
        st.tuples(st.just("mcp_tool"), st.just({"a": 1}), st.sampled_from(OUTPUTS[:2])),
    ),
    max_size=60,
)  # fmt: skip
KINDS = {"read_file": "read", "grep": "search", "edit_file": "write", "bash": "shell", "mcp_tool": "other"}


def outcome(name, output):
    if output.startswith("The user denied"):
        return {"outcome": "denied"}
    if name == "bash":
        code = int(output[-2])
        return {"outcome": "failed" if code else "ok", "exit": code}
    return {"outcome": "failed" if output.startswith("Error:") else "ok"}


@given(lcode_calls, st.integers(0, 5))
@settings(deadline=None, max_examples=120)
def test_same_call_is_lcodes_rule(calls, limit):
    """At every call lcode's own `Repeats` and ours say the same: nothing, a warning with its count, or a stop."""
    seed = Seed(limit)
    told = Calls(Repeats(RepeatLimits(same_call=limit, failing_command=0, same_change=0, cycle=0, no_progress=0)))
    for name, arguments, output in calls:
        verdict = seed.check(name, arguments, output)
        command = arguments.get("command", "")
        call = told.call(name, KINDS[name], arguments, command=command)
        told.result(call, output, **outcome(name, output))
        seq = told.events[-1].seq
        found = [one for one in told.detector.view().entries if one.last.seq == seq]
        assert [one.count for one in found] == ([verdict.count] if verdict.note else [])
        stops = [one for one in told.open if one.level == "stop" and one.places[-1].seq == seq]
        assert bool(stops) == verdict.stop


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from(("0", "1 x in 1.2s", "1 x in 3.4s", "1 y", "2 x"))),
        max_size=40,
    )
)
@settings(deadline=None, max_examples=120)
def test_what_dirtywork_calls_stuck_is_stopped(runs):
    """Where dirtywork's counter trips ours has, at that call or before; of one command alone both say the same."""
    seed, alone = RepeatTracker(4), len({command for command, _ in runs}) == 1
    told = Calls(Repeats(RepeatLimits(same_call=0, cycle=0, no_progress=0)))
    for command, output in runs:
        code, _, text = output.partition(" ")
        stuck = seed.note_bash(command, f"exit code: {code}\n{text}") == "stuck"
        told.shell(command, f"exit code: {code}\n{text}", int(code))
        stopped = any(one.level == "stop" for one in told.open)
        assert stopped or not stuck
        if alone:
            assert stopped == stuck
        if stuck:
            break  # dirtywork's run ends here, while our finding stays until the command passes


turns = st.lists(
    st.lists(
        st.one_of(
            st.tuples(st.just("read_file"), st.sampled_from("ab"), st.sampled_from(("text", "ERROR: gone"))),
            st.tuples(st.just("bash"), st.sampled_from("ab"), st.sampled_from(("exit code: 0\nx", "exit code: 1\ny in 3s"))),
            st.tuples(st.just("write_file"), st.just("a"), st.sampled_from(("Wrote a: +0 -0", "Wrote a: +1 -0", "ERROR: no"))),
        ),
        max_size=2,
    ),
    min_size=10,
    max_size=40,
)  # fmt: skip


@given(turns)
@settings(deadline=None, max_examples=80)
def test_no_progress_is_dirtyworks_rule(turns):
    """After every turn dirtywork's counter and ours agree on how many turns in a row brought nothing."""
    seed = ProgressTracker(12)
    told = Calls(Repeats(RepeatLimits(same_call=0, failing_command=0, same_change=0, cycle=0, no_progress=1)))
    for number, calls in enumerate(turns):
        message = f"t{number}"
        kinds = {"read_file": "read", "bash": "shell", "write_file": "write"}
        for index, (name, argument, _) in enumerate(calls):
            told.tell(ToolCalled(
                call=f"{message}.{index}", message=message, tool=name, kind=kinds[name], arguments=f'{{"x": "{argument}"}}',
                command=argument if name == "bash" else "", changes=(Change(argument),) if name == "write_file" else (),
            ))  # fmt: skip
        told.tell(ReplyEnded(message=message, stop="tools"))
        for index, (name, argument, output) in enumerate(calls):
            seed.note_call(name, {"x": argument, "command": argument}, output)
            told.tell(ToolReturned(call=f"{message}.{index}", output=output, **returned(name, output)))
        seed.end_turn()
        counts = [one.figure for one in told.open if one.subject == "no progress"]
        assert counts == ([f"{seed.idle_turns} turns"] if seed.idle_turns else [])


def returned(name, output):
    if output.startswith("ERROR"):
        return {"outcome": "failed"}
    if name == "bash":
        code = int(output[11])
        return {"outcome": "failed" if code else "ok", "exit": code}
    if name == "write_file":
        return {"files": (FileOutcome("a", added=int(output[10]), removed=0),)}
    return {}
