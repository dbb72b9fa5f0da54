"""The detail of what happened to a source, and of a file that changed."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest
from ui_samples import PEN

from monitor.events import FileChanged, SourceChanged
from monitor.snapshot import Snapshot
from monitor.timeline.rows import Row, RowKind
from monitor.timeline.wording import word
from monitor.ui.present.detail import detail
from monitor.ui.present.selected import Selected


def told(event: SourceChanged | FileChanged, kind: RowKind) -> str:
    row = Row(0, 0, kind, word(event, None).text)
    return "\n".join(
        f"{one.text} {one.right}".strip() for one in detail(PEN, Selected(row, event, None), Snapshot(), 0.0)
    )


def test_a_process_that_is_gone_says_what_that_means_and_no_number_of_ours() -> None:
    """Nothing more will come; an input that is none is not named."""
    text = told(SourceChanged(what="gone", text="the agent's process is gone"), "source")
    assert text.splitlines()[0] == "the agent's process is gone"
    assert "Nothing more will come" in text
    assert "-1" not in text
    assert "input 2" in told(SourceChanged(what="lost", input=2, text="no such file"), "source")


@pytest.mark.parametrize("what", get_args(get_type_hints(SourceChanged)["what"]))
def test_whatever_happened_to_a_source_is_said_in_words(what: str) -> None:
    """Also where the source itself says nothing."""
    assert " " in word(SourceChanged(what=what), None).text  # type: ignore[arg-type]


def test_by_whose_hand_a_file_changed() -> None:
    """Outside, another run's, or after all the agent's."""
    assert "what modified outside the agent's view" in told(FileChanged(file="a.py"), "outside")
    assert "what deleted by run-2" in told(FileChanged(file="a.py", what="deleted", by="run-2"), "outside")
    agents = told(FileChanged(file="a.py"), "changed")
    assert "what modified by the agent or its command, as a call told later shows" in agents
