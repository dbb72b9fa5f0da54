"""Installing leaves everything of others as it stands, and removing leaves nothing of ours."""

from __future__ import annotations

import json
import stat

import pytest
from hook_settings import install, remove
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monitor.errors import MonitorError
from monitor.hooks import edit
from monitor.hooks.installing import carry_out, plan_install
from monitor.hooks.places import EVENTS, command, place_of
from monitor.hooks.standing import installed, reaching, standing

COMMAND = "test -r monitor/hooks/program.py || :"
OTHERS = {"hooks": [{"type": "command", "command": "mine"}]}
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
HOOKS = st.dictionaries(
    st.sampled_from([*EVENTS, "Notification"]),
    st.lists(st.sampled_from([OTHERS, {"matcher": "Bash", **OTHERS}]), max_size=2),
)
FILES = st.builds(
    lambda rest, hooks, before: {**hooks, **rest} if before else {**rest, **hooks},
    st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), VALUES, max_size=4),
    st.just({}) | st.builds(lambda hooks: {"hooks": hooks}, HOOKS),
    st.booleans(),
)
LAYOUTS = st.sampled_from(
    [{}, {"indent": 2}, {"indent": "\t"}, {"indent": 4, "ensure_ascii": False}, {"separators": (",", ":")}]
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(value=FILES, layout=LAYOUTS, bom=st.booleans(), crlf=st.booleans(), tail=st.sampled_from(["", "\n", " \n\n"]))
def test_what_is_put_in_comes_out_again(value, layout, bom, crlf, tail):
    """Whatever the file holds and however it is laid out: all of it stays in place, and removed it is the same to the byte."""
    text = ("\ufeff" if bom else "") + json.dumps(value, **layout) + tail
    text = text.replace("\n", "\r\n") if crlf else text
    data = text.encode("utf-8", "surrogatepass") if "\\ud" in text else text.encode(errors="replace")
    merged = edit.merged("claude", data, COMMAND)
    assert edit.commands("claude", merged) == [COMMAND] * len(EVENTS)
    after = json.loads(merged.decode("utf-8-sig"))
    assert {key: one for key, one in after.items() if key != "hooks"} == {
        key: one for key, one in json.loads(data.decode("utf-8-sig")).items() if key != "hooks"
    }
    back = edit.without("claude", merged, edit.keys("claude", data))
    assert json.loads(back.decode("utf-8-sig")) == json.loads(data.decode("utf-8-sig"))
    assert _unblanked(back) == _unblanked(data)


def _unblanked(data):
    """The bytes, but for blanks within what is empty."""
    text = data.decode()
    for pair in ("{}", "[]"):
        while (
            shorter := text.replace(f"{pair[0]} ", pair[0])
            .replace(f"{pair[0]}\n", pair[0])
            .replace(f"{pair[0]}\r\n", pair[0])
        ) != text:
            text = shorter
    return text


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "\n",
        "{}",
        "{ }",
        "{\n}\n",
        '{"hooks": {}}',
        '{"hooks": {"Stop": [ ]}}',
        '{"a":1,"hooks":{"Stop":[]}}',
        '\ufeff{"a": 1}\r\n',
    ],
)
def test_removed_it_is_what_it_was(place, text):
    """Byte for byte, also where there was no file, or an empty one."""
    if text is None:
        place.path.parent.rmdir()
    else:
        place.path.write_bytes(text.encode())
    install(place)
    assert standing(place).state == "installed"
    remove(place)
    assert (place.path.read_bytes().decode() if place.path.exists() else None) == text
    assert place.path.parent.exists() == (text is not None)


def test_a_second_installation_does_nothing(place):
    """Installed already, nothing is to be done."""
    install(place)
    before = place.path.stat()
    assert install(place).nothing
    assert place.path.stat().st_mtime_ns == before.st_mtime_ns


def test_what_others_changed_since_stays(place):
    """A permission that the agent added, and another's hook in our own group, stay when ours are removed."""
    place.path.write_text('{\n  "permissions": {"allow": ["Bash(ls)"]}\n}\n')
    install(place)
    told = json.loads(place.path.read_text())
    told["permissions"]["allow"].append("Bash(cat)")
    told["hooks"]["Stop"][0]["hooks"].insert(0, {"type": "command", "command": "mine"})
    place.path.write_text(json.dumps(told, indent=2))
    remove(place)
    left = {
        "permissions": {"allow": ["Bash(ls)", "Bash(cat)"]},
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]},
    }
    assert json.loads(place.path.read_text()) == left
    assert place.path.read_text() == json.dumps(left, indent=2)


def test_a_file_that_changed_after_it_was_shown_is_left(place):
    """What was agreed to was another text: nothing is written, and it is said."""
    place.path.write_text("{}")
    change = plan_install(place)
    place.path.write_text('{"a": 1}')
    with pytest.raises(MonitorError, match="has changed meanwhile"):
        carry_out(change)
    assert place.path.read_text() == '{"a": 1}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('// mine\n{"a": 1}', "comments"), ('{"a": 1, /* x */ "b": 2}', "comments"), ('{"a": 1,}', "no valid JSON"), ("[]", "no object"),
        ('{"hooks": []}', "not laid out"), ('{"hooks": {"Stop": {}}}', "not laid out"), ('{"a": NaN}', "NaN"), ("[" * 99_999, "JSON|deeply"),
    ],
)  # fmt: skip
def test_what_the_agent_would_not_read_is_refused(place, text, why):
    """Claude Code reads neither comments nor trailing commas: such a file is left alone, with the reason."""
    place.path.write_text(text)
    with pytest.raises(MonitorError, match=why):
        install(place)
    assert place.path.read_text() == text
    assert standing(place).state == "unreadable"


def test_a_projects_file_must_not_lead_out_of_it(place, tmp_path):
    """A project could point its settings anywhere; a user's own may be a link, and is followed."""
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text("{}")
    place.path.symlink_to(elsewhere)
    with pytest.raises(MonitorError, match="leads out of the project"):
        install(place)
    user = place_of("claude", None)
    user.path.parent.mkdir(parents=True)
    user.path.symlink_to(elsewhere)
    install(user)
    assert user.path.is_symlink()
    assert "PreToolUse" in elsewhere.read_text()
    remove(user)
    assert elsewhere.read_text() == "{}"


def test_modes_stay(place):
    """A file keeps its mode; one that is made is for its user alone."""
    place.path.write_text("{}")
    place.path.chmod(0o640)
    install(place)
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o640
    place.path.unlink()
    install(place)
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600


def test_an_outdated_installation_is_renewed(place, monkeypatch, tmp_path):
    """Hooks that call another program, or write to another state folder, are said to be outdated, and replaced."""
    place.path.write_text('{"a": 1}')
    with monkeypatch.context() as other:
        other.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        install(place)
    assert standing(place).state == "outdated"
    assert reaching("claude", place.project) is None
    install(place)
    assert edit.commands("claude", place.path.read_bytes()) == [command("claude")] * len(EVENTS)
    remove(place)
    assert json.loads(place.path.read_text()) == {"a": 1}


def test_which_installation_reaches_a_session(place):
    """A project's, else the user's; none where the user has switched all hooks off."""
    assert reaching("claude", place.project) is None
    user = place_of("claude", None)
    install(user)
    assert reaching("claude", place.project).place.path == user.path
    install(place, "not made")
    assert reaching("claude", place.project).refuse == "not made"
    told = {**json.loads(user.path.read_text()), "disableAllHooks": True}
    user.path.write_text(json.dumps(told))
    assert reaching("claude", place.project) is None
    assert {one.state for one in installed(place.project)} == {"off", "absent", "installed"}
