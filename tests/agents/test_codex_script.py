"""Patches in the scripts of Codex's code mode."""

from __future__ import annotations

import json

from codex_logs import patch
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.codex.script import patched
from monitor.text import clean


def changes(script):
    return [(one.file, one.old, one.new, one.cut) for one in patched(script)]


def test_a_template_literal():
    """A patch between backticks is read as it stands, its escapes resolved."""
    body = patch(old=r"a \`b\` \${c} \\d", new="x")
    assert changes(f"await tools.apply_patch(`{body}`)") == [("a.py", "a `b` ${c} \\d", "x", False)]


def test_a_quoted_literal():
    """A patch in quotes is read with its line ends and signs resolved."""
    quoted = json.dumps(patch(old='say "hi"', new="é"))
    source = f"const p = {quoted}; text(await tools.apply_patch(p));"
    assert changes(source) == [("a.py", 'say "hi"', "é", False)]


def test_pieces_are_cut():
    """A patch with a part that is put in at run time is never the same as another."""
    assert changes("await tools.apply_patch(`" + patch(new="${value}") + "`)")[0][3]
    assert changes("await tools.apply_patch('*** Begin Patch\\n*** Update File: a.py\\n@@\\n-x\\n' + rest)")[0][3]


def test_two_patches():
    """Each patch of a script counts."""
    source = f"await tools.apply_patch(`{patch()}`); await tools.apply_patch(`{patch('b.py')}`);"
    assert [one[0] for one in changes(source)] == ["a.py", "b.py"]


def test_a_patch_that_is_only_printed():
    """A script that patches nothing changes nothing, whatever its texts hold."""
    assert changes(f"text(`{patch()}`)") == []


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="\\`'\"${}nux0041 *+\n", max_size=40), st.text(max_size=20))
def test_nothing_throws(inside, after):
    """Whatever stands in a script, reading it raises nothing."""
    patched(f"tools.apply_patch(`*** Begin Patch\n*** Update File: a\n{inside}*** Begin Patch{after}")


@settings(deadline=None, max_examples=200)
@given(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["C"]), min_size=1, max_size=30).map(clean))
def test_json_is_a_quoted_literal(text):
    """Whatever line a patch replaces, in a quoted literal it is read as it was written."""
    found = patched(f"tools.apply_patch({json.dumps(patch(old=text))})")
    assert [one.old for one in found] == [text]
