"""Cases in which a repository is what changes, or what hides a change."""

from __future__ import annotations

from dirtywork_answers import Cases

REPOSITORIES = Cases()
case = REPOSITORIES.told


@case("same", True, "its index is empty, so a tracked file that matches an ignore rule is lost to it")
def tracked_but_ignored_file(project):
    yield
    project.write("kept.log", "edited\n")


@case("same", True, "as above: what is staged by force is tracked")
def ignored_file_staged_by_force(project):
    project.git("add", "-f", "ignored.log")
    yield
    project.write("ignored.log", "edited\n")


@case("same")
def file_that_the_repositorys_own_rules_exclude(project):
    project.write(".git/info/exclude", "private.txt\n")
    yield
    project.write("private.txt", "private\n")


@case("same")
def staging_only(project):
    project.write("README.md", "# Other\n")
    yield
    project.git("add", "-A")


@case("changed", kind="history")
def commit_of_changes_made_before(project):
    project.write("README.md", "# Other\n")
    yield
    project.git("commit", "-qam", "second")


@case("changed", kind="history")
def empty_commit(project):
    yield
    project.git("commit", "-q", "--allow-empty", "-m", "empty")


@case("same")
def new_branch_at_the_same_commit(project):
    yield
    project.git("checkout", "-q", "-b", "side")


@case("changed")
def stash(project):
    project.write("README.md", "# Other\n")
    yield
    project.git("stash", "-q")


@case("changed")
def edit_in_a_nested_repository(project):
    project.repository("nested")
    yield
    project.write("nested/inner.txt", "edited\n")


@case("same", True, "the content is the same, but a HEAD moved: that is work done", kind="history")
def commit_in_a_nested_repository(project):
    project.repository("nested")
    yield
    project.git("commit", "-q", "--allow-empty", "-m", "second", at="nested")


@case("changed")
def edit_in_a_nested_repository_without_a_commit(project):
    project.repository("nested", commit=False)
    yield
    project.write("nested/inner.txt", "edited\n")


@case("none", False, "a repository that is ignored with its folder does not count, and is no obstacle")
def edit_in_a_nested_repository_in_an_ignored_folder(project):
    project.repository("build/nested")
    yield
    project.write("build/nested/inner.txt", "edited\n")


@case("none", True, "a folder whose `.git` leads nowhere is a plain folder: git lists its files")
def edit_beside_a_broken_gitfile(project):
    project.write("nested/.git", "gitdir: /nonexistent\n")
    yield
    project.write("nested/file.txt", "new\n")


@case("changed")
def edit_in_a_submodule(project):
    project.submodule("sub")
    yield
    project.write("sub/inner.txt", "edited\n")


@case("changed")
def file_beside_an_empty_git_folder(project):
    yield
    (project.path / "x/.git").mkdir(parents=True)
    project.write("x/file.txt", "new\n")


@case("changed")
def assume_unchanged(project):
    project.git("update-index", "--assume-unchanged", "README.md")
    yield
    project.write("README.md", "# Other\n")


@case("changed")
def skip_worktree_and_delete(project):
    project.git("update-index", "--skip-worktree", "README.md")
    yield
    (project.path / "README.md").unlink()


@case("none")
def repository_removed(project):
    yield
    (project.path / ".git").rename(project.room / "git")


@case("none", True, "ids of 64 digits are ids")
def sha256_repository(project):
    (project.path / ".git").rename(project.room / "git")
    project.git("init", "-q", "--object-format=sha256")
    project.git("add", "-A")
    project.git("commit", "-qm", "first")
    yield
    project.write("README.md", "# Other\n")


@case("none", True, "before any commit HEAD stands at none, which is known")
def repository_never_committed(project):
    (project.path / ".git").rename(project.room / "git")
    project.git("init", "-q")
    yield
    project.write("README.md", "# Other\n")


@case("changed")
def lock_of_the_index(project):
    project.write(".git/index.lock", "")
    yield
    project.write("README.md", "# Other\n")
