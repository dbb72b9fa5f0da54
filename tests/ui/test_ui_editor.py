"""The operator's own editor where there is no room for a draft."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from monitor.errors import MonitorError
from monitor.ui.editor import edited


@pytest.fixture(autouse=True)
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The editor's own script, which the operator has set."""
    script = tmp_path / "editor.py"
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} '{script}'")
    return script


def test_a_draft_that_cannot_be_written_down_stays_in_the_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary folder that is gone or full is told as every other trouble of the editor, and ends no screen."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(MonitorError, match="cannot be put into a file: No such file or directory"):
        edited("draft")


def test_what_an_editor_leaves_behind_costs_no_words(editor: Path) -> None:
    """A folder of its own beside the draft, and the draft itself made a folder: one goes along, the other is told."""
    editor.write_text("import os, sys; os.mkdir(sys.argv[1] + '.d'); open(sys.argv[1], 'a').write(' more')")
    assert edited("draft") == "draft more"
    editor.write_text("import os, sys; os.remove(sys.argv[1]); os.mkdir(sys.argv[1])")
    with pytest.raises(MonitorError, match="cannot be read: Is a directory"):
        edited("draft")
