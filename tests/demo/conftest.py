"""What the tests of the demo share."""

from __future__ import annotations

import tempfile

import pytest

from monitor.demo.project import scratch_project


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The only place where temporary folders may appear."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def project(scratch):
    with scratch_project() as project:
        yield project
