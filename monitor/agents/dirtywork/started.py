"""What a run says of itself when it begins: in its `run_start` record, and in run.json before that."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.agents.fields import Object, raw, text
from monitor.events import DETECTORS, Coverage, Event, Prompted, RunStarted
from monitor.text import clean

_MARKERS = ("\n\n--- RESUMED RUN ---\n", "\n\n--- RESUMED RUN: REVIEW FEEDBACK ---\n")
_THOUGHTS = "dirtywork logs thinking only where the model writes it into its answer"
_PREVIEWS = "dirtywork keeps the first 2,000 characters of a result"
_TURNS = "dirtywork writes whole turns, when they are over"
_CONTAINER = "the run works in a container; its folder is filled only when it ends"
_COVERAGE = {
    "thinking": Coverage("partial", _THOUGHTS),
    "sites": Coverage("partial", _PREVIEWS),
    "repeats": Coverage("partial", _PREVIEWS),
    "scripts": Coverage("partial", "dirtywork keeps the first 2,000 characters of a call"),
    "outside_edits": Coverage("partial", _TURNS),
    "stalls": Coverage("none", _TURNS),
}
_ALONE = Coverage("none", "only run.json is there, and it holds no calls")


@dataclass(frozen=True, slots=True)
class About:
    """What run.json says of the run when it is found; it stands in no transcript."""

    slug: str = ""
    verify: str = ""
    """The command that checks a completion."""
    resumed: bool | None = None
    """Whether the run goes on with the work of an earlier one; none when nothing says so."""
    alone: bool = False
    """There is run.json and no transcript."""


def started(found: Object, about: About) -> RunStarted:
    """The run's start, from either record; its folder is the worktree, not the repository."""
    task, _ = split_task(raw(found, "task"))
    feedback = raw(found, "feedback")
    worktree = text(found, "worktree")
    return RunStarted(
        agent="dirtywork",
        version=text(found, "dirtywork_version"),
        model=text(found, "model"),
        session=about.slug or _slug(found),
        cwd=worktree,
        project=worktree,
        task=clean(task),
        change_required=True if feedback else None,
        lag="turn",
        deltas=False,
        coverage=_coverage(found, about),
    )


def prompts(found: Object) -> list[Event]:
    """What the model was told at the start: the task, what the harness tells of the earlier run, the feedback.

    The feedback stands last. It is taken out of the harness's words, which hold it too.
    """
    task, tail = split_task(raw(found, "task"))
    feedback = raw(found, "feedback")
    told: list[Event] = []
    if task:
        told.append(Prompted(text=clean(task)))
    if tail:
        told.append(Prompted(text=clean(tail.replace(f"{feedback}\n\n", "", 1)), by="harness", into="running"))
    if feedback:
        told.append(Prompted(text=clean(feedback), by="operator", into="running"))
    return told


def split_task(task: str) -> tuple[str, str]:
    """The task as it was first given, and what a resume has added to it."""
    ends = [at for marker in _MARKERS if (at := task.find(marker)) >= 0]
    if not ends:
        return task, ""
    end = min(ends)
    return task[:end], task[end:].lstrip("\n").partition("\n")[2]


def resumed(found: Object) -> bool | None:
    """Whether the run goes on with the work of an earlier one; none when the record does not say."""
    return bool(found["resumed_from"]) if "resumed_from" in found else None


def _slug(found: Object) -> str:
    """The run's own name: its branch carries it, unless the branch is that of an earlier run."""
    if "slug" in found:
        return text(found, "slug")
    branch = text(found, "branch")
    return branch.removeprefix("dirtywork/") if resumed(found) is False and branch.startswith("dirtywork/") else ""


def _coverage(found: Object, about: About) -> dict[str, Coverage]:
    contained = isinstance(found.get("sandbox"), dict) or raw(found, "sandbox") == "docker"
    folder = {"worktree": Coverage("none", _CONTAINER)} if contained else {}
    if about.alone:
        return dict.fromkeys((name for name in DETECTORS if name != "worktree"), _ALONE) | folder
    return _COVERAGE | folder
