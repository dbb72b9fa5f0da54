"""How dirtywork's runs are found, and how it is known whether they live."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest
from dirtywork_logs import document, line, preview, reply, result, run_folder, run_json, start

from monitor.agents.dirtywork.decode import LIVE, RUN, TRANSCRIPT
from monitor.agents.dirtywork.find import FINDER
from monitor.events import RunStarted

HOLDS = """
import sys
held = open(sys.argv[1], "ab")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def runs(private_home) -> Path:
    """The folder in which dirtywork keeps its runs."""
    folder = private_home / ".dirtywork/runs"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def worker(tmp_path):
    """A real process whose command line and open file are those of a dirtywork run."""
    script = tmp_path / "dirtywork"
    script.write_text(HOLDS)
    transcript = tmp_path / "run" / "transcript.jsonl"
    run_folder(tmp_path / "run", start())
    process = subprocess.Popen(
        [sys.executable, str(script), str(transcript)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    yield process
    process.communicate(b"")


def running(process, worktree, *, began=timedelta(), **fields):
    """run.json of a run that this process began, `began` after the process itself."""
    created = datetime.fromtimestamp(psutil.Process(process.pid).create_time(), UTC) + began
    return run_json(host_pid=process.pid, worktree=str(worktree), started=created.isoformat(), **fields)


def roles(found):
    return [(source.index, source.role, source.shape) for source in found.inputs()]


def test_a_run_folder_is_known_by_what_it_holds(tmp_path):
    """Transcript, run.json and preview are the inputs of one run; the transcript comes first."""
    folder = run_folder(tmp_path / "x", start(), run=run_json())
    (folder / "live_changes.json").write_bytes(preview())
    found = FINDER.open(folder)
    assert found is not None
    assert (found.agent, found.title) == ("dirtywork", "x")
    assert roles(found) == [(0, TRANSCRIPT, "lines"), (1, RUN, "document"), (2, LIVE, "document")]


def test_each_of_its_files_leads_to_the_run(tmp_path):
    """Naming the transcript, run.json or the preview opens the run they belong to."""
    folder = run_folder(tmp_path / "x", start(), run=run_json())
    (folder / "live_changes.json").write_bytes(preview())
    for name in ("transcript.jsonl", "run.json", "live_changes.json"):
        found = FINDER.open(folder / name)
        assert found is not None
        assert len(found.inputs()) == 3


def test_files_that_appear_later_come_behind_those_known(tmp_path):
    """Indexes never change, whatever dirtywork writes next."""
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "run.json").write_bytes(run_json())
    found = FINDER.open(folder)
    assert found is not None
    assert roles(found) == [(0, RUN, "document")]
    (folder / "transcript.jsonl").write_bytes(start() + b"\n")
    assert roles(found) == [(0, RUN, "document"), (1, TRANSCRIPT, "lines")]


def test_run_json_alone_tells_what_it_can(tmp_path):
    """A run without a transcript, of a process that is gone, is told from run.json."""
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "run.json").write_bytes(run_json(status="sandbox_error"))
    found = FINDER.open(folder / "run.json")
    assert found is not None
    events = found.decoder().feed(document(run_json(status="sandbox_error"), RUN))
    assert isinstance(events[0], RunStarted)
    assert events[-1].status == "sandbox_error"


def test_a_transcript_is_known_under_any_name(tmp_path):
    """A copied transcript, or a later part of one, is recognised from its lines."""
    for number, one in enumerate(
        (start(), reply(text="x"), result("bash", {}, "exit code: 0"), line("run_end", status="x"))
    ):
        file = tmp_path / f"log{number}.txt"
        file.write_bytes(b"\n" + one + b"\n" + start() + b"\n")
        found = FINDER.open(file)
        assert found is not None
        assert (found.agent, found.title, roles(found)) == ("dirtywork", file.name, [(0, TRANSCRIPT, "lines")])
        assert found.alive() is None
        assert found.project() is None


def test_a_first_line_longer_than_any_head_is_known():
    """A resumed run's first line may hold 64,000 characters of feedback twice."""
    assert FINDER.sniff(start(task="x" * 200_000)[: 1 << 16])


@pytest.mark.parametrize(
    "head",
    [b"", b"\n\n", b"text", b"[]", b"{}", b'{"event":"RunStarted","agent":"x"}', b'{"ts":"2026-11-30","event":"assistant"}',
     b'{"event":"run_start","task":"x"}', b'{"type":"assistant","message":{}}', b'{"ts": 7, "event": "nudge", "kind": "x"}',
     b'{"ts": "2026-11-30T07:00:00", "event": "run_st'],
)  # fmt: skip
def test_other_streams_are_not_taken_for_ours(head):
    """What another program writes is left to others."""
    assert not FINDER.sniff(head)


def test_what_is_no_run_is_none(tmp_path, runs):
    """Missing, empty, foreign or unreadable: nothing is found and nothing raised."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("hello")
    other = tmp_path / "other"
    other.mkdir()
    (other / "run.json").write_text('{"slug": 7}')
    (other / "transcript.jsonl").write_text("hello")
    for path in (tmp_path / "gone", tmp_path / "empty", tmp_path / "file", other, other / "run.json", runs):
        assert FINDER.open(path) is None


def test_the_folder_of_runs_leads_to_the_newest(runs, private_home):
    """Newest is the run that last wrote; a review of an older one does not count."""
    for number, name in enumerate(("b-old", "c-new", "a-older")):
        folder = run_folder(runs / name, start(), run=run_json(slug=name))
        when = (2_000, 3_000, 1_000)[number]
        os.utime(folder / "transcript.jsonl", (when, when))
        os.utime(folder / "run.json", (9_000, 9_000) if name == "b-old" else (when, when))
    (runs / "not-a-run").mkdir()
    for path in (runs, private_home / ".dirtywork"):
        found = FINDER.open(path)
        assert found is not None
        assert found.title == "c-new"


def test_a_run_is_found_by_its_name_or_a_beginning(runs):
    """The whole name is that run's alone; a beginning gives all that begin so."""
    for name in ("rename-1", "rename-12", "fix-1"):
        run_folder(runs / name, start(), run=run_json(slug=name))
    assert [one.title for one in FINDER.named("rename-1")] == ["rename-1"]
    assert [one.title for one in FINDER.named("rename")] == ["rename-1", "rename-12"]
    assert [one.title for one in FINDER.named("fix")] == ["fix-1"]
    for nothing in ("gone", "", "..", "../runs", "fix-1/", "/etc"):
        assert list(FINDER.named(nothing)) == []


def test_no_runs_folder_is_no_error(private_home):
    """Where dirtywork never ran, no name is found."""
    assert list(FINDER.named("x")) == []


def test_a_pipe_is_a_transcript():
    """A transcript can be read from a pipe."""
    found = FINDER.pipe("the pipe")
    assert roles(found) == [(0, TRANSCRIPT, "lines")]
    assert found.inputs()[0].path is None


def test_a_run_lives_while_its_own_process_does(worker, tmp_path):
    """Process, start time, status and the open transcript agree: it lives, and its worktree may be measured."""
    folder = tmp_path / "run"
    (tmp_path / "tree").mkdir()
    (folder / "run.json").write_bytes(running(worker, tmp_path / "tree", began=timedelta(seconds=1)))
    found = FINDER.open(folder)
    assert found is not None
    assert found.alive() is True
    assert found.project() == tmp_path / "tree"
    worker.kill()
    worker.wait()
    assert found.alive() is False
    assert found.project() is None


@pytest.mark.parametrize("fields", [{"status": "completed"}, {"host_pid": 0}, {"host_pid": -1}, {"host_pid": "7"},
                                    {"host_pid": 2**40}, {"host_pid": True}, {"started": "soon"}])  # fmt: skip
def test_a_run_json_that_names_no_living_run(worker, tmp_path, fields):
    """A run that has ended, or whose process or start cannot be told, does not live."""
    data = running(worker, tmp_path)
    for key, value in fields.items():
        data = run_json(**{**json.loads(data), key: value})
    (tmp_path / "run" / "run.json").write_bytes(data)
    found = FINDER.open(tmp_path / "run")
    assert found is not None
    assert found.alive() is False


def test_a_number_taken_over_by_a_later_process_is_not_the_run(worker, tmp_path):
    """A process that began after the run did is another one."""
    (tmp_path / "run" / "run.json").write_bytes(running(worker, tmp_path, began=timedelta(minutes=-5)))
    found = FINDER.open(tmp_path / "run")
    assert found is not None
    assert found.alive() is False


def test_another_program_with_the_number_is_not_the_run(tmp_path):
    """A process that is not dirtywork is not the run, however old it is."""
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as process:
        folder = run_folder(tmp_path / "x", start(), run=running(process, tmp_path))
        found = FINDER.open(folder)
        assert found is not None
        assert found.alive() is False
        process.communicate(b"")


def test_a_folder_is_not_measured_on_the_word_of_a_run_json(worker, tmp_path):
    """A living dirtywork that does not hold this transcript open proves nothing about this folder."""
    folder = run_folder(tmp_path / "copied", start(), run=running(worker, tmp_path))
    found = FINDER.open(folder)
    assert found is not None
    assert found.alive() is True
    assert found.project() is None


def test_a_containers_worktree_is_not_measured(worker, tmp_path):
    """The folder of a run in a container shows its work only at the end."""
    (tmp_path / "run" / "run.json").write_bytes(running(worker, tmp_path, sandbox="docker"))
    found = FINDER.open(tmp_path / "run")
    assert found is not None
    assert found.project() is None
