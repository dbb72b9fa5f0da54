from __future__ import annotations

import pytest
from calls_story import Calls

from monitor.detectors.numbers import TestsNumbers
from monitor.detectors.test_runs import deeds
from monitor.detectors.tests_stale import TestsStale
from monitor.events import Checked, FileOutcome, RequestEnded


def story(**more):
    return Calls(TestsStale(TestsNumbers(**more)))


def stale(told):
    return told.detector.view().stale


def test_an_edit_after_the_last_test():
    """Done is claimed, and the last edit was not tested: a note that names both."""
    told = story()
    told.edit("a.py")
    told.shell("pytest -q", "2 passed")
    told.edit("src/b.py")
    assert stale(told)
    assert told.open == []
    told.answer()
    (finding,) = told.open
    assert finding.level == "note"
    assert finding.message == "The last test ran before the last edit (src/b.py): pytest -q"
    assert [place.seq for place in finding.places] == [5, 7, 8]
    view = told.detector.view()
    assert (view.last_test.seq, view.last_edit.seq, view.edited, view.command) == (5, 7, "src/b.py", "pytest -q")
    assert len(finding.advice) < 1_200


@pytest.mark.parametrize(
    "after",
    [
        lambda told: told.shell("npm test", "1 failing", 1),
        lambda told: told.shell("cd sub && python -m pytest -q", "ok"),
        lambda told: told.shell("pytest", "timed out", 124, outcome="timed_out"),
        lambda told: told.tell(Checked(command="make check", passed=False)),
    ],
)
def test_a_later_test_clears(after):
    """Any test run after the edit, by the agent or by the harness, passing or not."""
    told = story()
    told.shell("pytest -q")
    told.edit("a.py")
    told.answer()
    assert told.open
    after(told)
    assert stale(told) is False
    assert [one.why_ended for one in told.findings] == ["a test ran after it"]


@pytest.mark.parametrize(
    "act",
    [
        lambda told: told.read("a.py"),
        lambda told: told.edit("a.py", outcome="failed"),
        lambda told: told.edit("a.py", files=(FileOutcome("a.py", added=0, removed=0),)),
        lambda told: told.write("/tmp/msg.txt"),
        lambda told: told.write("/srv/other/x.py"),
        lambda told: told.shell("git status > /tmp/x; ls > out.log"),
        lambda told: told.shell("git commit -am x"),
        lambda told: told.shell("echo hi > a.py", outcome="refused"),
        lambda told: told.edit("a.py", copied=True),
    ],
)
def test_what_is_no_edit(act):
    """Reading, failing, changing nothing, temporary and outside files, and what programs print, leave the test fresh."""
    told = story()
    told.edit("a.py")
    told.shell("pytest -q")
    act(told)
    told.answer()
    assert stale(told) is False
    assert told.findings == ()


@pytest.mark.parametrize(
    "command",
    ["sed -i s/a/b/ a.py", "cat > a.py <<'E'\nx\nE", "echo x >> a.py", "git apply fix.patch", "pytest -q; sed -i s/a/b/ a.py",
     "python - <<'E'\nopen('a.py', 'w').write('x')\nE", "git stash pop"],
)  # fmt: skip
def test_commands_edit_too(command):
    """What a command writes by its own words is an edit, in the order of its steps."""
    told = story()
    told.shell("pytest -q")
    told.shell(command)
    told.answer()
    assert stale(told)
    assert len(told.open) == 1


def test_an_edit_and_a_test_in_one_command():
    """The order within a command counts."""
    told = story()
    told.shell("sed -i s/a/b/ a.py && pytest -q")
    assert stale(told) is False


def test_an_edit_while_the_test_ran():
    """A test that began before an edit of another message may not have seen it; in one message the order holds."""
    told = story()
    test = told.call("bash", "shell", {"command": "pytest"}, command="pytest", message="m1")
    told.edit("a.py", message="m2")
    told.result(test, "ok", exit=0)
    assert stale(told)
    told = story()
    edit = told.call("edit", "write", {"a": 1}, message="m1")
    test = told.call("bash", "shell", {"command": "pytest"}, command="pytest", message="m1")
    told.result(edit, files=(FileOutcome("a.py"),))
    told.result(test, "ok", exit=0)
    assert stale(told) is False


def test_what_is_not_known_is_not_said():
    """Without a test nothing is stale; without an edit a test is not; a program that is not there tested nothing."""
    told = story()
    assert stale(told) is None
    told.edit("a.py")
    told.answer()
    assert stale(told) is None
    told.shell("pytest -q", "pytest: command not found", 127)
    assert stale(told) is None
    told = story()
    told.shell("pytest -q")
    assert stale(told) is False
    assert told.findings == ()


@pytest.mark.parametrize(
    "end",
    [
        RequestEnded(how="answered", text="I could not do it."),
        RequestEnded(how="answered", text="Shall I go on?"),
        RequestEnded(how="interrupted"),
        RequestEnded(how="answered", text="Done.", actor="kid"),
    ],
)
def test_only_a_claim_of_done_speaks(end):
    """A question, a failure, an interruption and a sub-agent's answer claim nothing."""
    told = story()
    told.shell("pytest -q")
    told.edit("a.py")
    told.tell(end)
    assert told.findings == ()


def test_requests_off_and_settled():
    """A new request closes the note; turned off it is silent; settled it stays so in its request."""
    told = story()
    told.shell("pytest -q")
    told.edit("a.py")
    told.answer()
    told.prompt()
    assert [one.state for one in told.findings] == ["closed"]
    told.answer()
    told.act("settle", told.open[0].key)
    told.answer()
    assert told.open == []
    told = story(stale=0)
    told.shell("pytest -q")
    told.edit("a.py")
    told.answer()
    assert told.findings == ()
    assert stale(told)


@pytest.mark.parametrize(
    ("command", "tests"),
    [
        ("pytest -q", True), ("python3 -m unittest", True), ("uv run pytest", True), ("npm run test:unit", True),
        ("cargo test", True), ("cargo llvm-cov", True), ("go test ./...", True), ("./gradlew :app:testDebug", True),
        ("make check", True), ("just test", True), ("task ci", True), ("./run_tests.sh", True), ("bash test.sh", True),
        ("python test_a.py", True), ("node a.test.js", True), ("bats x.bats", False), ("coverage run -m x", True),
        ("test -f x", False), ("[ -f test.py ]", False), ("cat tests/test_a.py", False), ("git add tests", False),
        ("ls tests", False), ("python latest.py", False), ("just build", False), ("npm run build", False),
        ("grep -rn test .", False), ("echo pytest", False),
    ],
)  # fmt: skip
def test_which_commands_test(command, tests):
    """Test programs, test tasks, and scripts whose names say so."""
    assert any(deed.tests for deed in deeds(command)) == tests
