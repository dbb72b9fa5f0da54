"""An invented run, replayed: stopped in the middle, and played by hand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ui_samples import SampleRows, SampleSource, at
from ui_trouble import trouble

from monitor.detectors.writes_view import WritesView
from monitor.replay.playback import Mark, Playback
from monitor.snapshot import Snapshot, Verdict

PAST = "this is a replay: there is nothing left to act on"


@dataclass
class SampleReplay(SampleSource):
    """A replay in memory that does at once what it is told, and keeps it."""

    live: bool = False
    whole: SampleSource = field(default_factory=trouble)
    asked: list[tuple[str, int]] = field(default_factory=list)
    problem: str = ""

    def play(self) -> None:
        self.asked.append(("play", 0))
        assert self.playback is not None
        self.playback = replace(self.playback, playing=not self.playback.playing)

    def seek(self, count: int) -> None:
        self.asked.append(("seek", count))
        self.go(count)

    def step(self, events: int) -> None:
        self.asked.append(("step", events))
        assert self.playback is not None
        self.go(self.playback.count + events)

    def turn(self, turns: int) -> None:
        self.asked.append(("turn", turns))

    def faster(self, steps: int) -> None:
        self.asked.append(("faster", steps))

    def rows_at(self, count: int) -> SampleRows:
        """The rows after so many events."""
        return SampleRows(self.whole.rows.items[:count], count)

    def go(self, count: int) -> None:
        """Show the run as it was after so many events."""
        assert self.playback is not None
        count = max(0, min(count, self.playback.total))
        self.rows.items[:] = [
            (replace(row, level="note") if row.kind == "write" and row.level else row, *rest)
            for row, *rest in self.whole.rows.items[:count]
        ]  # type: ignore[assignment]
        self.rows.version = count
        self.snapshot = then(self.whole.snapshot, self.rows, count)
        self.playback = replace(self.playback, count=count, now=self.snapshot.run.last, playing=False)


def then(snapshot: Snapshot, rows: SampleRows, count: int) -> Snapshot:
    """The snapshot without what came after the first `count` events."""
    if not count:
        return Snapshot()
    last = rows.items[-1][0].at
    found = tuple(
        replace(one, level=one.level if one.raised < count else "note")
        for one in snapshot.findings
        if one.opened < count and one.detector != "tests"
    )
    files = {one.subject for one in found if one.detector == "failed_writes"}
    entries = tuple(
        replace(one, failures=kept, count=len(kept))
        for one in snapshot.writes.entries
        if one.key in files and (kept := tuple(failed for failed in one.failures if failed.spot.seq < count))
    )
    circled = [one for one in snapshot.thinking.flags if one.spot.seq < count]
    history = snapshot.thinking.history if circled else tuple(value / 3 for value in snapshot.thinking.history[:20])
    thinking = replace(
        snapshot.thinking,
        flags=tuple(circled),
        history=history,
        density=history[-1],
        last=history[-1],
        peak=history[-1],
    )
    return replace(
        snapshot,
        seq=count - 1,
        run=replace(snapshot.run, last=last, turns=11, calls=18, cost=0.31, context_used=66_000),
        verdict=Verdict("running", "Nothing needs you", since=last, since_what="last event"),
        claims=snapshot.claims if count > 30 else (),
        findings=found,
        thinking=thinking,
        writes=WritesView(entries, len(entries), 3, sum(one.count for one in entries), found[:1]),
        worktree=replace(snapshot.worktree, files=snapshot.worktree.files[:2], at=last),
    )


def replayed(count: int = 27) -> SampleReplay:
    """Paused where the export failed to be written."""
    whole = trouble()
    total = len(whole.rows)
    marks = {Mark(one.opened + 1, "note") for one in whole.snapshot.findings if one.opened != one.raised}
    marks |= {Mark(one.raised + 1, one.level) for one in whole.snapshot.findings if one.detector != "tests"}
    ordered = tuple(sorted(marks, key=lambda mark: (mark.count, mark.level)))
    playback = Playback(
        total=total, start=at("14:57:38"), end=at("15:09:04"), speed=4.0, marks=ordered, playing=True, turns=16
    )
    source = SampleReplay(Snapshot(), SampleRows(), cannot=dict.fromkeys(whole.cannot, PAST), playback=playback)
    source.whole = whole
    source.go(count)
    source.playback = replace(source.playback or playback, playing=True)
    return source
