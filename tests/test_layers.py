"""Which room may use which: the arrows of the house go one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import monitor

ROOT = Path(monitor.__file__).parent
WORLD = {
    "asyncio", "concurrent", "fcntl", "glob", "http", "httpx", "inotify_simple", "io", "logging", "multiprocessing", "os",
    "pathlib", "platformdirs", "psutil", "pygit2", "queue", "random", "select", "shutil", "signal", "socket", "subprocess",
    "tempfile", "textual", "threading", "time", "watchfiles",
}  # fmt: skip
"""What has a clock, does I/O, or starts a thread."""
PURE = [
    *sorted(f"events/{path.name}" for path in (ROOT / "events").glob("*.py")),
    "findings.py", "actions.py", "text.py", "claims.py", "statuses.py", "snapshot.py", "policy/rules.py", "replay/playback.py",
    *sorted(f"run/{path.name}" for path in (ROOT / "run").glob("*.py")),
    *(f"timeline/{name}.py" for name in (
        "timeline", "columns", "stored", "places", "between", "kinds", "rows", "marking", "sieve", "wording",
    )),
    "worktree/closest.py", *sorted(f"shell/{path.name}" for path in (ROOT / "shell").glob("*.py")),
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "detectors").glob("*.py")),
    *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("agents/*/decode.py")),
    "agents/openhands/conversation.py", "agents/openhands/executed.py",
]  # fmt: skip


def imports(path):
    """Every module a file names in an import."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def of_ours(path):
    """The rooms of ours a file names, as their first word below the package."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("monitor.")}


@pytest.mark.parametrize("name", PURE)
def test_pure_rooms_touch_nothing(name):
    """A pure room imports no clock, no files, no threads and no screen."""
    assert not {found.split(".")[0] for found in imports(ROOT / name)} & WORLD


@pytest.mark.parametrize("path", sorted((ROOT / "streams").glob("*.py")), ids=lambda path: path.name)
def test_streams_know_nothing_of_ours(path):
    """Streams import only each other and the errors a user sees."""
    assert of_ours(path) <= {"streams", "errors"}


@pytest.mark.parametrize("path", sorted((ROOT / "detectors").glob("*.py")), ids=lambda path: path.name)
def test_detectors_import_downwards(path):
    """Detectors know events, findings, wishes and shell words; closest lines are told to them."""
    assert of_ours(path) <= {"detectors", "events", "findings", "actions", "claims", "text", "worktree", "shell"}


@pytest.mark.parametrize("path", sorted((ROOT / "demo").glob("*.py")), ids=lambda path: path.name)
def test_the_demo_is_a_stranger(path):
    """The scripted agent knows nothing of the monitor."""
    assert of_ours(path) <= {"demo"}


@pytest.mark.parametrize("path", sorted((ROOT / "ui").rglob("*.py")), ids=lambda path: path.name)
def test_the_screen_asks_no_engine(path):
    """The screen knows snapshots, rows and actions, and reads no log by itself."""
    assert not of_ours(path) & {"streams", "agents", "detectors.failed_writes", "sources", "demo", "commands"}


def test_only_the_screen_brings_textual():
    """The core, the report and the commands start without Textual, the real imports looked at."""
    code = (
        "import sys, monitor.cli, monitor.supervisor, monitor.commands.report, monitor.commands.watch;"
        "sys.exit(any(name.split('.')[0] in ('textual', 'httpx', 'pygit2') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_help_brings_nothing_heavy():
    """`--help` imports the command line alone."""
    code = (
        "import sys; from monitor.cli import cli; cli.main(['--help'], standalone_mode=False);"
        "sys.exit(any(name in sys.modules for name in ('msgspec', 'textual', 'rich', 'psutil', 'platformdirs')))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == 0
