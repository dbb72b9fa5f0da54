"""What the detail of a call leaves out, it says."""

from __future__ import annotations

import pytest
from ui_samples import NOWS, PEN, joined

from monitor.events import Change, ToolCalled, ToolReturned
from monitor.snapshot import Snapshot
from monitor.timeline.rows import Row
from monitor.ui.present.detail import detail
from monitor.ui.present.parts import laid
from monitor.ui.present.selected import Selected


def told(call: ToolCalled, output: str = "") -> str:
    """The whole detail of a call that came out well."""
    chosen = Selected(Row(0, 0, "call", "words"), call, ToolReturned(call=call.call, output=output))
    return joined(laid(PEN, detail(PEN, chosen, Snapshot(), NOWS["trouble"]), 60))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x\n" * 400, ""),
        ("x\n" * 399 + "x", ""),
        ("x\n" * 401, "1 more line not shown"),
        ("x\n" * 1_500 + "x", "1,101 more lines not shown"),
    ],
)
def test_the_lines_of_a_long_change_that_are_not_shown_are_counted(text: str, said: str) -> None:
    """A text ends with its last line, or with a word on how many more there are; the newline at its end is no line."""
    shown = told(ToolCalled(call="1", kind="write", changes=(Change("a.py", "write", new=text),)))
    assert shown.count("│ x") == 400
    assert [line for line in shown.split("\n") if "not shown" in line] == ([said] if said else [])


def test_the_files_of_a_call_that_are_not_named_are_counted() -> None:
    """Twenty stand there, and how many more it names."""
    shown = told(ToolCalled(call="1", tool="read", kind="read", paths=tuple(f"file{n}.py" for n in range(23))))
    assert "file19.py\n3 more files not named" in shown
    assert "not named" not in told(ToolCalled(call="1", tool="read", kind="read", paths=("a.py",) * 20))


def test_the_lines_of_a_long_output_keep_their_numbers() -> None:
    """Only the last are shown; how many there are stands over them, and the first number tells how many went before."""
    shown = told(ToolCalled(call="1", kind="shell", command="make"), "\n".join(f"line {n}" for n in range(1, 1_001)))
    assert "1,000 lines" in shown
    assert "  601 │ line 601" in shown
    assert "line 600" not in shown
    assert shown.endswith(" 1000 │ line 1000")
