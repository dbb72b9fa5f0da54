"""The rows of the timeline."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from monitor.events import (
    Acted,
    Noticed,
    Place,
    Prompted,
    ReplyEnded,
    RequestEnded,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Used,
)
from monitor.timeline.timeline import Timeline


def fold(*events):
    timeline = Timeline()
    for seq, event in enumerate(events):
        place = event.place if event.place.input >= 0 else Place(0, seq + 1, seq * 100, 100)
        own = isinstance(event, Acted)
        timeline.feed(msgspec.structs.replace(event, seq=seq, **({} if own else {"place": place})))
    return timeline


def test_a_call_and_its_result_are_one_row():
    """The result revises the call's row: outcome, place, and how long it took."""
    timeline = fold(ToolCalled(call="1", kind="shell", at=10.0), ToolReturned(call="1", outcome="failed", at=12.5))
    assert len(timeline) == 1
    row = timeline[0]
    assert (row.kind, row.outcome, row.took, row.result) == ("shell", "failed", 2.5, Place(0, 2, 100, 100))


def test_a_call_told_again_moves_its_row():
    """A fuller telling of a call takes the row over; there is still one."""
    timeline = fold(ToolCalled(call="1", kind="other", partial=True), ToolCalled(call="1", kind="write"))
    assert len(timeline) == 1
    assert (timeline[0].kind, timeline[0].place.line) == ("write", 2)


def test_pieces_and_whole():
    """Pieces of one text are one row that spans them; the whole takes its place."""
    pieces = [Thought(text="a", message="m", delta=True), Thought(text="b", message="m", delta=True)]
    timeline = fold(*pieces)
    assert len(timeline) == 1
    assert timeline[0].pieces
    assert (timeline[0].place.offset, timeline[0].place.length) == (0, 200)
    timeline = fold(*pieces, Thought(text="ab", message="m"))
    assert not timeline[0].pieces
    assert timeline[0].place.line == 3


def test_the_answer_is_the_claim():
    """The row of the final text becomes the claim; an answer told nowhere else gets a row of its own."""
    timeline = fold(Said(text="Done.", message="m"), ReplyEnded(message="m"), RequestEnded(text="Done."))
    assert [row.kind for row in timeline] == ["claim"]
    assert [row.kind for row in fold(Prompted(text="a"), RequestEnded(text="Done."))] == ["prompt", "claim"]


def test_the_answer_is_the_claim_though_a_hook_speaks_before_the_request_ends():
    """It is not told twice, and its end leads to it; words before more work are no answer."""
    hook = Noticed(kind="hook", text="not finished yet")
    timeline = fold(
        Prompted(text="a"), Said(text="Done.", message="m"), hook, RequestEnded(text="Done."), Prompted(text="b")
    )
    assert [row.kind for row in timeline] == ["prompt", "claim", "notice", "prompt"]
    assert (timeline.ref_of(3), timeline.home(3)) == (1, 1)
    assert (timeline.ref_of(2), timeline.ref_of(4)) == (2, 3)
    worked = fold(Said(text="First.", message="m"), ToolCalled(call="c"), RequestEnded(text="Done."))
    assert [row.kind for row in worked] == ["said", "call", "claim"]
    again = fold(Said(text="Done.", message="m"), RequestEnded(text="Done."), hook, RequestEnded(text="Once more."))
    assert [row.kind for row in again] == ["claim", "notice", "claim"]
    child = fold(
        Said(text="Done.", message="m"), Said(text="child", message="n", actor="x"), RequestEnded(text="Done.")
    )
    assert [row.kind for row in child] == ["claim", "said"]


def test_the_claim_is_the_row_of_the_words_that_were_judged():
    """An answer that no words told has a row of its own; words told as the answer are it, whatever was said after them."""
    apart = fold(Said(text="hm, I look", message="m"), RequestEnded(text="All is done."))
    assert [row.kind for row in apart] == ["said", "claim"]
    assert (apart.home(1), apart[1].place.line) == (1, 2)
    after = fold(Said(text="All is done."), Said(text="Bye!"), RequestEnded(text="All is\ndone.\n"))
    assert [row.kind for row in after] == ["claim", "said"]
    assert after.home(2) == 0
    silent = fold(Said(text="Hm."), Said(text="All is done."), RequestEnded())
    assert [row.kind for row in silent] == ["said", "claim"]


def test_an_answer_told_in_pieces_is_the_claim():
    """Its row is compared as a whole; so is that of an answer put together from several texts."""
    pieces = (Said(text=one, message="m", delta=True) for one in ("All is", " do", "ne."))
    assert [row.kind for row in fold(*pieces, RequestEnded(text="All is done."))] == ["claim"]
    joined = fold(Said(text="First."), Said(text="Then."), RequestEnded(text="First.\n\nThen."))
    assert [row.kind for row in joined] == ["said", "claim"]
    long = "a long word " * 5_000
    assert [row.kind for row in fold(Said(text=long), RequestEnded(text=long))] == ["claim"]


def test_quiet_events_make_no_rows():
    """Token counts and the ends of replies are no rows."""
    assert len(fold(Used(), ReplyEnded(message="m"), Said(text="  ", message="m"))) == 0


def test_receipts_revise_one_row():
    """An action's receipts stand in one row."""
    timeline = fold(Acted(id="a", action="abort"), Acted(id="a", action="abort", receipt="done"))
    assert [(row.kind, row.seq, row.told) for row in timeline] == [("you", 0, 1)]


def test_whose_action_it_is():
    """What a policy did, and the prompt its words became, is the policy's; the operator's own stays the operator's."""
    timeline = fold(
        Acted(id="a", action="warn", by="policy", text="Read it again."),
        Acted(id="a", action="warn", by="policy", text="Read it again.", receipt="delivered"),
        Acted(id="b", action="feedback", text="Stop."),
        Prompted(text="Read it again.\n", by="operator"),
        Prompted(text="Stop.", by="operator"),
        Acted(id="c", action="abort", by="policy"),
    )
    assert [row.kind for row in timeline] == ["policy", "you", "policy", "you", "policy"]


def test_ref_of():
    """An event is found at its row, or at the row it belongs to."""
    timeline = fold(Prompted(text="a"), Used(), Said(text="b", message="m"))
    assert [timeline.ref_of(seq) for seq in (0, 1, 2)] == [0, 0, 1]
    assert Timeline().ref_of(0) is None


MILLION = """
from monitor.events import Place, ToolCalled, ToolReturned
from monitor.timeline.timeline import Timeline

timeline = Timeline()
text = "x" * 1000
for seq in range(0, 1_000_000, 2):
    place = Place(0, seq, seq * 2000, 2000)
    timeline.feed(ToolCalled(call=str(seq), kind="shell", command=text + str(seq), seq=seq, place=place, at=1.0))
    timeline.feed(ToolCalled(call=f"b{seq}", kind="read", arguments=text + str(seq), seq=seq + 1, place=place, at=1.0))
    if not seq % 10:
        timeline.feed(ToolReturned(call=str(seq), output=text + str(seq), seq=seq + 1, place=place, at=2.0))
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(len(timeline), peak.split()[1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
def test_a_million_events_hold_no_texts():
    """A process with a million rows stays under 250 MB: they hold numbers and byte spans."""
    done = subprocess.run([sys.executable, "-c", MILLION], capture_output=True, text=True, check=True)
    rows, kilobytes = map(int, done.stdout.split())
    assert rows == 1_000_000
    assert kilobytes < 250 * 1024
