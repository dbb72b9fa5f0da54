"""A run that is known again, by whatever way and name it was found."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import pytest
from finding_fleets import TALKS, fleet
from found_machine import dirtywork
from kept_runs import kept, python
from waiting import until

from monitor.agents.listed import Listed
from monitor.finding.listers import listers
from monitor.finding.survey import Survey, merged
from monitor.opening import supervised
from monitor.targets import find


@contextmanager
def following(target, project=None):
    """Somebody's own monitor over a run."""
    mine = supervised(find(str(target)), project)
    mine.start()
    try:
        yield mine
    finally:
        mine.close()


def test_a_run_that_is_followed_by_its_path_is_one_row(private_home, tmp_path, monkeypatch):
    """Whatever way leads to its file; its journal is no second run."""
    with kept(python(TALKS), tmp_path) as run:
        until(lambda: b"RunStarted" in (run.folder / "output").read_bytes())
        monkeypatch.chdir(run.folder)
        for target in (".", "output", run.folder / "output", run.folder.name):
            with following(target) as mine, fleet() as found:
                until(lambda mine=mine: mine.snapshot.seq >= 0)
                found.adopt(mine)
                found.look()
                rows = (*found.view.live, *found.view.ended)
                assert [(one.attached, one.alive) for one in rows] == [(True, True)], (target, rows)
                assert found.source(rows[0].key) is mine


@pytest.mark.parametrize("ours", [True, False])
def test_runs_that_share_a_process(tmp_path, ours):
    """What monitor started and its agent tells again is one; a server's threads, which share it, are several."""
    first = Listed("codex", "a", tmp_path / "a", "live", "", pid=7, ours=ours)
    second = Listed("codex", "b", Path("/b.jsonl"), "idle", "", pid=7)
    assert len(merged([first, second])) == (1 if ours else 2)


def test_a_run_by_another_name_is_one(tmp_path):
    """A started run is known by its folder as well as by the session its agent told."""
    first = Listed("claude", "session", tmp_path / "f", "live", "", pid=7, ours=True, alias="f")
    journal = Listed("claude", "f", tmp_path / "j.jsonl", "unknown", "", ours=True, alias="")
    other = Listed("claude", "g", tmp_path / "k.jsonl", "unknown", "", ours=True, alias="session")
    assert [one.session for one in merged([journal, other, first])] == ["session"]


def test_a_dirtywork_that_was_started_is_read_in_its_folder(private_home, tmp_path):
    """While it runs and afterwards it is one row: it says on its standard error which run it has made."""
    folder = dirtywork(private_home, "build-1", status="running", ended=None)
    other = dirtywork(private_home, "build-2")
    code = f"import sys, time; print('transcript: {folder}/transcript.jsonl', file=sys.stderr); time.sleep(300)"
    with kept(python(code, agent="dirtywork", listens=False), tmp_path) as run:
        until(lambda: b"transcript" in (run.folder / "errors").read_bytes())
        found = {one.session: one for one in Survey(listers()).look().runs}
        assert {name: one.path for name, one in found.items()} == {"build-1": folder, "build-2": other}
        assert (found["build-1"].state, found["build-1"].alias) == ("live", run.folder.name)
    assert {one.session: one.path for one in Survey(listers()).look().runs} == {"build-1": folder, "build-2": other}
