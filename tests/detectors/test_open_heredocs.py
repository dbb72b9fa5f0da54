from __future__ import annotations

import pytest
from calls_story import Calls

from monitor.detectors.open_heredocs import begun, left_open, still_open
from monitor.detectors.scripts import Scripts
from monitor.events import ToolCalled

COMMAND = "cat > Makefile << 'EOF'\nall:\n\techo hi\nEOFmake\n"
WAITING = """Current terminal state:

dev@box:~/app# cat > Makefile << 'EOF'
> all:
> echo hi
> EOFmake
>


Are you sure that the task is complete?"""
CLOSED = "dev@box:~/app# cat > Makefile << 'EOF'\n> all:\n> EOF\ndev@box:~/app# "


def opened(command=COMMAND, output=WAITING):
    told = Calls(Scripts())
    told.shell(command, output)
    return told


def test_a_heredoc_that_never_ended():
    """The terminal waits at its > prompt: the file was not written, and that is a warning."""
    told = opened()
    (finding,) = told.open
    assert (finding.level, finding.subject) == ("warn", "heredoc Makefile")
    assert finding.message == (
        "The write of Makefile never happened: the terminal went on reading the heredoc at its > prompt"
    )
    assert "EOF alone on the last line" in finding.advice
    assert len(finding.advice) < 1_200
    assert [one.file for one in told.detector.view().unwritten] == ["Makefile"]


def test_what_is_typed_into_it_is_not_done():
    """Commands taken for its text neither write nor run anything."""
    told = opened()
    told.shell("cat > run.sh << 'X'\nls\nX", "> cat > run.sh << 'X'\n> ls\n> X\n>")
    told.shell("rm Makefile", "> rm Makefile\n>")
    told.answer()
    assert told.detector.view().scripts == ()
    assert [one.subject for one in told.open] == ["heredoc Makefile"]
    told.shell("\x03", "^C\ndev@box:~/app# ")
    told.shell("cat > run.sh << 'X'\nls\nX", "dev@box:~/app# cat > run.sh << 'X'\n> ls\n> X\ndev@box:~/app# ")
    assert [one.file for one in told.detector.view().scripts] == ["run.sh"]
    assert [one.subject for one in told.open] == ["heredoc Makefile"]


@pytest.mark.parametrize(
    "mend",
    [
        lambda told: told.write("Makefile", "all:\n"),
        lambda told: told.shell(COMMAND.replace("EOFmake", "EOF"), CLOSED),
    ],
)
def test_writing_the_file_after_all_clears(mend):
    """The same file written by a tool, or by a heredoc that ends."""
    told = opened()
    told.shell("\x03", "^C\ndev@box:~/app# ")
    mend(told)
    assert told.open == []
    assert [one.why_ended for one in told.findings] == ["it was written after all"]
    assert told.detector.view().unwritten == ()


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (COMMAND, ""),
        (COMMAND, CLOSED),
        (COMMAND, "bash: line 1: warning: here-document at line 0 delimited by end-of-file (wanted `EOF')"),
        ("diff a b", "1c1\n< x\n---\n> y\n>"),
        ("cat notes.md", "cat > Makefile << 'EOF'\n> quoted\n>"),
        ("cat > a <<'E'\nx\nE\ndiff a b", "1a2\n> y\n>"),
        ("node", "> \n>"),
    ],
)
def test_what_is_no_open_heredoc(command, output):
    """`bash -c` closes it by itself; quotes, diffs and other prompts look like it and are none."""
    assert opened(command, output).findings == ()


def test_the_signs_of_a_terminal_that_reads_on():
    """Its > stands last, with no prompt after it."""
    assert still_open("> make\n>")
    assert still_open("> make\n>\n\nSome words of a harness")
    assert not still_open("> EOF\ndev@box:~# ")
    assert not still_open("> EOF\n$ ")
    assert not still_open("plain")
    assert not still_open("")
    call = ToolCalled(call="c", kind="shell", command="a <<X > f\n1\nX\nb <<'Y'\n2\nY")
    assert [(one.end, one.file) for one in begun(call)] == [("X", "f"), ("Y", "")]
    assert left_open("$ b <<'Y'\n> 2\n>", begun(call)).end == "Y"
    assert left_open("$ b <<'Y'\n> 2\n> Y\n$ ", begun(call)) is None


def test_a_heredoc_of_another_call_of_the_message():
    """Where one result shows what several calls of a message typed, the heredoc of the earlier call is found in it."""
    told = Calls(Scripts())
    first = told.call("bash", "shell", {"keys": COMMAND}, command=COMMAND, message="m")
    second = told.call("bash", "shell", {"keys": "make\n"}, command="make\n", message="m")
    told.result(first, "", exit=0)
    told.result(second, WAITING, exit=0)
    assert [one.subject for one in told.open] == ["heredoc Makefile"]
    told.act("settle", told.open[0].key)
    assert told.open == []
