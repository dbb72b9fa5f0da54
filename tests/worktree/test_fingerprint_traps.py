"""What is a change, on real repositories that try to run commands."""

from __future__ import annotations

import os

import pytest
from nested_traps import NESTED
from stories import Traps

OWN = Traps()
changes = OWN.changes


@changes("README.md")
def edit_of_a_tracked_file(project):
    yield
    project.write("README.md", "# Other\n")


@changes("README.md")
def second_edit_of_a_file_that_was_dirty(project):
    project.write("README.md", "# Other\n")
    yield
    project.write("README.md", "# Third\n")


@changes("README.md")
def delete(project):
    yield
    (project.path / "README.md").unlink()


@changes("new/file.txt")
def new_untracked_file(project):
    yield
    project.write("new/file.txt", "new\n")


@changes("new.txt")
def edit_of_an_untracked_file(project):
    project.write("new.txt", "new\n")
    yield
    project.write("new.txt", "old\n")


@changes("src/app.py")
def executable_bit(project):
    yield
    (project.path / "src/app.py").chmod(0o755)


@changes("src/app.py")
def executable_bit_under_filemode_false(project):
    project.git("config", "core.fileMode", "false")
    yield
    (project.path / "src/app.py").chmod(0o755)


@changes("src/link")
def symlink_retargeted(project):
    yield
    (project.path / "src/link").unlink()
    (project.path / "src/link").symlink_to("./app.py")


@changes("src/app.py")
def file_replaced_by_a_link_to_its_copy(project):
    project.write("../copy.py", "print('app')\n")
    yield
    (project.path / "src/app.py").unlink()
    (project.path / "src/app.py").symlink_to("../../copy.py")


@changes("new\nline", "quo\"te'", "\udcff\udcfe")
def weird_names(project):
    yield
    for name in (b"new\nline", b"quo\"te'", b"\xff\xfe"):
        project.write(os.fsdecode(name), "weird\n")


@changes("README.md")
def same_size_with_the_time_put_back(project):
    path = project.path / "README.md"
    yield
    times = path.stat()
    path.write_text("# Raedme\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@changes("README.md")
def same_size_and_time_under_lax_settings(project):
    project.git("config", "core.checkStat", "minimal")
    project.git("config", "core.trustctime", "false")
    yield from same_size_with_the_time_put_back(project)


@changes("README.md")
def no_commit_and_no_index(project):
    for name in ("index", "refs/heads/main"):
        (project.path / ".git" / name).unlink()
    yield
    project.write("README.md", "# Other\n")


@changes("README.md")
def lf_to_crlf_under_a_text_attribute(project):
    project.write(".gitattributes", "*.md text\n")
    yield
    project.write("README.md", "# Readme\r\n")


@changes("README.md")
def lf_to_crlf_under_autocrlf(project):
    project.git("config", "core.autocrlf", "true")
    yield
    project.write("README.md", "# Readme\r\n")


@changes("README.md")
def assume_unchanged(project):
    project.git("update-index", "--assume-unchanged", "README.md")
    yield
    project.write("README.md", "# Raedme\n")


@changes("README.md")
def skip_worktree(project):
    project.git("update-index", "--skip-worktree", "README.md")
    yield
    project.write("README.md", "# Raedme\n")


@changes("README.md")
def fsmonitor_bits_in_the_index(project):
    project.git("update-index", "--fsmonitor")
    project.git("update-index", "--fsmonitor-valid", "README.md")
    yield
    project.write("README.md", "# Raedme\n")


@changes("README.md")
def untracked_cache_and_split_index(project):
    project.git("update-index", "--untracked-cache", "--split-index")
    project.write("src/app.py", "print('new')\n")
    project.git("add", "src/app.py")
    yield
    project.write("README.md", "# Raedme\n")


@changes("docs/two words.txt")
def file_reappearing_outside_a_sparse_checkout(project):
    project.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")
    assert not (project.path / "docs").exists()
    yield
    project.write("docs/two words.txt", "two\n")


@changes(".gitignore", "notes.txt")
def ignore_rule_that_now_hides_a_file(project):
    project.write("notes.txt", "notes\n")
    yield
    project.write(".gitignore", "*.log\nbuild/\nnotes.txt\n")


@changes("README.md")
def fifo_and_socket_in_the_tree(project):
    os.mkfifo(project.path / "pipe")
    os.mkfifo(project.path / "src/pipe")
    yield
    project.write("README.md", "# Other\n")


@changes("README.md")
def tracked_file_replaced_by_a_fifo(project):
    yield
    (project.path / "README.md").unlink()
    os.mkfifo(project.path / "README.md")


@changes("kept.log")
def tracked_file_that_matches_an_ignore_rule(project):
    yield
    project.write("kept.log", "edited\n")


@changes("src/app.py", "src/app/new.py")
def file_replaced_by_a_folder(project):
    yield
    (project.path / "src/app.py").rename(project.path / "app.py")
    (project.path / "app.py").unlink()
    project.write("src/app/new.py", "new\n")


@changes("docs/two words.txt")
def folder_replaced_by_a_link_to_its_copy(project):
    """What lies behind a link to a folder is not the project's; the link itself is ignored here, so only the loss shows."""
    project.write(".gitignore", "*.log\nbuild/\ndocs\n")
    project.git("update-index", "--assume-unchanged", "docs/two words.txt")
    yield
    (project.path / "docs").rename(project.room / "docs")
    (project.path / "docs").symlink_to(project.room / "docs")


@changes("README.md")
def conflict(project):
    project.git("checkout", "-q", "-b", "other")
    project.write("README.md", "# Theirs\n")
    project.git("commit", "-qam", "theirs")
    project.git("checkout", "-q", "main")
    project.write("README.md", "# Ours\n")
    project.git("commit", "-qam", "ours")
    with pytest.raises(Exception, match="merge"):
        project.git("-c", "merge.default=text", "merge", "other")
    assert project.git("ls-files", "-u")
    yield
    project.write("README.md", "# Both\n")


TRAPS = [*OWN, *NESTED]


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.story.__name__)
def test_a_change_is_told(project, trap):
    """Every change is told with its kinds and its files; nothing is touched, and nothing run."""
    trap.prove(project)


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.story.__name__)
def test_a_change_is_told_without_git(unaided, trap):
    """Read without git, every one of these changes is told too; nothing is touched, and nothing run."""
    trap.prove(unaided)
