"""What stands on a row beside its own words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import logs

from monitor.findings import Finding, Spot
from monitor.snapshot import Claim, Snapshot, Verdict
from monitor.supervisor import Supervisor
from monitor.targets import find
from monitor.timeline.marking import RowMark, marks_of


def claim(seq: int, state: str, *, done: bool = True) -> Claim:
    return Claim(Spot(seq, 0, seq), None, done, "Done.", state, 1)  # type: ignore[arg-type]


def marked(*claims: Claim, **more: object) -> dict[int, RowMark]:
    return dict(marks_of(replace(Snapshot(claims=claims), **more), lambda seq: seq - 1))


def test_a_claim_carries_what_became_of_it() -> None:
    """An earlier one as it was judged then, the latest as it stands now; one that says it could not, that."""
    now = Verdict("changed", "", claimed_done=True)
    marks = marked(claim(5, "not made"), claim(7, "unknown", done=False), claim(9, "claimed"), verdict=now)
    assert marks == {4: RowMark("stop", "not made"), 6: RowMark("note", "could not"), 8: RowMark("ok", "changed")}
    assert marked(claim(5, "claimed"), verdict=Verdict("running", ""))[4] == RowMark("note", "claimed")


def test_findings_mark_the_events_that_prove_them() -> None:
    """The gravest level stands; one that is no longer open is a note; of circles the row says so."""
    places = (Spot(3, 0, 3), Spot(5, 0, 5))
    circles = Finding("thinking", "circles", "warn", "It went in circles", places=places)
    gone = Finding("sites", "a", "stop", "blocked", state="cleared", places=(Spot(3, 0, 3), Spot(8, 0, 8)))
    marks = marked(claim(5, "changed"), findings=(circles, gone))
    assert marks[3] == RowMark("warn", "repeats itself")
    assert marks[8] == RowMark("note", "")
    assert marks[4] == RowMark("warn", "changed"), "the end of a request is shown by the claim's row"


def test_the_rows_of_a_log_show_it(tmp_path: Path) -> None:
    """The claim of a run whose writes failed is marked, in a log read to its end."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(logs.lines(*logs.FALSE_DONE))
    run = Supervisor(find(str(path)), live=False)
    run.read_all()
    rows = [run.rows.row(index) for index in range(len(run.rows))]
    run.close()
    assert [(one.level, one.outcome) for one in rows if one.kind == "claim"] == [("stop", "not made")]
