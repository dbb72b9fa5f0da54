from __future__ import annotations

import pytest
from repeats_story import story

from monitor.events import ToolReturned


@pytest.mark.parametrize(
    ("tool", "kind", "arguments"),
    [
        ("BashOutput", "poll", {"bash_id": "1"}),
        ("write_stdin", "other", {"session": 3, "chars": ""}),
        ("wait", "other", {"seconds": 5}),
        ("bash_output", "other", {"id": 1}),
        ("task_list", "other", {}),
        ("bash_command", "shell", {"keystrokes": "", "duration": 60}),
    ],
)
def test_polling_tools(tool, kind, arguments):
    """Asking over and over how something is that runs is waiting, whatever the tool is called."""
    told = story()
    for _ in range(30):
        told.result(told.call(tool, kind, arguments), "still running")
    assert told.levels == {}


@pytest.mark.parametrize(
    "command",
    ["sleep 60", "sleep 30 && tail -3 build.log", "gh run view 7", "kubectl get pods", "while sleep 5; do jobs; done"],
)
def test_polling_commands(command):
    """Sleeping, and asking how something is elsewhere, are waiting."""
    told = story()
    for _ in range(20):
        told.shell(command, "building")
    assert told.levels == {}


def test_status_checks_of_a_running_command():
    """While a command of the agent's runs in the background, looking at it is no repeat; without one it is."""
    for background in (True, False):
        told = story()
        call = told.call("bash", "shell", {"command": "npm start"}, command="npm start")
        told.result(call, "started", background=background)
        for _ in range(8):
            told.shell("tail -20 server.log", "listening")
            told.shell("curl -s localhost:3000/health", "ok")
        assert (told.levels == {}) == background
    told.tell(ToolReturned(call=call, output="done"))


def test_a_background_command_that_ended_is_no_excuse():
    """Once its result is there, nothing is waited for any more."""
    told = story()
    call = told.call("bash", "shell", {"command": "make"}, command="make")
    told.result(call, "started", background=True)
    told.tell(ToolReturned(call=call, output="made"))
    for _ in range(3):
        told.shell("tail -20 make.log", "made")
    assert set(told.levels.values()) == {"warn"}


def test_the_same_build_after_each_edit():
    """The same build 34 times with the same result, each after an edit, is work."""
    told = story()
    for number in range(34):
        told.edit("a.ts", f"v{number}", f"v{number + 1}")
        told.shell("npm run build 2>&1 | tail -3", "built in 1.2s")
    assert told.levels == {}
    assert told.findings == ()


def test_arguments_that_the_log_dropped():
    """Calls whose arguments are not in the log, or cut, cannot be told apart, and are not counted."""
    for arguments, more in (("", {}), ("{}", {}), ('{"code": "print(', {"arguments_cut": True})):
        told = story(no_progress=0)
        for _ in range(21):
            told.result(told.call("run_ipython", "shell", arguments, **more), "ok")
        assert told.findings == ()


def test_two_wordings_of_one_refused_commit():
    """A commit that a person refused twice, in two wordings, and then let pass, is no loop."""
    told = story()
    for wording in ("Add a test", "Add a test\n\nCo-Authored-By: x"):
        told.shell(f"git commit -m '{wording}'", "The user doesn't want to proceed", 0, outcome="denied")
    told.prompt("continue")
    told.shell("git commit -m 'Add a test'", "[main 3477e43] Add a test")
    assert told.findings == ()


def test_twelve_different_reads():
    """Looking at many files, and at some of them again, is looking."""
    told = story()
    for number in range(17):
        told.read(f"f{number % 12}.py", f"text {number % 12}")
    assert told.findings == ()


def test_a_growing_log_is_news():
    """The same look with new output each time is no repeat, however often."""
    told = story()
    for number in range(40):
        told.shell("tail -1 progress.log", f"step {number} of 40")
    assert told.findings == ()


def test_cancelled_and_unknown_results_say_nothing():
    """A call that was interrupted, or whose result was not seen, is made again for good reason."""
    told = story()
    for outcome in ("cancelled", "unknown") * 6:
        told.shell("make", "", 0, outcome=outcome)
    assert told.findings == ()
