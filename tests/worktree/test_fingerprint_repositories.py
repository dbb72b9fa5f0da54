"""Repositories of every make: measured where they can be, and where not, none with the reason."""

from __future__ import annotations

import json
import shutil

from monitor.worktree.compare import compare
from monitor.worktree.contents import StatCache
from monitor.worktree.measurement import NO_COMMIT
from monitor.worktree.measurement_json import from_json, to_json


def change_of(project, name="README.md", folder=None):
    """What an edit of a file is told to be."""
    before = project.measure(folder)
    assert before.reason == ""
    project.write(name, "edited\n")
    return compare(before, project.measure(folder))


def test_history_is_the_commit_of_head(project):
    """The history of a repository without others in it is the id of its commit."""
    assert project.measure().history == project.git("rev-parse", "HEAD").strip()
    project.git("pack-refs", "--all")
    assert project.measure().history == project.git("rev-parse", "HEAD").strip()
    project.git("checkout", "-q", "--detach")
    assert project.measure().history == project.git("rev-parse", "HEAD").strip()


def test_a_new_branch_at_the_same_commit_is_no_change(project):
    """Another branch at the same commit is no change."""
    before = project.measure()
    project.git("checkout", "-q", "-b", "feature/x")
    assert project.measure() == before


def test_a_sha256_repository_is_measured(project):
    """A repository whose ids are SHA-256 is measured like any other."""
    shutil.rmtree(project.path / ".git")
    project.git("init", "-q", "--object-format=sha256", "-b", "main")
    project.git("add", "-A")
    project.git("commit", "-qm", "first")
    assert len(project.measure().history) == 64
    project.write("new.txt", "new\n")
    before = project.measure()
    project.git("add", "-A")
    assert project.measure() == before
    assert change_of(project).files == ("README.md",)


def test_a_repository_without_a_commit_is_measured(project):
    """Before any commit the history is zeros; the first commit is a change of history alone."""
    shutil.rmtree(project.path / ".git")
    project.git("init", "-q", "-b", "main")
    before = project.measure()
    assert before.history == NO_COMMIT
    project.git("add", "-A")
    assert project.measure() == before
    project.git("commit", "-qm", "first")
    assert compare(before, project.measure()).kinds == ("history",)


def test_making_a_folder_a_repository_is_no_change(folder):
    """Nothing is committed yet, and the same files lie there; the first commit is history."""
    before = folder.measure()
    assert before.history == NO_COMMIT
    folder.git("init", "-q", "-b", "main")
    after = folder.measure()
    assert (after.content, after.history) == (before.content, NO_COMMIT)
    assert compare(before, after).changed is False
    folder.git("add", "-A")
    folder.git("commit", "-qm", "first")
    assert compare(before, folder.measure()).kinds == ("history",)


def test_a_linked_worktree_is_measured(project):
    """A worktree beside the repository has its own index and HEAD."""
    linked = project.room / "linked"
    project.git("worktree", "add", "-q", "-b", "side", str(linked))
    before = project.measure(linked)
    assert before.history == project.measure().history
    project.git("commit", "-q", "--allow-empty", "-m", "second", at="../linked")
    after = project.measure(linked)
    assert after.history == project.git("rev-parse", "side").strip() != project.measure().history
    assert compare(before, after).kinds == ("history",)
    (linked / "README.md").write_text("edited\n")
    assert compare(after, project.measure(linked)).files == ("README.md",)


def test_a_worktree_of_a_bare_repository_is_measured(project):
    """The repository itself, which has no files of its own, is not."""
    project.git("clone", "-q", "--bare", ".", str(project.room / "bare"))
    project.git("worktree", "add", "-q", str(project.room / "linked"), "main", at="../bare")
    assert change_of(project, "../linked/README.md", project.room / "linked").files == ("README.md",)
    found = project.measure(project.room / "bare")
    assert (found.content, found.history) == (None, None)
    assert "bare repository" in found.reason
    (project.room / "around").mkdir()
    (project.room / "around/.git").write_text("gitdir: ../bare\n")
    assert "bare repository" in project.measure(project.room / "around").reason


def test_a_bare_repository_that_moves_has_changed(project):
    """Its files are none, but its HEAD is known, and a HEAD that moved is a change."""
    project.git("clone", "-q", "--bare", ".", str(project.room / "bare"))
    before = project.measure(project.room / "bare")
    assert compare(before, before).changed is None
    project.git("commit", "-q", "--allow-empty", "-m", "second")
    project.git("push", "-q", str(project.room / "bare"), "main")
    found = compare(before, project.measure(project.room / "bare"))
    assert (found.changed, found.kinds, found.files) == (True, ("history",), None)
    assert "bare repository" in found.reason


def test_a_part_of_a_repository_is_measured_alone(project):
    """A folder within a repository is judged by its own files, and by the HEAD of the whole."""
    project.write("src/new.txt", "new\n")
    project.git("add", "-A")
    project.write("src/app.py", "print('dirty')\n")
    part = project.path / "src"
    before = project.measure(part)
    assert before.history == project.measure().history
    project.write("README.md", "edited\n")
    project.write("other.txt", "new\n")
    assert project.measure(part) == before
    assert change_of(project, "src/run.sh", part).files == ("run.sh",)


def test_a_folder_that_its_repository_ignores_is_measured_for_itself(project):
    """A project in a home folder that keeps only its dot files under git is not simply empty."""
    part = project.path / "build/inner"
    project.write("build/inner/a.txt", "a\n")
    before = project.measure(part)
    assert before.history == NO_COMMIT
    assert change_of(project, "build/inner/a.txt", part).files == ("a.txt",)


def test_a_repository_in_an_ignored_folder_does_not_count(project):
    """It is ignored like the rest of that folder, and is no obstacle."""
    project.repository("build/_deps/lib")
    before = project.measure()
    project.write("build/_deps/lib/inner.txt", "edited\n")
    assert project.measure() == before


def test_a_repository_that_keeps_its_files_elsewhere_is_told(project):
    """Where `core.worktree` names another folder, the index says nothing of this one."""
    project.git("config", "core.worktree", str(project.path))
    assert project.measure().content
    (project.room / "other").mkdir()
    project.git("config", "core.worktree", "../../other")
    assert "keeps its files elsewhere" in project.measure().reason


def test_without_its_repository_little_is_known_of_a_folder(project):
    """Which files count is another matter then: only of one that counted and counts it is told that it is another."""
    before = project.measure()
    shutil.rmtree(project.path / ".git")
    found = compare(before, project.measure())
    assert (found.changed, found.kinds, found.files) == (None, (), None)
    assert found.reason == "the folder is no repository any more: what became of what it held is not known"
    project.write("README.md", "another\n")
    found = compare(before, project.measure())
    assert (found.changed, found.kinds, found.files) == (True, ("content",), ("README.md",))


def test_a_lost_repository_within_is_no_new_history(project):
    """Where one within is gone, what it held is unknown; where HEAD moved besides, that is known all the same."""
    project.repository("vendor/lib")
    before = project.measure()
    shutil.rmtree(project.path / "vendor/lib/.git")
    found = compare(before, project.measure())
    assert (found.changed, found.files) == (None, ())
    assert found.reason.startswith("vendor/lib is no repository any more")
    project.git("commit", "-q", "--allow-empty", "-m", "second")
    assert compare(before, project.measure()).kinds == ("history",)


def test_a_folder_of_sha256_that_lost_its_repository_is_not_all_another(project):
    """Ids of two kinds say nothing of whether the files are the same."""
    shutil.rmtree(project.path / ".git")
    project.git("init", "-q", "--object-format=sha256", "-b", "main")
    before = project.measure()
    shutil.rmtree(project.path / ".git")
    found = compare(before, project.measure())
    assert (found.changed, found.files) == (None, None)
    assert "ids of another kind" in found.reason


def test_stores_and_files_of_another_repository_are_found(project):
    """A clone that borrows its objects from another, by a relative path too, is measured."""
    project.git("clone", "-q", "--shared", ".", str(project.room / "clone"))
    alternates = project.room / "clone/.git/objects/info/alternates"
    alternates.write_text("../../../project/.git/objects\n")
    (project.room / "clone/.gitattributes").write_text("*.md text\n")
    assert change_of(project, "../clone/README.md", project.room / "clone").files == ("README.md",)


def test_a_kept_cache_and_a_fresh_one_agree(project):
    """Whatever the cache knows, the answer is that of a measurement without one."""
    project.repository("vendor/lib")
    project.write(".gitattributes", "* text=auto\n")
    project.write("crlf.txt", "one\r\ntwo\r\n")
    for step in ("add -A", "edit", "commit -qam x", "rm -q --cached crlf.txt", "reset -q --hard HEAD~1"):
        if step == "edit":
            project.write("crlf.txt", "one\r\ntwo\n")
        else:
            project.git(*step.split())
        kept, project.cache = project.cache, StatCache()
        fresh = project.measure()
        project.cache = kept
        assert project.measure() == fresh
        assert project.measure() == fresh


def test_a_folder_of_any_name_is_measured(project):
    """A name with quotes, colons, newlines or bytes that are no UTF-8 is a name."""
    odd = project.path.rename(project.room / 'we"ir:d\\\n é\udcff;#')
    project.path = odd
    project.write(".gitattributes", "* text\n")
    project.git("update-index", "--refresh", "-q")
    assert change_of(project).files == ("README.md",)


def test_what_was_measured_in_parts_can_be_written_down(project):
    """However many parts a folder has, its lines stand in one order."""
    project.submodule("a.b")
    project.submodule("a/b")
    (project.path / "a.b/.git").unlink()
    found = project.measure()
    assert from_json(json.dumps(to_json(found))) == found
