"""What every test may ask for."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import header

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_configure() -> None:
    """What is started by a test hears signals as in a terminal: a shell starts in the background what ignores some."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def pytest_report_header() -> str:
    """Which real agents this session drives."""
    return header()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Which kinds of records the real agents wrote that no decoder knows: told, and no failure."""
    reports = terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", [])
    told = [value for report in reports for name, value in report.user_properties if name == "unknown types"]
    if told:
        terminalreporter.section("record types that are not known")
        for line in sorted(told):
            terminalreporter.write_line(str(line))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recordings beside the repository; tests that need it are skipped elsewhere."""
    if not (SHARED / "captures").is_dir():
        pytest.skip("the recordings beside the repository are not here")
    return SHARED


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path is short, wherever pytest keeps its own: paths of sockets have a limit."""
    with tempfile.TemporaryDirectory(prefix="h", ignore_cleanup_errors=True) as made:
        yield Path(made)


@pytest.fixture(autouse=True)
def private_home(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees or writes the configuration of the person who runs it."""
    monkeypatch.setenv("HOME", str(short_folder))
    for name in (
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "XDG_DATA_HOME",
        "XDG_CACHE_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "LCODE_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    return short_folder
