"""Where SWE-agent works, as its trajectories tell it."""

from __future__ import annotations

import pytest
from swe_logs import decoded, document, of, step

from monitor.events import RunStarted, ToolReturned
from monitor.run.run import Run

EXISTS = "Error: File 'a.py' already exists."
CREATED = "File created successfully at: /repo/b.py"


def read(*steps):
    run = Run()
    for event in decoded(document(*steps, status=None)):
        run.feed(event)
    return run.snapshot()


def earlier(action, observation="", *, folder="/repo"):
    return step(action, observation, folder=folder, opened="")


def later(action, observation="", *, folder="/repo"):
    return step(action, observation, folder=folder, opened="", old=False)


@pytest.mark.parametrize(
    ("action", "observation", "folder"),
    [
        ("cd src", "", "/repo/src"),
        ("cd src && make", "out", "/repo/src"),
        ("cd ../lib", "", "/lib"),
        ("cd /tmp", "", "/tmp"),
        ("(cd src; make)", "", "/repo"),
        ("make -C src", "", "/repo"),
        ("cd src", "bash: cd: src: No such file or directory", "/repo"),
        ("cd src", "Your command contained syntax errors and was NOT executed.", "/repo"),
        ("cd $SOURCES", "", ""),
        ("cd", "", ""),
    ],
)
def test_the_folder_after_a_step(action, observation, folder):
    """Earlier versions write the folder before a step, so that a step that leads elsewhere is read from its command."""
    (told,) = of(decoded(document(earlier(action, observation), status=None)), ToolReturned)
    assert told.cwd == folder


def test_the_folder_that_later_versions_tell():
    """Later versions write the folder after a step: it is taken as it stands."""
    (told,) = of(decoded(document(later("cd $SOURCES", folder="/repo/src"), status=None)), ToolReturned)
    assert told.cwd == "/repo/src"


@pytest.mark.parametrize(
    ("last", "outstanding"),
    [
        (earlier("create a.py", "[File: /repo/src/a.py (1 lines total)]\n1:", folder="/repo/src"), 0),
        (earlier("create a.py", "[File: /repo/a.py (1 lines total)]\n1:"), 1),
    ],
)
def test_a_failed_write_after_a_move(last, outstanding):
    """A write that failed right after `cd` is one to the file there, which one of that name elsewhere does not clear."""
    moved = earlier("cd src"), earlier("create a.py", EXISTS, folder="/repo/src")
    writes = read(*moved, earlier("cd ..", folder="/repo/src"), last).writes
    assert [entry.file for entry in writes.entries] == ["src/a.py"]
    assert writes.outstanding == outstanding


@pytest.mark.parametrize(
    ("first", "began"),
    [
        (earlier("cd src"), "/repo"),
        (later("ls"), "/repo"),
        (later("cd src && ls", folder="/repo/src"), "/repo"),
        (later("cd src", folder="/src"), "/"),
        (later("cd src", "bash: line 1: cd: src: No such file or directory"), "/repo"),
        (later("cd /repo && ls"), ""),
        (later("cd ..", folder="/"), ""),
        (later("cd src", folder="/mnt/elsewhere"), ""),
        (later("", "No action.", folder="/repo"), "/repo"),
    ],
)
def test_where_it_began(first, began):
    """Where the first step led elsewhere the folder before it is told only when it can be no other."""
    started = of(decoded(document(first, status=None)), RunStarted)[0]
    assert started.cwd == began
    assert started.coverage["folder"].sees == ("full" if began else "none")


def test_where_it_began_is_learned_with_its_first_step():
    """A run that is followed from before its first step on has its folder from that step on."""
    run = Run()
    for event in decoded(document(status=None), document(earlier("ls"), status=None)):
        run.feed(event)
    assert (run.snapshot().run.cwd, run.snapshot().coverage["folder"].sees) == ("/repo", "full")


@pytest.mark.parametrize("way", ["src", "/repo/src"])
def test_coming_back_from_a_first_move(way):
    """A run whose first step goes into a folder of its project does not leave it when it comes back."""
    write = later("str_replace_editor create /repo/b.py --file_text 'a'", CREATED)
    seen = read(later(f"cd {way}", folder="/repo/src"), later("cd /repo"), write)
    assert not seen.folder.moves
    assert not seen.findings
