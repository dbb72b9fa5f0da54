from __future__ import annotations

import pytest
from calls_story import Calls

from monitor.detectors.folder import Folder
from monitor.detectors.numbers import FolderNumbers
from monitor.detectors.places import put_back, temporary
from monitor.events import RunStarted, ToolReturned

HOME = "/home/dev/app"


def story(cwd=HOME, **more):
    return Calls(Folder(), cwd=cwd, **more)


def moves(told):
    return [(one.to, one.how) for one in told.detector.view().moves]


def test_a_move_is_a_note_and_a_write_there_a_warning():
    """The result shows where the actor works; a write that lands there after the move is worse."""
    told = story()
    told.shell("cd /srv/other && ls", "x", cwd="/srv/other")
    (finding,) = told.open
    assert (finding.level, finding.subject) == ("note", "/srv/other")
    assert finding.message == "Works outside the project, in /srv/other"
    assert told.detector.view().outside == (("", "/srv/other"),)
    told.write("y.py")
    (finding,) = told.open
    assert (finding.level, finding.figure) == ("warn", "1 file")
    assert finding.message == "Works outside the project, in /srv/other, and wrote 1 file there"
    assert [place.seq for place in finding.places] == [3, 5]
    assert f"cd {HOME}" in finding.advice
    assert moves(told) == [("/srv/other", "moved"), ("/srv/other", "wrote")]


def test_going_back_clears():
    """Working in the project again ends it."""
    told = story()
    told.shell("cd /srv", cwd="/srv")
    told.shell("cd -", cwd=f"{HOME}/sub")
    assert told.open == []
    assert [one.why_ended for one in told.findings] == ["it works in the project again"]
    told.shell("cd /srv", cwd="/srv")
    told.shell("cd /opt", cwd="/opt")
    assert [one.subject for one in told.open] == ["/opt"]


def test_a_command_writes_there():
    """A command's own writes count like a file tool's, where its text names them."""
    told = story()
    told.shell("cd /srv", cwd="/srv")
    told.shell("make > /dev/null; ls > /tmp/list")
    assert told.open[0].level == "note"
    told.shell("echo x > z.txt")
    assert told.open[0].level == "warn"
    told = story()
    told.shell("cd /srv && touch q && echo x > z.txt", cwd="/srv")
    assert told.open[0].level == "warn"


def test_a_file_tool_writes_outside():
    """A file written outside without a move is a note, and closes with its request."""
    told = story()
    told.write("/etc/hosts")
    told.edit("/etc/hosts")
    told.write("../sibling/a.py")
    assert {one.subject: (one.level, one.figure) for one in told.open} == {
        "/etc": ("note", "1 file"),
        "/home/dev/sibling": ("note", "1 file"),
    }
    told.prompt()
    assert told.open == []
    assert {one.state for one in told.findings} == {"closed"}


@pytest.mark.parametrize(
    "act",
    [
        lambda told: told.shell("cd sub && ls", cwd=f"{HOME}/sub"),
        lambda told: told.shell("(cd /srv && ls)", cwd=HOME),
        lambda told: told.shell("cd /srv && ls && cd -", cwd=HOME),
        lambda told: told.shell("git -C /srv status", cwd=HOME),
        lambda told: told.shell("cd /srv && make"),
        lambda told: told.write("/tmp/notes.txt"),
        lambda told: told.write("/var/folders/ab/xyz/T/x.py"),
        lambda told: told.write("src/a.py"),
        lambda told: told.write(f"{HOME}/src/../b.py"),
        lambda told: told.write("/srv/x.py", outcome="failed"),
        lambda told: told.read("/etc/passwd"),
        lambda told: told.shell("cd /srv", cwd=HOME, copied=True),
    ],
)
def test_what_stays_quiet(act):
    """Moving within the project, subshells, going back in the same command, `-C`, temporary files, and only looking."""
    told = story()
    act(told)
    assert told.findings == ()


@pytest.mark.parametrize("home", ["/root", "/home/dev", "/Users/dev", "/", "C:\\Users\\dev"])
def test_a_session_started_in_the_home_folder(home):
    """There is no project to leave, so nothing is said."""
    told = story(home)
    told.shell("cd /srv", cwd="/srv")
    told.write("/srv/x")
    assert told.findings == ()
    assert told.detector.view().project == ""


def test_no_known_folder():
    """Where nothing tells where the run began, nothing is said."""
    told = Calls(Folder(), cwd="")
    told.shell("cd /srv", cwd="/srv")
    told.write("/srv/x")
    assert told.findings == ()


def test_the_project_may_be_above_where_it_began():
    """A session begun in a folder of its repository may work in all of it."""
    told = story(f"{HOME}/packages/a", project=HOME)
    told.shell("cd ..", cwd=f"{HOME}/packages")
    told.write(f"{HOME}/README.md")
    assert told.findings == ()
    told.shell("cd ../..", cwd="/home/dev")
    assert [one.level for one in told.open] == ["note"]


def test_a_project_in_a_temporary_folder():
    """Where the project itself lies there, other temporary files stay quiet and its own are its own."""
    told = story("/tmp/work/app")
    told.write("/tmp/x")
    told.write("a.py")
    assert told.findings == ()
    told.shell("cd /srv", cwd="/srv")
    assert len(told.open) == 1


@pytest.mark.parametrize(
    ("output", "to"),
    [
        (
            "/tmp\n\n[/tmp is outside the project, so the working directory stays /p: the next command starts there.]",
            "/tmp",
        ),
        ("x\n[That directory is outside the project; the working directory stays the same]", ""),
        ("x\nShell cwd was reset to /home/dev/app", ""),
        ("[/tmp is outside]", None),
        ("", None),
    ],
)
def test_how_a_harness_takes_an_actor_back(output, to):
    """The harnesses' own sentences are known."""
    assert put_back(output) == to


def test_an_actor_that_was_put_back():
    """It left, and the harness took it back: on record, and over at once."""
    told = story()
    told.shell("cd /tmp/x && ls", "ls\nShell cwd was reset to /home/dev/app", cwd=HOME)
    assert told.open == []
    assert moves(told) == [("/tmp/x", "put back")]
    (finding,) = told.findings
    assert finding.message == "Left the project for /tmp/x; the harness put it back"
    assert (finding.level, finding.state) == ("note", "cleared")
    told.shell("cd sub", "Shell cwd was reset to /home/dev/app", cwd=HOME)
    assert len(told.findings) == 1


def test_each_actor_has_its_own_folder():
    """A sub-agent that began elsewhere belongs there; where it then goes is its own move."""
    told = story()
    told.tell(RunStarted(actor="kid", parent="", cwd="/srv/tree"))
    told.shell("ls", cwd="/srv/tree/sub", actor="kid")
    assert told.findings == ()
    told.shell("cd /opt", cwd="/opt", actor="kid")
    assert [(one.actor, one.subject) for one in told.open] == [("kid", "/opt")]
    assert told.detector.view().outside == (("kid", "/opt"),)


def test_who_is_outside_at_a_new_request_is_still_there():
    """The move stays open over requests, until the actor is back."""
    told = story()
    told.shell("cd /srv", cwd="/srv")
    told.write("a.py")
    told.prompt()
    assert [one.subject for one in told.open] == ["/srv"]


def test_many_folders_are_told_together():
    """Beyond twenty folders the rest are told as one, so that a list does not grow without end."""
    told = story()
    for number in range(60):
        told.write(f"/srv/{number}/a.py")
    assert len(told.open) == 21
    assert "several folders" in {one.subject for one in told.open}


def test_off_and_settled():
    """Turned off it says nothing; what the operator settled stays quiet."""
    told = Calls(Folder(FolderNumbers(left=0, wrote=0)), cwd=HOME)
    told.shell("cd /srv", cwd="/srv")
    assert told.findings == ()
    told = story()
    told.write("/etc/hosts")
    told.act("settle", told.open[0].key)
    told.write("/etc/passwd")
    assert told.open == []


def test_advice_is_bounded():
    """Long paths are shortened in message and advice."""
    told = story("/p/" + "x" * 3_000)
    told.write("/srv/" + "y" * 3_000 + "/" + "z" * 3_000)
    told.shell("cd", cwd="/srv/" + "y" * 3_000)
    told.tell(ToolReturned(call="?", cwd="/elsewhere"))
    for one in told.findings:
        assert len(one.advice) < 1_200
        assert len(one.message) < 300


def test_temporary_paths():
    """Only what lies below a temporary folder is temporary."""
    assert temporary("/tmp/x")
    assert temporary("/private/tmp/x")
    assert temporary("C:/Users/dev/AppData/Local/Temp/x")
    assert not temporary("/tmpx/y")
    assert not temporary("/srv/tmp/y")
