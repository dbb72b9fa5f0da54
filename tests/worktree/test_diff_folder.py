"""What differs in a real folder since the start, by what git and the private copies keep."""

from __future__ import annotations

from gathered import events, lines


def test_tracked_files(project, living):
    """What a tracked file held comes from git's own objects, and is not copied at the start."""
    live = living(project)
    project.write("src/app.py", "print('new')\nmore\n")
    event = events(live)["src/app.py"]
    assert (event.added, event.removed) == (2, 1)
    assert lines(live, "src/app.py") == ["-print('app')", "+print('new')", "+more"]


def test_uncommitted_files(project, living):
    """What git did not keep at the start was copied: an untracked file, and an edit that was never staged."""
    project.write("untracked.txt", "untracked\n")
    project.write("README.md", "# Dirty at the start\n")
    live = living(project)
    project.write("untracked.txt", "untracked\nmore\n")
    project.write("README.md", "# Changed\n")
    assert {file: (event.added, event.removed) for file, event in events(live).items()} == {
        "untracked.txt": (1, 0), "README.md": (1, 1),
    }  # fmt: skip
    assert lines(live, "README.md") == ["-# Dirty at the start", "+# Changed"]


def test_bytes_that_git_stores_converted(project, living):
    """Where git stores other bytes than lie there, the bytes that lie there count."""
    project.write(".gitattributes", "*.txt text\n")
    project.write("crlf.txt", b"one\r\ntwo\r\n")
    project.git("add", "-A")
    project.git("commit", "-q", "-m", "crlf")
    live = living(project)
    project.write("crlf.txt", b"one\r\nthree\r\n")
    assert lines(live, "crlf.txt") == ["-two␍", "+three␍"]


def test_a_folder_without_git(folder, living):
    """In a folder that is no repository everything is copied at the start."""
    live = living(folder)
    folder.write("deep/b.txt", "b\nc\n")
    (folder.path / "a.txt").unlink()
    assert [(diff.file, diff.what, diff.added, diff.removed) for diff in (events(live), live.diff.all())[1].files] == [
        ("a.txt", "deleted", 0, 1),
        ("deep/b.txt", "modified", 1, 0),
    ]


def test_repositories_within(project, living):
    """A nested repository and a submodule each give what their own objects hold."""
    project.repository("vendor/lib")
    project.submodule("modules/sub")
    live = living(project)
    project.write("vendor/lib/inner.txt", "changed\n")
    project.write("modules/sub/inner.txt", "changed too\n")
    events(live)
    assert lines(live, "vendor/lib/inner.txt") == ["-inner", "+changed"]
    assert lines(live, "modules/sub/inner.txt") == ["-inner", "+changed too"]


def test_a_part_of_a_repository(project, living):
    """A folder within a repository gives what the repository holds of it."""
    part = type(project)(project.path / "src", project.room, project.command, project.marker, project.cache)
    live = living(part)
    part.write("app.py", "changed\n")
    events(live)
    assert lines(live, "app.py") == ["-print('app')", "+changed"]


def test_a_repository_of_sha256(folder, living):
    """Objects with ids of another length are read as well."""
    folder.git("init", "-q", "--object-format=sha256")
    folder.git("add", "-A")
    folder.git("commit", "-q", "-m", "x")
    live = living(folder)
    folder.write("a.txt", "changed\n")
    events(live)
    assert lines(live, "a.txt") == ["-a", "+changed"]


def test_everything_that_differs(project, living):
    """New, deleted, moved, another mode, binary: all are named; what is as it was at the start is not."""
    project.write("image.bin", b"\0\1\2")
    live = living(project)
    project.write("new.txt", "new\n")
    (project.path / "README.md").rename(project.path / "docs/MOVED.md")
    (project.path / "src/app.py").chmod(0o755)
    project.write("image.bin", b"\0\1\2\3")
    project.write("docs/two words.txt", "for a while\n")
    events(live)
    project.write("docs/two words.txt", "two\n")
    events(live)
    found = {diff.file: diff for diff in live.diff.all().files}
    assert {file: diff.what for file, diff in found.items()} == {
        "new.txt": "created", "docs/MOVED.md": "moved", "src/app.py": "mode", "image.bin": "modified",
    }  # fmt: skip
    assert found["docs/MOVED.md"].was == "README.md"
    assert found["image.bin"].note == "no text: 3 bytes before, 4 now"
    assert found["src/app.py"].note == "a file before, a program now"


def test_since_a_moment(project, living):
    """Since a prompt, what came before it is not shown; a file that went back to how it was at the start is."""
    live = living(project)
    project.write("src/app.py", "first\n")
    project.write("README.md", "changed for a while\n")
    events(live)
    moment = max((project.path / name).stat().st_ctime for name in ("src/app.py", "README.md"))
    while (project.path / "src/app.py").stat().st_ctime <= moment:
        project.write("src/app.py", "second\n")
    project.write("README.md", "# Readme\n")
    project.write("new.txt", "new\n")
    events(live)
    assert lines(live, "src/app.py", moment) == ["-first", "+second"]
    since = {diff.file: diff.what for diff in live.diff.all(moment).files}
    assert since == {"src/app.py": "modified", "README.md": "modified", "new.txt": "created"}
    assert {diff.file for diff in live.diff.all().files} == {"src/app.py", "new.txt"}


def test_odd_names(project, living):
    """A name that is no text is found by the letters it is shown with."""
    live = living(project)
    project.write("\udcff.txt", "odd\n")
    events(live)
    assert lines(live, "\ufffd.txt") == ["+odd"]
