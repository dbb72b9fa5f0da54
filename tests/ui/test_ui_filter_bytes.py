"""A filter that looks at the bytes first finds what one that reads every row finds."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import logs
import pytest

from monitor.replay.playback import Playback
from monitor.replay.rows import PastRows
from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor
from monitor.targets import find
from monitor.timeline.reading import TimelineRows
from monitor.ui.filtered import Filtered
from monitor.ui.query import Told, parse, texts

CAPTURES = (
    "claude/p_stream_basic.jsonl",
    "claude/p_rep.stream.jsonl",
    "dirtywork/03-stuck-same-failing-cmd/rundir",
    "lcode/11-failed-edits-then-claims-done/stdout.jsonl",
    "lcode/34-acp-circles/acp-wire.jsonl",
)


@contextmanager
def whole(path: Path) -> Iterator[Supervisor]:
    """A log read to its end."""
    supervisor = Supervisor(find(str(path)), live=False)
    supervisor.read_all()
    yield supervisor
    supervisor.close()


def found(rows: TimelineRows, text: str) -> list[int]:
    """The rows that a search finds, its long rows read to the end."""
    shown, end = Filtered(rows, parse(text)), time.monotonic() + 20
    while not shown.search({}, lambda: True):
        assert time.monotonic() < end, "it never came to its end"
        threading.Event().wait(0.002)
    assert shown.searched == 1
    return [shown.ref(index) for index in range(len(shown))]


def judged(rows: TimelineRows, text: str) -> list[int]:
    """The rows for which the query holds, each read back."""
    query, shown = parse(text), []
    for index in range(len(rows)):
        event, result = rows.events(index)
        told = Told(index, rows.brief(index), event, result, lambda index=index: rows.row(index))
        if query.holds(told, {}):
            shown.append(index)
    return shown


def words(rows: TimelineRows, step: int) -> list[str]:
    """Words that stand in the rows: of their texts, and of what is said of them."""
    seen: dict[str, None] = {}
    for index in range(len(rows)):
        row = rows.row(index)
        for text in (
            row.text,
            row.outcome,
            row.kind,
            row.actor,
            *(t for one in rows.events(index) for t in texts(one)),
        ):
            seen |= dict.fromkeys(re.findall(r"\S{3,20}", text[:600].replace('"', " ")))
    return list(seen)[::step] + [one[1:-1] for one in list(seen)[:: 3 * step] if len(one) > 4]


ODD = (
    "Weißes Rauschen",
    "the \u212aelvin scale",
    "日本語 text",
    "\u001b[31mred\u001b[0m",
    "tab\there",
    "STRASSE",
    "ﬁne",
)


@pytest.mark.parametrize("plain", [True, False])
def test_words_of_any_script_are_found_in_any_escaping(tmp_path: Path, plain: bool) -> None:
    """Every word of a log in our own format, with capitals, escapes and controls, and words that only we say."""
    events = [logs.started(), logs.prompted("Mend ÖL and strasse")]
    for number, text in enumerate(ODD * 3):
        call = {"event": "ToolCalled", "call": str(number), "tool": "bash", "kind": "shell", "command": f"echo {text}"}
        back = {"event": "ToolReturned", "call": str(number), "outcome": "ok", "exit": number % 3, "output": text * 2}
        events += [call, back, {"event": "Said", "message": f"s{number}", "text": text.upper()}]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=plain) + "\n" for one in events), encoding="utf-8")
    with whole(path) as run:
        asked = [*words(run.rows, 1), "strasse", "kelvin", "exit", "fine", "nosuchword", "file:odd", "site:example"]
        for word in asked:
            assert found(run.rows, word) == judged(run.rows, word), word


@pytest.mark.parametrize("name", CAPTURES)
def test_words_of_recordings_are_found(shared: Path, name: str) -> None:
    """Of real runs in every format that is read line by line."""
    path = shared / "captures" / name
    if not path.exists():
        pytest.skip(f"{name} is not here")
    with whole(path) as run:
        for word in words(run.rows, max(1, len(words(run.rows, 1)) // 60)):
            assert found(run.rows, f'"{word}"') == judged(run.rows, f'"{word}"'), word


def test_a_text_that_comes_in_pieces_is_found_across_them(tmp_path: Path) -> None:
    """A word told in three pieces stands whole in no record, and is found all the same; a long one beside the screen."""
    pieces = ["xy", "lo", "phone"] + [" and so on"] * 4_000
    told = [{"event": "Thought", "message": "m", "part": 0, "delta": True, "text": one} for one in pieces]
    path = tmp_path / "run.jsonl"
    path.write_bytes(logs.lines(logs.started(), logs.prompted(), *told))
    with whole(path) as run:
        here = next(index for index in range(len(run.rows)) if run.rows.brief(index).kind == "thought")
        assert run.rows.long(here)
        assert found(run.rows, "xylophone") == [here]
        assert found(run.rows, "glockenspiel") == []


class Moment:
    """Where a replay stands."""

    def __init__(self) -> None:
        self.playback, self.snapshot = Playback(), Snapshot()


def then(rows: PastRows, shown: Filtered) -> list[int]:
    shown.search({}, lambda: True)
    return [shown.ref(index) for index in range(len(shown))]


def calls(many: int) -> Iterable[dict]:
    """Calls that all go on until the last was begun, and then fail one after the other."""
    yield logs.started()
    yield logs.prompted()
    yield from (logs.edited(str(number), at=3.0 + number) for number in range(many))
    yield from (logs.failed(str(number), at=5_000.0 + number) for number in range(many))


def test_steps_there_and_back_judge_every_row_whose_result_came_or_went(tmp_path: Path) -> None:
    """However far back a call stands and however many are open: at each moment what a new search finds."""
    path, many = tmp_path / "run.jsonl", 700
    path.write_bytes(logs.lines(*calls(many)))
    with whole(path) as run:
        moment = Moment()
        rows = PastRows(run.rows, moment)
        shown = Filtered(rows, parse("failed"))
        for count in (2 * many, 2 * many - 1, many + 5, many + 6, 40, 2 * many + 2, 2 * many + 1, many + 300, 3):
            moment.playback = Playback(count=count, total=2 * many + 2)
            assert then(rows, shown) == then(rows, Filtered(rows, parse("failed"))), count
            assert len(shown) == max(0, count - many - 2)


def test_words_that_stand_apart_in_a_call_and_in_its_result_are_found_together(tmp_path: Path) -> None:
    """One in the command, one in what came of it, one in the name of who did it: all of them hold of the one row."""
    path = tmp_path / "run.jsonl"
    call = {"event": "ToolCalled", "call": "1", "tool": "bash", "kind": "shell", "command": "echo xylophone"}
    back = {"event": "ToolReturned", "call": "1", "outcome": "ok", "exit": 0, "output": "glockenspiel"}
    path.write_bytes(logs.lines(logs.started(), call | {"actor": "marimba"}, back | {"actor": "marimba"}))
    with whole(path) as run:
        (here,) = (index for index in range(len(run.rows)) if run.rows.brief(index).kind == "shell")
        assert found(run.rows, "xylophone glockenspiel marimba") == [here]
        assert found(run.rows, "glockenspiel xylophone zither") == []


def test_what_is_left_out_is_told_by_the_bytes_too(tmp_path: Path) -> None:
    """Rows whose bytes cannot hold the word are shown unread; the others are read, and shown or not."""
    path = tmp_path / "run.jsonl"
    said = [{"event": "Said", "message": f"m{n}", "text": "xylophone" if n % 5 == 0 else "zither"} for n in range(40)]
    path.write_bytes(logs.lines(logs.started(), *said))
    with whole(path) as run:
        read = []
        events = run.rows.events
        run.rows.events = lambda ref: (read.append(ref), events(ref))[1]  # type: ignore[method-assign]
        ours = len(run.rows) - 1
        assert found(run.rows, "-xylophone") == [0, *(n + 1 for n in range(40) if n % 5), ours]
        assert set(read) == {*(n + 1 for n in range(0, 40, 5)), ours}, "what is ours stands in no bytes"
        assert found(run.rows, "-xylophone") == judged(run.rows, "-xylophone")
