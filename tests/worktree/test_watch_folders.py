"""What is told of folders, repositories and rules while they change."""

from __future__ import annotations

import os
import subprocess

from gathered import told, watching


def test_files_in_new_folders_are_never_lost(watcher, project):
    """However quickly folders and files in them are made, every file is told."""
    for number in range(60):
        project.write(f"new{number}/b/c/file.txt", f"{number}\n")
    assert told(watcher) == {f"new{number}/b/c/file.txt": "created" for number in range(60)}
    project.write("new7/b/c/file.txt", "again\n")
    assert told(watcher) == {"new7/b/c/file.txt": "modified"}


def test_a_folder_that_goes_with_all_in_it(watcher, project):
    """Every file of a deleted folder is told; made anew, it is watched anew."""
    project.write("src/deep/more.txt", "more\n")
    told(watcher)
    subprocess.run(["rm", "-r", str(project.path / "src")], check=True)
    assert set(told(watcher)) == {"src/app.py", "src/run.sh", "src/link", "src/deep/more.txt"}
    project.write("src/app.py", "anew\n")
    assert told(watcher) == {"src/app.py": "created"}
    project.write("src/app.py", "again\n")
    assert told(watcher) == {"src/app.py": "modified"}


def test_a_folder_replaced_at_once(watcher, project):
    """A folder put in the place of another of the same name is watched, and compared with it."""
    project.write("other/app.py", "other\n")
    told(watcher)
    (project.path / "src").rename(project.path / "old")
    (project.path / "other").rename(project.path / "src")
    found = told(watcher)
    assert (found["src/app.py"], found["src/run.sh"], found["old/run.sh"]) == ("modified", "moved", "created")
    project.write("src/app.py", "watched\n")
    assert told(watcher) == {"src/app.py": "modified"}


def test_rules_that_change(watcher, project):
    """What a new rule hides is no longer told; what it no longer hides is."""
    project.write(".gitignore", "*.log\ndocs/\n")
    assert told(watcher) == {".gitignore": "modified"}
    project.write("docs/new.txt", "hidden\n")
    project.write("build/out.txt", "shown\n")
    assert told(watcher) == {"build/out.txt": "created"}
    project.write("build/out.txt", "watched\n")
    assert told(watcher) == {"build/out.txt": "modified"}


def test_rules_below_and_above(project):
    """A watched part of a repository is held to the rules above it, and to those within it."""
    project.write("src/.gitignore", "/local\n!*.log\n")
    watcher = next(
        watching(type(project)(project.path / "src", project.room, project.command, project.marker, project.cache))
    )
    project.write("src/local", "hidden\n")
    project.write("src/shown.log", "shown\n")
    project.write("src/deep/build/x", "hidden\n")
    assert told(watcher) == {"shown.log": "created"}
    watcher.close()


def test_repositories_within(project):
    """A repository within has rules of its own; one in an ignored folder does not count."""
    project.repository("vendor/lib")
    project.repository("build/lib")
    project.write("vendor/lib/.gitignore", "*.o\n")
    watcher = next(watching(project))
    project.write("vendor/lib/a.log", "the outer rules end here\n")
    project.write("vendor/lib/a.o", "hidden\n")
    project.write("build/lib/inner.txt", "hidden\n")
    project.git("commit", "-q", "--allow-empty", "-m", "x", at="vendor/lib")
    assert told(watcher) == {"vendor/lib/a.log": "created"}
    watcher.close()


def test_a_folder_without_git(plain, folder):
    """A folder that is no repository is watched all the same, and its ignore rules hold."""
    folder.write(".gitignore", "*.tmp\n")
    folder.write("x.tmp", "x")
    folder.write("deep/b.txt", "bb\n")
    assert told(plain) == {".gitignore": "created", "deep/b.txt": "modified"}


def test_git_itself_is_a_hint(watcher, project):
    """A commit, a checkout and a staged file ask for a measurement; a look with git does not."""
    watcher.settle()
    watcher.hinted()
    project.git("status", "-s")
    assert watcher.changes() == []
    for words in (("commit", "-q", "--allow-empty", "-m", "x"), ("checkout", "-q", "-b", "other")):
        project.git(*words)
        watcher.settle()
        assert watcher.hinted()
    watcher.settle()
    assert not watcher.hinted()


def test_links_lead_nowhere(watcher, project):
    """A link to a folder outside, or to a folder that holds it, is a link: nothing behind it is watched or read."""
    outside = project.room / "outside"
    outside.mkdir()
    (project.path / "out").symlink_to(outside)
    (project.path / "loop").symlink_to(".")
    (project.path / "itself").symlink_to("itself")
    assert told(watcher) == {"out": "created", "loop": "created", "itself": "created"}
    (outside / "secret.txt").write_text("secret\n")
    assert told(watcher) == {}


def test_what_is_no_file(watcher, project):
    """A named pipe holds no content: it is neither opened nor told, and a file that becomes one is gone."""
    os.mkfifo(project.path / "pipe")
    (project.path / "README.md").unlink()
    os.mkfifo(project.path / "README.md")
    assert told(watcher) == {"README.md": "deleted"}


def test_odd_names(watcher, project):
    """Names with newlines, quotes, or bytes that are no UTF-8 are told in clean letters."""
    project.write('a "b"\n.txt', "x")
    project.write("\udcff.txt", "x")
    assert set(told(watcher)) == {'a "b"\n.txt', "\ufffd.txt"}
