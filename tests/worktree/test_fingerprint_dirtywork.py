"""Every case in which dirtywork's own fingerprint was tried: its answer, ours, and why they differ."""

from __future__ import annotations

import os
import socket
import unicodedata

import pytest
from dirtywork_answers import SAME, Cases
from dirtywork_repositories import REPOSITORIES

from monitor.worktree.compare import compare

FILES = Cases()
case = FILES.told


@case("changed")
def untracked_file_added(project):
    yield
    project.write("new.txt", "new\n")


@case("same")
def touch_or_identical_rewrite(project):
    yield
    os.utime(project.path / "src/app.py")
    project.write("README.md", "# Readme\n")


@case("same")
def edit_then_revert(project):
    yield
    project.write("README.md", "# Other\n")
    project.write("README.md", "# Readme\n")


@case("changed")
def executable_bit(project):
    yield
    (project.path / "README.md").chmod(0o755)


@case("same")
def other_bits(project):
    yield
    (project.path / "README.md").chmod(0o600)


@case("same", True, "the file can be executed now, whatever the configuration wants git to say")
def executable_bit_under_filemode_false(project):
    project.git("config", "core.fileMode", "false")
    yield
    (project.path / "README.md").chmod(0o755)


@case("same")
def empty_folder(project):
    yield
    (project.path / "empty").mkdir()


@case("same")
def ignored_file(project):
    yield
    project.write("ignored.log", "edited\n")


@case("changed")
def symlink_created(project):
    yield
    (project.path / "new-link").symlink_to("README.md")


@case("changed")
def symlink_retargeted(project):
    yield
    (project.path / "src/link").unlink()
    (project.path / "src/link").symlink_to("run.sh")


@case("same")
def content_of_a_links_target_outside(project):
    project.write("../outside.txt", "outside\n")
    (project.path / "outside").symlink_to("../outside.txt")
    (project.path / "loop").symlink_to("loop")
    (project.path / "up").symlink_to("..")
    yield
    project.write("../outside.txt", "edited\n")


@case("changed")
def file_without_permissions(project):
    """Who may read it nevertheless measures it; the case of one who may not has its own test."""
    yield
    project.write("secret.txt", "secret\n").chmod(0 if os.geteuid() == 0 else 0o400)


@case("same")
def fifo_and_socket(project):
    yield
    os.mkfifo(project.path / "pipe")
    with socket.socket(socket.AF_UNIX) as bound, pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.path)
        bound.bind("socket")


@case("same", True, "the bytes are others: a shell script with CRLF no longer runs")
def lf_to_crlf_under_autocrlf(project):
    project.git("config", "core.autocrlf", "true")
    yield
    project.write("README.md", "# Readme\r\n")


@case("changed")
def edit_under_a_clean_filter(project):
    """Theirs runs the filter; ours does not, which every measurement here proves."""
    project.write(".gitattributes", "*.md filter=cleaned\n")
    yield
    project.write("README.md", "# Other\n")


@case("changed")
def names_with_a_newline_or_no_utf8(project):
    yield
    project.write("a\nb", "newline\n")
    project.write(os.fsdecode(b"\xff"), "bytes\n")


@case("changed")
def names_that_differ_in_case_or_composition(project):
    project.write("Name", "upper\n")
    yield
    project.write("name", "lower\n")
    for form in ("NFC", "NFD"):
        project.write(unicodedata.normalize(form, "é"), "accent\n")


@case("changed")
def one_of_two_thousand_files(project):
    for number in range(2000):
        project.write(f"many/{number % 40}/{number}.txt", f"{number}\n")
    project.git("add", "-A")
    yield
    project.write("many/7/7.txt", "edited\n")


@case("changed")
def large_untracked_file(project):
    yield
    project.write("large.bin", bytes(60_000_000))


@case("changed")
def rename(project):
    yield
    (project.path / "README.md").rename(project.path / "READ.md")


CASES = [*FILES, *REPOSITORIES]


@pytest.mark.parametrize("told", CASES, ids=lambda told: told.story.__name__)
def test_a_case_is_told_as_dirtywork_does_or_better(project, told):
    """Ours agrees with dirtywork's answer, except where a reason says why not."""
    story = told.story(project)
    next(story)
    before = project.measure()
    next(story, None)
    after = project.measure()
    assert before.reason == after.reason == ""
    found = compare(before, after)
    assert found.changed is told.ours
    assert (told.kind in found.kinds) is bool(told.ours)
    assert bool(told.why) == (told.ours is not SAME[told.theirs])


def test_every_case_has_its_line(shared):
    """There are as many cases as lines in the recording of its answers."""
    lines = (shared / "captures/dirtywork/fingerprint-cases.txt").read_text().splitlines()
    assert len(CASES) == len([line for line in lines if line.strip()])
