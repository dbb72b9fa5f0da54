"""What the preview of a run's changes shows, earlier than its transcript."""

from __future__ import annotations

from dirtywork_logs import document, of, patch_of, preview, records, start

from monitor.agents.dirtywork.decode import LIVE, DirtyworkDecoder
from monitor.agents.dirtywork.live import read_patch
from monitor.agents.dirtywork.started import About
from monitor.events import Noticed, TreeMeasured

BEFORE = "2026-11-30T07:34:20.100000+00:00"


def feed(decoder, *states):
    return [event for state in states for event in decoder.feed(document(state, LIVE))]


def test_a_change_shows_within_the_turn():
    """The files of a fresh run's preview have changed since its start; an empty preview says nothing."""
    decoder = DirtyworkDecoder(About(resumed=False))
    events = feed(decoder, preview(), preview(patch_of("a.txt")))
    (measured,) = events
    assert (measured.by, measured.when, measured.changed, measured.since_start) == ("agent", "turn", True, True)
    assert measured.files == ("a.txt",)
    assert measured.at == 1796024060.5


def test_the_same_state_is_told_once():
    """The preview is published after every action, also when nothing is new."""
    decoder = DirtyworkDecoder(About(resumed=False))
    state = preview(patch_of("a"))
    assert len(feed(decoder, state, state, preview(patch_of("a"), captured_at=BEFORE))) == 1
    assert [one.files for one in feed(decoder, preview(patch_of("a", "y") + patch_of("b")))] == [("a", "b")]


def test_a_change_taken_back_leaves_nothing_known():
    """The preview leaves out too much to say that nothing changed."""
    decoder = DirtyworkDecoder(About(resumed=False))
    events = feed(decoder, preview(patch_of("a")), preview())
    assert [one.changed for one in events] == [True, None]
    assert "ignored files" in events[1].reason


def test_a_resumed_run_is_not_credited_with_the_earlier_work():
    """What was there before it began is told from what it added by the state published before its first record."""
    decoder = DirtyworkDecoder(About(resumed=True))
    (began,) = records([start(resumed_from="x")])
    decoder.feed(began)
    earlier = patch_of("a")
    assert feed(decoder, preview(earlier, captured_at=BEFORE)) == []
    assert [one.files for one in feed(decoder, preview(earlier + patch_of("b")))] == [("b",)]


def test_a_resumed_run_joined_late_says_nothing_of_what_changed():
    """Without the state it began with, nothing is known."""
    decoder = DirtyworkDecoder(About(resumed=True))
    (began,) = records([start(resumed_from="x")])
    decoder.feed(began)
    later = "2026-11-30T07:34:29+00:00"
    assert feed(decoder, preview(patch_of("a"), captured_at=later), preview(patch_of("b"), captured_at=later)) == []


def test_no_preview_is_a_notice_and_no_measurement():
    """A preview that is too large or not to be had is told once."""
    decoder = DirtyworkDecoder(About(resumed=False))
    large = preview(state="too_large", message="Live patch exceeds the limit.")
    events = feed(decoder, large, large, preview(state="unavailable", message="Retrying."), preview(patch_of("a")))
    assert [type(one) for one in events] == [Noticed, Noticed, TreeMeasured]
    assert of(events, Noticed)[0].text == "Live patch exceeds the limit."


def test_a_preview_that_comes_back_unchanged_is_no_news():
    """After a state that could not be shown, the same changes are not told anew, and no change is made up."""
    decoder = DirtyworkDecoder(About(resumed=True))
    (began,) = records([start(resumed_from="x")])
    decoder.feed(began)
    earlier, gone = preview(patch_of("a"), captured_at=BEFORE), preview(state="unavailable", message="Retrying.")
    more = preview(patch_of("a") + patch_of("b"))
    assert [type(one) for one in feed(decoder, earlier, gone, earlier, more, gone, more)] == [
        Noticed,
        TreeMeasured,
        Noticed,
    ]


def test_names_of_files_in_a_patch():
    """Spaces, quotes and other scripts in names are read as git writes them."""
    patch = (
        patch_of("a b/c b/d")
        + 'diff --git "a/\\303\\244 \\"x\\"\\n" "b/\\303\\244 \\"x\\"\\n"\nold mode 100644\nnew mode 100755\n'
        + "diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n"
    )
    assert sorted(read_patch(patch)) == ["a b/c b/d", "bin", 'ä "x"\n']


def test_content_that_looks_like_a_header_is_no_file():
    """A changed line that itself speaks of a diff stands behind its sign."""
    assert list(read_patch(patch_of("a", "x\n+diff --git a/b b/b"))) == ["a"]


def test_a_preview_of_no_sense_is_no_harm():
    """Whatever stands in the file, nothing is measured."""
    decoder = DirtyworkDecoder(About(resumed=False))
    assert feed(decoder, b"{}", b'{"state": 7}', preview("diff --git \ndiff --git a\n"), b'{"state": "ready"}') == []
