from __future__ import annotations

import json
from importlib.resources import files
from typing import Literal, get_args, get_origin, get_type_hints, is_typeddict

import jsonschema
import pytest
from hypothesis import given, settings
from made_snapshots import ACCOUNTS, ANY, LOG, TROUBLE

from monitor.events import DETECTORS
from monitor.report import as_json, as_text
from monitor.report.build import build
from monitor.report.shape import Report
from monitor.snapshot import Snapshot

SCHEMA = json.loads(files("monitor.report").joinpath("report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def _resolved(schema):
    while "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def _objects(schema):
    """Every schema of an object that stands within a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from _objects(inner)


def _pairs(shape, schema, path=""):
    """Each type of the report beside the part of the schema that describes it."""
    schema = _resolved(schema)
    yield path, shape, schema
    if is_typeddict(shape):
        for name, inner in get_type_hints(shape).items():
            yield from _pairs(inner, schema["properties"][name], f"{path}/{name}")
    elif get_origin(shape) is list:
        yield from _pairs(get_args(shape)[0], schema["items"], f"{path}[]")


def test_the_schema_is_a_valid_schema():
    """The shipped schema is itself valid by draft 2020-12."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_no_object_may_hold_more_or_less_than_it_names():
    """Every object of the schema requires all its properties and forbids others, but for free counts by name."""
    objects = list(_objects(SCHEMA))
    assert len(objects) > 20
    for one in objects:
        if "properties" in one:
            assert one["additionalProperties"] is False
            assert sorted(one["required"]) == sorted(one["properties"])
        else:
            assert one == SCHEMA["$defs"]["counts"]


def test_types_and_schema_name_the_same_keys_and_words():
    """The report's types and its schema have the same keys and the same closed lists of words."""
    seen = 0
    for path, shape, schema in _pairs(Report, SCHEMA):
        if is_typeddict(shape):
            assert list(get_type_hints(shape)) == list(schema["properties"]), path
        words = [arg for arg in (shape, *get_args(shape)) if get_origin(arg) is Literal]
        if words and "enum" in schema:
            seen += 1
            assert set(get_args(words[0])) == set(schema["enum"]) - {None}, path
    assert seen >= 10
    assert list(SCHEMA["$defs"]["coverage"]["properties"]) == list(DETECTORS)
    assert SCHEMA["$defs"]["finding"]["properties"]["detector"]["enum"] == list(DETECTORS)


@pytest.mark.parametrize("snapshot", [Snapshot(), TROUBLE], ids=["nothing read", "trouble"])
def test_reports_follow_the_schema(snapshot):
    """A report of nothing and a report of a run in trouble are both valid."""
    VALIDATOR.validate(json.loads(as_json.render([build(snapshot, [LOG])])))


@pytest.mark.parametrize(
    "path", ["verdict.state", "claims.0.state", "failed_writes.0.failures.0.failure", "worktree.by"]
)
def test_the_schema_refuses_words_it_does_not_know(path):
    """A word outside a closed list, an extra key and a missing key are each refused."""
    report = json.loads(as_json.render([build(TROUBLE, [LOG])]))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    part = report
    for step in way:
        part = part[step]
    good = part[last]
    for change in ({last: "surely"}, {"more": 1}):
        part.update(change)
        assert not VALIDATOR.is_valid(report)
        part.pop("more", None)
    part[last] = good
    assert VALIDATOR.is_valid(report)
    del part[last]
    assert not VALIDATOR.is_valid(report)


@settings(deadline=None, max_examples=60)
@given(ANY, ACCOUNTS)
def test_any_snapshot_gives_a_valid_report_and_clean_text(snapshot, accounts):
    """Whatever a snapshot holds, its JSON is valid ASCII and its text is clean and encodable."""
    report = build(snapshot, accounts)
    written = as_json.render([report])
    assert written.isascii()
    VALIDATOR.validate(json.loads(written))
    text = as_text.render([report])
    text.encode()
    assert not [sign for sign in text if sign != "\n" and (ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0)]
