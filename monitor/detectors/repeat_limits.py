"""From which count on a repetition is worth a word."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.detectors.repeats_view import Rule
from monitor.findings import Level


@dataclass(frozen=True, slots=True)
class RepeatLimits:
    """The counts of each rule; a rule whose first number is 0 is off, and a stop of 0 never comes."""

    same_call: int = 3
    """The same call with the same result: a warning; one sooner where the call failed."""
    same_call_more: int = 2
    """So many after the warning: stop."""
    failing_command: int = 4
    """The same command failing with the same output: stop."""
    same_change: int = 4
    same_change_stop: int = 8
    cycle: int = 3
    """Rounds."""
    cycle_stop: int = 5
    not_executed: int = 3
    not_executed_stop: int = 6
    no_progress: int = 6
    """Turns: a note."""
    no_progress_stop: int = 12

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
