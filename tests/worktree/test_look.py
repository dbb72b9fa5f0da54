"""A look at a file of the project: what it says, and what it refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from monitor.actions import Look
from monitor.events import Looked
from monitor.worktree.look import MOST, look


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project folder with another folder beside it."""
    (tmp_path / "project" / "src").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("name = secret\n")
    return tmp_path / "project"


def seen(project: Path, file: str, guess: str = "name", new: str = "", cwd: str = "") -> Looked:
    return look(Look("c", file, cwd, guess, new, 7), project)


def test_the_closest_lines_of_the_file(project: Path) -> None:
    """The file is read where it lies, and the answer belongs to the call."""
    (project / "src" / "a.py").write_text("one\nname = 1  \n")
    looked = seen(project, "src/a.py")
    assert (looked.call, looked.file, looked.source, looked.reason) == ("c", "src/a.py", "disk", "")
    assert [(line.number, line.text) for line in looked.closest] == [(2, "name = 1  ")]
    assert look(Look("c", "src/a.py", "", "name", "", 7), project, "today").source == "today"


def test_paths_against_the_actors_folder(project: Path) -> None:
    """Relative to the actor's folder, or absolute."""
    (project / "src" / "a.py").write_text("name\n")
    for file, cwd in (("a.py", "src"), ("a.py", str(project / "src")), (str(project / "src" / "a.py"), "/elsewhere")):
        assert seen(project, file, cwd=cwd).closest


def test_whether_the_new_text_stands_there(project: Path) -> None:
    """New text present and old text gone, each true, false, or not to be told."""
    (project / "a").write_bytes(b"new text\r\nsecond\r\n")
    assert seen(project, "a", "old text", "new text\nsecond\n").new_present is True
    assert seen(project, "a", "old text").old_gone is True
    assert seen(project, "a", "new", "other").old_gone is False
    assert seen(project, "a", "new", "other").new_present is False
    assert seen(project, "a", "", "").new_present is None
    assert seen(project, "a", "", "").old_gone is None


def test_the_shebang(project: Path) -> None:
    """The first line of a script is told."""
    (project / "run").write_text("#!/bin/sh\necho name\n")
    assert seen(project, "run").shebang == "#!/bin/sh"
    (project / "a.py").write_text("name\n")
    assert seen(project, "a.py").shebang == ""


def test_no_line_shares_a_word(project: Path) -> None:
    """The reason is said when nothing resembles the guess."""
    (project / "a").write_text("x\n")
    assert seen(project, "a").reason == "no line of the file shares a word with the text"
    (project / "empty").write_text("")
    assert seen(project, "empty").closest == ()


@pytest.mark.parametrize("file", ["../outside/secret.txt", "link/secret.txt", "direct", "/etc/passwd", "..", ""])
def test_nothing_outside_the_project_is_read(project: Path, file: str) -> None:
    """Neither by dots, nor by a link, nor by an absolute path."""
    (project / "link").symlink_to(project.parent / "outside")
    (project / "direct").symlink_to(project.parent / "outside" / "secret.txt")
    looked = seen(project, file)
    assert (looked.closest, looked.new_present) == ((), None)
    assert looked.reason == "the file lies outside the project"


def test_a_home_folder_is_not_guessed(project: Path) -> None:
    """The agent's home need not be the monitor's."""
    assert seen(project, "~/a.py").reason == "where the agent's home folder lies is not known"


def test_links_within_the_project_are_followed(project: Path) -> None:
    """A link that stays inside leads to its file, and the project itself may be reached through one."""
    (project / "src" / "a.py").write_text("name\n")
    (project / "link.py").symlink_to("src/a.py")
    assert seen(project, "link.py").closest
    alias = project.parent / "alias"
    alias.symlink_to(project)
    assert seen(alias, "src/a.py").closest
    assert seen(project, str(alias / "src" / "a.py")).closest


def test_a_loop_of_links(project: Path) -> None:
    """A link to itself is no file."""
    (project / "loop").symlink_to("loop")
    assert seen(project, "loop").reason == "it is no regular file"


@pytest.mark.parametrize("file", ["link/secret.txt", "direct"])
def test_a_link_put_in_the_way_meanwhile(project: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """A folder or file that becomes a link after the path was judged does not lead outside."""
    (project / "link").symlink_to(project.parent / "outside")
    (project / "direct").symlink_to(project.parent / "outside" / "secret.txt")
    monkeypatch.setattr(os.path, "realpath", str)
    looked = seen(project, file)
    assert looked.closest == ()
    assert looked.reason


def test_only_regular_files(project: Path) -> None:
    """A pipe without a writer does not hold the monitor up, a folder is no file, the project neither."""
    os.mkfifo(project / "pipe")
    for file in ("pipe", "src", "src/", "."):
        assert seen(project, file).reason == "it is no regular file"


@pytest.mark.parametrize("file", ["missing", "missing/a", "file/a"])
def test_missing_files(project: Path, file: str) -> None:
    """A file that is not there is said to be missing."""
    (project / "file").write_text("x")
    assert seen(project, file).reason == "the file does not exist"


@pytest.mark.parametrize("file", ["nul\0byte", "x" * 5000])
def test_paths_that_no_file_can_have(project: Path, file: str) -> None:
    """A path the system refuses is a reason, not a fault."""
    assert seen(project, file).reason


def test_two_megabytes_and_no_more(project: Path) -> None:
    """A file up to 2 MB is read, one byte more is not."""
    (project / "full").write_bytes(b"name\n" + b"x" * (MOST - 5))
    (project / "more").write_bytes(b"name\n" + b"x" * (MOST - 4))
    assert seen(project, "full").closest
    assert seen(project, "more").reason == "it is larger than 2 MB"


def test_binary_files_are_no_text(project: Path) -> None:
    """A zero byte makes a file binary; other encodings are read as far as they go."""
    (project / "bin").write_bytes(b"name\0\1")
    assert seen(project, "bin").reason == "it is no text"
    (project / "wide").write_bytes("name = ä\n".encode("utf-16"))
    assert seen(project, "wide").closest[0].text == "name = ä"
    (project / "bom").write_bytes(b"\xef\xbb\xbfname\n")
    assert seen(project, "bom").closest[0].text == "name"
    (project / "latin").write_bytes(b"name \xe4\n")
    assert seen(project, "latin").closest[0].text == "name \ufffd"


def test_control_characters_are_made_visible(project: Path) -> None:
    """A file cannot draw on the operator's terminal."""
    (project / "a").write_bytes(b"name \x1b[2J\n")
    assert seen(project, "a").closest[0].text == "name ␛[2J"


def test_the_file_is_left_as_it_was(project: Path) -> None:
    """Neither content nor any time of the file changes, the time of access included."""
    file = project / "a"
    file.write_text("name\n")
    os.utime(file, ns=(1_000_000_000, 2_000_000_000))
    before = file.stat()
    assert seen(project, "a").closest
    after = file.stat()
    assert (after.st_atime_ns, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_atime_ns, before.st_mtime_ns, before.st_ctime_ns,
    )  # fmt: skip


def test_a_file_that_may_not_be_read(project: Path) -> None:
    """Missing permission is a reason."""
    if os.geteuid() == 0:
        pytest.skip("the superuser may read everything")
    (project / "a").write_text("name\n")
    (project / "a").chmod(0)
    assert seen(project, "a").reason == "the file may not be read"


def test_a_project_that_is_not_there(tmp_path: Path) -> None:
    """A folder that was removed is no fault of the monitor's."""
    assert seen(tmp_path / "gone", "a").reason == "the file does not exist"
