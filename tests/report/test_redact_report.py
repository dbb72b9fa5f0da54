from __future__ import annotations

import copy
import json
from importlib.resources import files

import jsonschema
import pytest
from hypothesis import given, settings
from made_snapshots import ACCOUNTS, ANY, LOG, TROUBLE
from planted_secrets import NAME, PLANTED, body

from monitor.report import as_json, as_markdown, as_text
from monitor.report.build import build
from monitor.report.redact import Redactor, finished, redact
from monitor.snapshot import RunFacts, Snapshot

SCHEMA = json.loads(files("monitor.report").joinpath("report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
RENDERERS = (as_json.render, as_text.render, as_markdown.render)


def _texts(value, path=()):
    """The path of every text in a report."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))


def _put(report, path, text):
    *way, last = path
    for step in way:
        report = report[step]
    report[last] = text


def _full():
    """A report with a text in every field that can hold one."""
    report = build(TROUBLE, [LOG])
    for row in report["runs"]:
        row.update(
            {
                key: row[key] or "x"
                for key in ("agent", "version", "model", "session", "cwd", "project", "task", "status")
            }
        )
    report["verdict"]["why_provisional"] = report["worktree"]["reason"] = "x"
    report["verdict"]["provisional"] = True
    report["worktree"]["files"][0].update(by="x", why="x")
    place = {"input": 0, "line": 1}
    report["repeats"] = [{"rule": "x", "call": "x", "count": 1, "level": None, "first": place, "last": place}]
    report["folder"] = [{"seq": 1, "place": place, "to": "x", "how": "moved"}]
    report["tests"].update(edited="x", command="x", edit_place=place, test_place=place)
    report["numbers"] = [{"detector": "sites", "name": "warn", "value": 4, "default": 3}]
    report["sources"] = ["x"]
    report["scripts"] = [{"file": "x", "place": place, "run": True, "how": "x"}]
    report["outside_edits"] = [{"file": "x", "at": None, "overwritten": False}]
    return report


def _open_texts():
    """The paths whose text is free: not one of a closed list of words."""
    report = _full()
    VALIDATOR.validate(report)
    for path in _texts(report):
        changed = copy.deepcopy(report)
        _put(changed, path, "anything at all")
        if VALIDATOR.is_valid(changed):
            yield path


OPEN = list(_open_texts())


def _planted(planted):
    """The full report with a secret in every free text and in every name that is counted."""
    report = _full()
    for path in OPEN:
        _put(report, path, planted.text)
    report["inputs"][0]["unknown_types"] = {planted.text: 2}
    report["sites"][0]["kinds"] = {planted.text: 3}
    return report


def test_texts_of_every_part_are_planted():
    """The paths that secrets are planted in reach into every part of the report that holds texts."""
    assert len(OPEN) > 70
    assert {path[0] for path in OPEN} == set(SCHEMA["properties"]) - {
        "schema", "earlier_claims", "replies", "numbers", "redacted",
    }  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.kind)
def test_no_secret_comes_out_of_any_field_in_any_form(planted):
    """A secret in every text of a report is in none of its forms, the report stays valid, and the kind is counted."""
    report = finished(_planted(planted))
    VALIDATOR.validate(report)
    assert report["redacted"][planted.kind] >= len(OPEN)
    lines = [line for line in planted.secret.replace("\\n", "\n").split("\n") if len(line) >= 6]
    for render in RENDERERS:
        written = render([report])
        assert not [line for line in lines if line in written or json.dumps(line)[1:-1] in written]


@pytest.mark.parametrize("path", OPEN, ids=lambda path: ".".join(map(str, path)))
def test_each_field_is_redacted_by_itself(path):
    """A secret in one text alone goes from that text, and no other text is touched."""
    planted = PLANTED[len(str(path)) % len(PLANTED)]
    report = _full()
    _put(report, path, planted.text)
    made = redact(report)
    before, after = list(_texts(report)), list(_texts(made))
    assert before == after
    assert planted.secret not in json.dumps(made)
    assert sum(made["redacted"].values()) >= 1


def test_a_secret_shown_in_one_field_goes_from_all():
    """A value that one field assigns to a telling name is taken out of a field that says it without any name."""
    secret = body(20)
    report = _full()
    report["findings"][0]["message"] = f"the output holds {secret}"
    report["actions"][0]["text"] = f"API_KEY={secret}"
    made = redact(report)
    assert made["findings"][0]["message"] == "the output holds [redacted: key]"
    assert made["redacted"]["key"] == 2


def test_the_folder_of_the_run_names_its_owner():
    """The owner of the home the run works in goes from all paths of the report, and files keep their names."""
    report = build(Snapshot(run=RunFacts(cwd=f"/home/{NAME}/p", task=f"copy /srv/{NAME}/a to {NAME}.txt")), [])
    made = redact(report)
    assert made["runs"][0]["cwd"] == "/home/~/p"
    assert made["runs"][0]["task"] == f"copy /srv/~/a to {NAME}.txt"
    assert made["redacted"] == {"user name": 2}
    assert (
        redact(build(Snapshot(run=RunFacts(task=f"/srv/{NAME}/a")), []), f"/data/{NAME}")["runs"][0]["task"]
        == "/srv/~/a"
    )


def test_redaction_is_on_unless_it_is_turned_off():
    """A finished report is redacted and counts what went; one that is not says that nobody looked."""
    report = build(Snapshot(run=RunFacts(task=PLANTED[0].text)), [])
    assert report["redacted"] is None
    assert PLANTED[0].secret not in json.dumps(finished(report))
    assert finished(report)["redacted"] == {"aws key": 1}
    assert finished(report, redact=False) == report
    assert finished(build(Snapshot(), []))["redacted"] == {}
    assert "Redacted: nothing, it was turned off; secrets may stand in this report\n" in as_text.render([report])
    assert "Redacted: aws key x1\n" in as_text.render([finished(report)])


def test_names_that_become_one_are_counted_together():
    """Two record types that differ in a secret alone are one afterwards, with the sum of their counts."""
    report = build(TROUBLE, [LOG])
    report["inputs"][0]["unknown_types"] = {f"x {PLANTED[6].secret}": 2, f"x {PLANTED[7].secret}": 3}
    assert redact(report)["inputs"][0]["unknown_types"] == {"x [redacted: github token]": 5}


def test_the_report_given_is_left_as_it_was():
    """Redaction makes a new report."""
    report = _planted(PLANTED[0])
    before = copy.deepcopy(report)
    redact(report)
    assert report == before


def test_values_of_json_are_redacted_part_by_part():
    """A row on its own way out, such as a line of `watch`, is redacted by the same object."""
    redactor = Redactor()
    row = {"finding": {"message": PLANTED[6].text, "places": [{"line": 3}], "level": "stop", "more": [None, True, 1.5]}}
    made = redactor.value(row)
    assert made["finding"]["message"] == "it says [redacted: github token] and goes on"
    assert made["finding"]["more"] == [None, True, 1.5]
    assert redactor.counts == {"github token": 1}


@settings(deadline=None, max_examples=20)
@given(ANY, ACCOUNTS)
def test_any_report_stays_valid_and_is_redacted_once(snapshot, accounts):
    """Whatever a report holds, it is valid afterwards, and doing it again changes neither texts nor counts."""
    once = redact(build(snapshot, accounts))
    VALIDATOR.validate(json.loads(as_json.render([once])))
    assert redact(once) == once
