"""From which count on a repetition is worth a word."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.detectors.number import count
from monitor.detectors.repeats_view import Rule
from monitor.findings import Level


@dataclass(frozen=True, slots=True)
class RepeatLimits:
    """The counts of each rule; a rule whose first number is 0 is off, and a stop of 0 never comes."""

    same_call: int = count(3, "times the same call with the same result: a warning; one sooner where it failed")
    same_call_more: int = count(2, "so many more of them: stop")
    failing_command: int = count(4, "times the same command failing with the same output: stop")
    same_change: int = count(4, "times the same change, each time made: a warning")
    same_change_stop: int = count(8, "of them: stop")
    cycle: int = count(3, "rounds of the same two to four calls with the same results: a warning")
    cycle_stop: int = count(5, "of them: stop")
    not_executed: int = count(3, "times the same call, never executed by the harness: a warning")
    not_executed_stop: int = count(6, "of them: stop")
    no_progress: int = count(6, "turns without a new call that succeeded, a change or new output: a note")
    no_progress_stop: int = count(12, "of them: stop")

    def level(self, rule: Rule, count: int, *, failed: bool = False, unsure: bool = False) -> Level | None:
        """What a count is worth; never a stop where the log has only a part of what was compared."""
        first, stop, low = self._numbers(rule, failed=failed)
        if not first:
            return None
        if stop and count >= stop:
            return "warn" if unsure else "stop"
        return low if count >= first else None

    def _numbers(self, rule: Rule, *, failed: bool) -> tuple[int, int, Level]:
        match rule:
            case "same call":
                first = max(2, self.same_call - failed) if self.same_call else 0
                return first, first + self.same_call_more if self.same_call_more else 0, "warn"
            case "same failing command":
                return self.failing_command, self.failing_command, "warn"
            case "same change":
                return self.same_change, self.same_change_stop, "warn"
            case "cycle of calls":
                return self.cycle, self.cycle_stop, "warn"
            case "not executed":
                return self.not_executed, self.not_executed_stop, "warn"
            case "no progress":
                return self.no_progress, self.no_progress_stop, "note"
