"""The comparison of the folder: its screen in every size, and what its parts say."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from ui_differing import STORE, differing
from ui_open import floating, opened, toasts
from ui_samples import SampleSource

from monitor.events import ToolCalled
from monitor.ui.screens.diff import DiffScreen
from monitor.worktree.diff import FolderDiff


@asynccontextmanager
async def compared(
    source: SampleSource, size: tuple[int, int] = (120, 36), keys: tuple[str, ...] = ("d",)
) -> AsyncIterator[tuple[DiffScreen, Pilot[None]]]:
    """The comparison, opened and read."""
    async with opened(source, size) as (screen, pilot):
        await pilot.press(*keys)
        shown = screen.app.screen
        assert isinstance(shown, DiffScreen)
        await read(shown, pilot)
        yield shown, pilot


async def read(screen: DiffScreen, pilot: Pilot[None]) -> None:
    await screen.app.workers.wait_for_complete()
    await pilot.pause()


async def test_every_kind_of_difference_is_named() -> None:
    """New, gone, moved, another mode, binary, untracked, in a repository within; each with whose hand it was."""
    async with compared(differing(), (160, 48)) as (screen, pilot):
        seen = []
        for _ in screen.changed:
            seen.append(floating(screen.app))
            await pilot.press("down")
        for words in (
            "New; untracked; no text: 8,190 bytes.", "By a command at 15:03:34: sqlite3 build/readings.db",
            "Outside the agent's view at 15:03:20.", "moved docs/storage.md", "Moved here from docs/csv.md.",
            "Its mode differs; a file before, a program now.", "By whom is not known at 15:04:02: a background command",
            "By the agent at 15:02:58.", "gone tests/test_csv.py", "In the repository vendor/tide.", "1 of 8 files +11 -8", "8 of 8 files",
        ):  # fmt: skip
            assert any(words in one for one in seen), words


async def test_since_the_start_the_prompt_or_one_file() -> None:
    """The selected file comes first, then the start, then the prompt; what is not shown is counted."""
    source = differing()
    since = source.snapshot.worktree.since
    async with compared(source, keys=("g", *["down"] * 40, "d")) as (screen, pilot):
        assert source.compared == [("", None)], "the last row is no file"
        await pilot.press("tab")
        await read(screen, pilot)
        assert "of 2 files +1 -1 · 4 more" in floating(screen.app)
        assert "4 more files not shown: 1 modified, 3 new." in floating(screen.app)
        await pilot.press("tab")
        assert screen.asked.scope.since is None
    assert source.compared == [("", None), ("", since), ("", None)]
    source.compared.clear()
    index = next(
        row.ref
        for row, event, _ in source.rows.items
        if isinstance(event, ToolCalled) and event.changes and event.changes[0].file == STORE
    )
    async with opened(source) as (run, pilot):
        run.timeline.go(index)
        await pilot.press("d")
        shown = run.app.screen
        assert isinstance(shown, DiffScreen)
        await read(shown, pilot)
        assert source.compared == [(STORE, None)]
        assert f"Differences of {STORE} since the start" in floating(run.app)
        await pilot.press("shift+tab")
        await read(shown, pilot)
        assert source.compared[-1] == ("", since)


async def test_the_file_of_a_panel() -> None:
    """A file of the worktree's or the failed writes' panel is compared when the panel has the focus."""
    source = differing()
    async with opened(source) as (run, pilot):
        run.panels["worktree"].focus()
        await pilot.pause()
        entry = run.panels["worktree"].chosen
        assert entry is not None
        await pilot.press("d")
        await pilot.pause()
        assert source.compared[0][0] == (entry.text if entry.path else "")
        assert source.compared[0][0]


async def test_keys_and_mouse() -> None:
    """Files by arrows, wheel and clicks; lines by pages and single steps; escape goes back to the run."""
    async with compared(differing(), (80, 24)) as (screen, pilot):
        assert isinstance(screen.source, SampleSource)
        await pilot.press("G")
        assert screen.here == len(screen.changed) - 1
        await pilot.press("g", "j")
        assert screen.here == 1
        await pilot.click("#files", offset=(5, 4))
        assert screen.changed[screen.here].diff.file == STORE
        await pilot.press("space")
        assert screen.patch.top > 0
        await pilot.press("K", "J", "pageup", "l", "l", "h")
        assert (screen.patch.top, screen.patch.left) == (0, 8)
        await pilot._post_mouse_events([MouseScrollDown], "#patch", button=0)
        assert screen.patch.top == 3
        await pilot._post_mouse_events([MouseScrollUp], "#files", button=0)
        assert screen.here == 3
        for key, words in (("file", "file"), ("page", "lines"), ("scope", "since when"), ("again", "read again")):
            before = (screen.here, screen.patch.top, len(screen.source.compared))
            await pilot.click("#foot", offset=(foot(screen).index(words) + 1, 0))
            await read(screen, pilot)
            assert (screen.here, screen.patch.top, len(screen.source.compared)) != before, key
        await pilot.click("#foot", offset=(foot(screen).index("close") + 1, 0))
        assert not isinstance(screen.app.screen, DiffScreen)


def foot(screen: DiffScreen) -> str:
    return floating(screen.app).split("\n")[-1]


async def test_nothing_differs() -> None:
    """Where nothing differs the screen says since when, and what may be missing."""
    source = differing()
    source.differs = {("", None): FolderDiff((), why="changes in 3 folders are looked for every 2 s instead")}
    async with compared(source) as (screen, pilot):
        shown = floating(screen.app)
        assert "Nothing differs since the start. Changes in 3 folders are looked for every 2 s instead." in shown
        await pilot.press("tab")
        await read(screen, pilot)
        assert "Nothing differs since the prompt at 15:01:12." in floating(screen.app)


async def test_nothing_can_be_compared() -> None:
    """Where nothing could be compared the screen says why, and not that nothing differs."""
    source = differing()
    source.differs = {("", None): FolderDiff((), why="the project folder is gone", known=False)}
    async with compared(source) as (screen, _):
        shown = floating(screen.app)
        assert "The project folder is gone." in shown
        assert "Nothing differs" not in shown


@pytest.mark.parametrize("size", [(160, 48), (120, 36), (80, 24)])
async def test_what_may_be_missing_stands_below_the_counts(size: tuple[int, int]) -> None:
    """A long reason never takes the place of how many files differ, nor loses all but its first word."""
    source = differing()
    found = source.differs["", None]
    why = "28,933 files changed at once, too many to be told one by one"
    source.differs = {("", None): replace(found, why=why)}
    async with compared(source, size) as (screen, _):
        first, second = floating(screen.app).split("\n")[:2]
        assert f"1 of {len(found.files)} files" in first
        assert second.strip() == f"{why}."


async def test_it_cannot_be_compared() -> None:
    """Where nothing can be compared the key is dim, and says why."""
    source = differing()
    source.no_diff = "no project folder is known: --project names it when the run is attached to"
    async with opened(source) as (run, pilot):
        await pilot.press("d")
        assert toasts(run) == ["No project folder is known: --project names it when the run is attached to"]
        assert not isinstance(run.app.screen, DiffScreen)


@dataclass
class Waiting(SampleSource):
    """A source whose comparison waits until it is let go."""

    go: threading.Event = field(default_factory=threading.Event)
    problem: Exception | None = None

    def diff(self, file: str = "", since: float | None = None) -> FolderDiff:
        assert self.go.wait(20)
        if self.problem is not None:
            raise self.problem
        return super().diff(file, since)


async def test_a_slow_comparison_holds_nothing_up() -> None:
    """While it is read the screen says so, and can be left; a fault is said."""
    made = differing()
    source = Waiting(made.snapshot, made.rows, differs=made.differs)
    async with opened(source) as (run, pilot):
        await pilot.press("d")
        assert "The differences are being read." in floating(run.app)
        await pilot.press("escape")
        assert run.app.screen is run
        source.problem = ValueError("[/foo] \x1b]0;x")
        await pilot.press("d")
        source.go.set()
        shown = run.app.screen
        assert isinstance(shown, DiffScreen)
        await read(shown, pilot)
        assert "They could not be read: ValueError: [/foo] ␛]0;x." in floating(run.app)
        source.problem = None
        await pilot.press("r")
        await read(shown, pilot)
        assert len(shown.changed) == 8


@pytest.mark.parametrize("size", [(20, 6), (40, 10), (60, 15), (80, 24), (120, 36), (160, 48), (250, 60)], ids=str)
async def test_any_size(size: tuple[int, int]) -> None:
    """Drawn without a fault from the smallest terminal on, the chosen file and the way out in sight."""
    async with compared(differing(), size) as (screen, pilot):
        await pilot.press("G", "tab")
        await read(screen, pilot)
        lines = floating(screen.app).split("\n")
        assert len(lines) == size[1]
        assert "escape" in lines[-1]
        assert "storage.md" in "".join(lines) or size == (20, 6)
