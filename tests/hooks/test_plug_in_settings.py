"""OpenCode's plug-in is installed and removed as a whole file, and never over one that is not monitor's."""

from __future__ import annotations

import os
import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monitor.errors import MonitorError
from monitor.hooks import edit, plug_in
from monitor.hooks.installing import carry_out, plan_install, plan_remove
from monitor.hooks.json_text import NotPlainError
from monitor.hooks.places import command, place_of
from monitor.hooks.records import forget
from monitor.hooks.standing import installed, reaching, standing


def install(place):
    change = plan_install(place)
    carry_out(change)
    return change


def remove(place):
    carry_out(plan_remove(place))


@pytest.fixture(params=["project", "user"])
def place(request, tmp_path):
    """A project's place, and the user's."""
    (tmp_path / "project").mkdir()
    return place_of("opencode", tmp_path / "project" if request.param == "project" else None)


def test_where_it_goes(tmp_path, private_home, monkeypatch):
    """Where OpenCode of every version looks: in the project, or in the user's config, wherever that is."""
    assert place_of("opencode", tmp_path).path == tmp_path / ".opencode" / "plugin" / "monitor.js"
    assert place_of("opencode", None).path == private_home / ".config" / "opencode" / "plugin" / "monitor.js"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert place_of("opencode", None).path == tmp_path / "config" / "opencode" / "plugin" / "monitor.js"


def test_installed_and_removed(place, tmp_path, private_home):
    """One file appears, for its user alone; a second installation does nothing; removed, no file and no folder is left."""
    state = private_home / ".local" / "state"

    def there():
        return {one for root in (tmp_path, private_home) for one in root.rglob("*") if state not in one.parents}

    (private_home / ".local").mkdir()
    before = there() | {state}
    install(place)
    assert {one for one in there() - before if one.is_file()} == {place.path}
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600
    assert standing(place).state == "installed"
    when = place.path.stat().st_mtime_ns
    assert install(place).nothing
    assert place.path.stat().st_mtime_ns == when
    remove(place)
    assert there() == before
    assert standing(place).state == "absent"
    assert plan_remove(place).nothing


def test_what_lies_beside_it_stays(place):
    """Other plug-ins, and the folders that hold them, are not touched."""
    place.path.parent.mkdir(parents=True)
    other = place.path.with_name("other.js")
    other.write_text("export const Other = async () => ({})\n")
    install(place)
    remove(place)
    assert list(place.path.parent.iterdir()) == [other]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("export const Mine = 1\n", plug_in.FOREIGN), ("// mine", plug_in.FOREIGN), ("\n", plug_in.FOREIGN),
        ("\ufeff", plug_in.FOREIGN), ("// Put here by monitor\n", plug_in.CHANGED), (b"\xff", "not UTF-8"),
    ],
)  # fmt: skip
def test_a_file_of_others_is_left_alone(place, text, why):
    """Whatever else stands there is neither overwritten nor removed, and the status says why."""
    data = text if isinstance(text, bytes) else text.encode()
    place.path.parent.mkdir(parents=True)
    place.path.write_bytes(data)
    for plan in (plan_install, plan_remove):
        with pytest.raises(MonitorError, match=why) as told:
            plan(place)
        assert "move it away first" in told.value.hint
    assert place.path.read_bytes() == data
    assert (standing(place).state, reaching("opencode", place.project)) == ("foreign", None)


def test_an_empty_file_comes_back(place):
    """It says nothing, so it is taken; removed, it is empty again."""
    place.path.parent.mkdir(parents=True)
    place.path.touch()
    install(place)
    remove(place)
    assert place.path.read_bytes() == b""


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_change_by_hand_is_seen(data):
    """Whatever is put in, taken out or changed, it is no longer held to be monitor's own."""
    text = command("opencode")
    at = data.draw(st.integers(0, len(text) - 1))
    cut = data.draw(st.integers(0, 40))
    new = data.draw(st.text(max_size=5))
    changed = text[:at] + new + text[at + cut :]
    if changed in (text, ""):
        return
    with pytest.raises(NotPlainError):
        edit.without("opencode", changed.encode("utf-8", "surrogatepass"))


def test_changed_by_hand(place):
    """It is neither written over nor removed; put right again it is removed."""
    install(place)
    own = place.path.read_bytes()
    place.path.write_bytes(own.replace(b"1 << 20", b"1 << 30"))
    for plan in (plan_install, plan_remove):
        with pytest.raises(MonitorError, match="changed by hand"):
            plan(place)
    assert standing(place).state == "foreign"
    place.path.write_bytes(own)
    remove(place)
    assert not place.path.exists()


def test_another_version_is_renewed_and_removed(place, monkeypatch, private_home):
    """One that another version wrote, or that names another state folder, is told, replaced, and removed with its folders."""
    with monkeypatch.context() as other:
        other.setenv("XDG_STATE_HOME", str(private_home / "state"))
        install(place)
    assert standing(place).state == "outdated"
    assert reaching("opencode", place.project) is None
    install(place)
    assert standing(place).state == "installed"
    remove(place)
    assert not place.path.exists()


def test_what_nothing_is_remembered_of_is_removed_too(place):
    """The file itself says whose it is."""
    install(place)
    forget(place)
    remove(place)
    assert not place.path.exists()


def test_a_file_that_changed_after_it_was_shown_is_left(place):
    """What was agreed to was another text."""
    change = plan_install(place)
    place.path.parent.mkdir(parents=True)
    place.path.write_text("mine")
    with pytest.raises(MonitorError, match="has changed meanwhile"):
        carry_out(change)
    assert place.path.read_text() == "mine"


def test_a_projects_folder_must_not_lead_out_of_it(tmp_path):
    """A project could point it anywhere."""
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (project / ".opencode").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MonitorError, match="leads out of the project"):
        install(place_of("opencode", project))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_takes_nothing(tmp_path, monkeypatch):
    """It is said, nothing is left half written, and nothing is remembered as installed."""
    place = place_of("opencode", tmp_path)
    (tmp_path / ".opencode").write_text("a file")
    with pytest.raises(MonitorError, match=r"monitor\.js: (Not a directory|File exists)"):
        install(place)
    assert (tmp_path / ".opencode").read_text() == "a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(tmp_path):
    """It is said, and nothing is left there."""
    place = place_of("opencode", tmp_path / "project")
    place.path.parent.mkdir(parents=True)
    place.path.parent.chmod(0o500)
    with pytest.raises(MonitorError, match="Permission denied"):
        install(place)
    assert list(place.path.parent.iterdir()) == []


def test_a_state_folder_without_room_for_a_socket(tmp_path, monkeypatch):
    """Where the path is longer than the system takes for a socket, it is said before anything is written."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ("long" * 25)))
    place = place_of("opencode", tmp_path)
    with pytest.raises(MonitorError, match="too long for a socket"):
        install(place)
    assert not place.path.exists()
    assert standing(place).state == "absent"


def test_the_folder_is_written_as_javascript_reads_it(private_home, monkeypatch):
    """Quotes, backslashes and other letters of its path cannot end the text they stand in."""
    monkeypatch.setenv("XDG_STATE_HOME", str(private_home / 'a"; é\\'))
    text = command("opencode")
    assert 'a\\"; \\u00e9\\\\/monitor/opencode"' in text
    assert plug_in.found(text) == [text]


def test_both_places_are_told(tmp_path):
    """The user's and a project's may stand side by side; a session in that folder is reached by either."""
    install(place_of("opencode", None))
    assert reaching("opencode", tmp_path).place.project is None
    install(place_of("opencode", tmp_path))
    assert reaching("opencode", tmp_path).place.project == tmp_path
    assert [one.state for one in installed(tmp_path, "opencode")] == ["installed", "installed"]
