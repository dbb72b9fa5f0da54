"""What the results of writes make of the ledger, of the excuses, and of the counts."""

from __future__ import annotations

from monitor.actions import Want
from monitor.detectors.entries import DECIDED, UNKNOWN
from monitor.detectors.excuse import Excuses
from monitor.detectors.file_results import FileResult, file_results
from monitor.detectors.ledger import Ledger
from monitor.detectors.names import Names
from monitor.detectors.numbers import WritesNumbers
from monitor.detectors.pairing import Counted, Pairing
from monitor.detectors.read_lines import ReadLines
from monitor.detectors.write_calls import Call, Result
from monitor.detectors.write_failure import failure_of, wanted


class Books:
    """Everything that a write's result is entered into."""

    def __init__(self, numbers: WritesNumbers) -> None:
        self.names = Names()
        self.excuses = Excuses()
        self.ledger = Ledger(numbers)
        self.texts = ReadLines()
        self.made = 0
        self.failed = 0

    def judge(self, call: Call, result: Result, calls: Pairing) -> list[Want]:
        """Enter what became of each file; a call that was judged before is judged anew."""
        counted_before = calls.done[call.id].counted
        before = {} if counted_before is None else self.ledger.withdraw(call)
        files = file_results(call, result, self.names)
        for one in files:
            if one.given:
                self.names.learn(one.given, one.key, corrects=call.corrects)
                self.ledger.rename(one.given, one.key, corrected=call.corrects)
        outcomes = {one.outcome for one in files}
        counted: Counted = "made" if outcomes == {"ok"} else "failed" if outcomes - {"ok", *DECIDED} else ""
        calls.count(call.id, counted)
        self._count(counted_before, -1)
        self._count(counted, 1)
        for one in files:
            self._enter(call, result, one)
        self.ledger.reinstate(before)
        return wanted(call, result, files) if "failed" in outcomes else []

    def copy(self) -> Books:
        """Another that goes on from here."""
        other = Books(self.ledger.numbers)
        other.names, other.excuses = self.names.copy(), self.excuses.copy()
        other.ledger, other.texts = self.ledger.copy(), self.texts.copy()
        other.made, other.failed = self.made, self.failed
        return other

    def _enter(self, call: Call, result: Result, one: FileResult) -> None:
        if one.outcome == "ok":
            self._wrote(call, result, one)
            return
        excused = one.outcome == "failed" and one.named and self.excuses.holds(one.key, one.edits, one.failure)
        failure = failure_of(call, result, one, self.texts, excused=excused)
        if one.outcome in DECIDED:
            self.ledger.decide(one.key, failure, f"{one.outcome} by a person", result)
            return
        self.ledger.add(one.key, failure)
        if one.outcome in UNKNOWN or one.failure == "io":
            self.excuses.may_have_written(one.key, result)
            self.texts.drop(one.key)

    def _wrote(self, call: Call, result: Result, one: FileResult) -> None:
        if not one.named:
            self.excuses.doubt(result.seq)
            return
        self.ledger.clear(one.key, call, result)
        self.excuses.wrote(one.key, one.edits, result)
        self.texts.drop(one.key)
        if contents := {edit.content for edit in one.edits if edit.content}:
            self._note_elsewhere(one.key, contents)

    def _note_elsewhere(self, key: str, contents: set[bytes]) -> None:
        """What another file was to hold has been written to this one: said there, and mends nothing."""
        for other in {entry.key for entry, failure in self.ledger.failures() if failure.content in contents}:
            if other != key:
                self.ledger.mark(other, elsewhere=self.names.shown(key))

    def _count(self, counted: Counted | None, by: int) -> None:
        self.made += by * (counted == "made")
        self.failed += by * (counted == "failed")
