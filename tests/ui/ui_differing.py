"""The invented run whose folder differs in every way, for the comparison's screen."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from ui_samples import SampleSource, at
from ui_trouble import trouble

from monitor.detectors.outside_view import Author
from monitor.worktree.diff import FolderDiff
from monitor.worktree.diff_text import NOTHING, Content, DiffText, diff_of

STORE = "src/tidepool/storage/readings.py"
_BEFORE = '''"""Where readings are kept."""

from __future__ import annotations

import csv
from pathlib import Path


class ReadingStore:
    """Keeps readings in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> list[Reading]:
        with self._path.open() as file:
            return [Reading(**row) for row in csv.DictReader(file)]
'''
_AFTER = (
    _BEFORE.replace("import csv\n", "import sqlite3\n")
    .replace("self._path = path", "self._db = sqlite3.connect(path)")
    .replace(
        "        with self._path.open() as file:\n            return [Reading(**row) for row in csv.DictReader(file)]\n",
        '        rows = self._db.execute("SELECT * FROM readings ORDER BY taken")\n        return [Reading(*row) for row in rows]\n',
    )
)
SCHEMA = "CREATE TABLE readings (\n    station TEXT NOT NULL,\n    taken REAL NOT NULL,\n    level REAL\n);\n"
AUTHORS = {
    STORE: Author("agent", "", at("15:02:58")),
    "src/tidepool/storage/schema.sql": Author("agent", "", at("15:02:31")),
    "config/stations.toml": Author("outside", "", at("15:03:20")),
    "build/readings.db": Author("shell", "sqlite3 build/readings.db < src/tidepool/storage/schema.sql", at("15:03:34")),
    "scripts/fill.sh": Author("unknown", "a background command may have: make watch", at("15:04:02")),
    "docs/storage.md": Author("shell", "git mv docs/csv.md docs/storage.md", at("15:04:11")),
    "tests/test_csv.py": Author("agent", "", at("15:04:15")),
    "vendor/tide/tables.py": Author("agent", "", at("15:04:20")),
}


def text(words: str, mode: bytes = b"100644") -> Content:
    return Content(words.encode(), mode)


def differences() -> tuple[DiffText, ...]:
    """One file of each kind, in the order of their paths."""
    stations = "[cuxhaven]\nlevel = 3.1\n\n[husum]\nlevel = 2.9\n"
    moved = DiffText("docs/storage.md", "moved", added=0, removed=0, was="docs/csv.md")
    return (
        replace(diff_of("build/readings.db", NOTHING, Content(b"SQLite\0" * 1170, b"100644")), where="untracked"),
        diff_of("config/stations.toml", text(stations), text(stations.replace("2.9", "3.0"))),
        moved,
        diff_of("scripts/fill.sh", text("make\n"), text("make\n", b"100755")),
        diff_of(STORE, text(_BEFORE), text(_AFTER)),
        replace(diff_of("src/tidepool/storage/schema.sql", NOTHING, text(SCHEMA)), where="untracked"),
        diff_of("tests/test_csv.py", text("def test_csv():\n    assert True\n"), NOTHING),
        replace(
            diff_of("vendor/tide/tables.py", text("ROWS = 3\n"), text("ROWS = 4\n")),
            where="in the repository vendor/tide",
        ),
    )


def differing() -> SampleSource:
    """The run in trouble, with a folder that can be compared."""
    source = trouble()
    outside = replace(source.snapshot.outside, authors=MappingProxyType(AUTHORS))
    source.snapshot = replace(source.snapshot, outside=outside)
    found = differences()
    source.differs = {
        ("", None): FolderDiff(found),
        ("", source.snapshot.worktree.since): FolderDiff(found[1:3], left=(("modified", 1), ("created", 3))),
        (STORE, None): FolderDiff((found[4],)),
    }
    return source
