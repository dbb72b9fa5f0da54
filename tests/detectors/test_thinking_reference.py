"""lcode's own class is the reference: what it flags we flag, at the same piece or before, and no more than listed here."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lcode.repeats import Circles
from reply_story import Replies

from monitor.detectors.cycles import Cycles
from monitor.detectors.thinking import Thinking
from monitor.events import Event, ReplyEnded, Said, Thought

SENTENCES = (
    "Let me try the path option once more", "Now check whether it works for us", "No, a different approach is better here",
    "The file is there already, I believe so", "What about the other folder, then", "Hm", "Ok then", "It must be the cache of it",
    "wir prüfen jetzt noch einmal die größere Datei", "et maintenant l’autre chemin, peut-être",
)  # fmt: skip
ENDS = (". ", ".\n", "\n", "! ", "?  ", " ", ".", ".\t", "\n\n", "... ", "?! ")


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Some sentences over and over, with new ones between them."""
    pool = draw(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6))
    told = []
    for number in range(draw(st.integers(0, 160))):
        new = draw(st.integers(0, 9)) == 0
        told.append(
            f"Something new {chr(97 + number % 26) * (3 + number // 26)} comes up"
            if new
            else draw(st.sampled_from(pool))
        )
        told.append(draw(st.sampled_from(ENDS[: draw(st.sampled_from((1, 3, len(ENDS))))])))
    return "".join(told)


cuts = st.lists(st.one_of(st.integers(1, 30), st.integers(1, 400)), min_size=1, max_size=12)


def pieces(text: str, sizes: list[int]) -> list[str]:
    """The text cut into pieces of these sizes, again and again."""
    told, at, number = [], 0, 0
    while at < len(text):
        told.append(text[at : at + sizes[number % len(sizes)]])
        at += len(told[-1])
        number += 1
    return told


def seed_flags(told: list[str]) -> int | None:
    """The piece at which the seed flags."""
    seed = Circles()
    return next((number for number, text in enumerate(told) if seed.feed(text)), None)


def we_flag(told: list[str], **numbers: int) -> tuple[int, int] | None:
    """The piece and the character at which ours flags."""
    story = Replies(**numbers)
    for text in told:
        story.think(text, size=len(text))
    for flag in story.detector.view().flags:
        return flag.spot.seq, flag.at_character
    return None


@settings(deadline=None, max_examples=70)
@given(texts(), cuts)
def test_flags_what_the_seed_flags(text, sizes):
    """Whatever the seed flags, ours flags at the same piece or before, whatever the pieces are."""
    told = pieces(text, sizes)
    theirs, ours = seed_flags(told), we_flag(told)
    if theirs is not None:
        assert ours is not None
        assert ours[0] <= theirs


@settings(deadline=None, max_examples=70)
@given(texts(), cuts)
def test_flags_no_more(text, sizes):
    """Judged sentence by sentence, ours flags exactly where the seed does when it is fed character by character."""
    theirs, ours = seed_flags(list(text)), we_flag(pieces(text, sizes), repeats=0)
    assert (None if ours is None else ours[1]) == (None if theirs is None else theirs + 1)


BEYOND: dict[str, tuple[list[str], bool, bool]] = {
    # name: the pieces, whether the seed flags, whether ours does
    "sentence by sentence within one piece": (["The very same sentence again.\n" * 20 + "".join(
        f"And then something new: {'abcdefghijklmnopqrst'[n] * 5}.\n" for n in range(20))], False, True),
    "a counter": ([f"Attempt {n}: let me try again with the path option. " for n in range(40)], False, True),
    "no sentence ends": (["and then I try the other path and see what happens "] * 30, False, True),
    "short sentences": (["Try it. No. Again. "] * 40, False, True),
    "stops of other scripts": (["让我再检查一次下载页面的正确地址。也许还有别的办法得到这个软件包的呢。"] * 30, False, True),
    "a loop of more than 4,000 sentences": (
        [f"One of very many sentences: {f'{n % 9_000:b}'.translate({48: 'a', 49: 'b'})}.\n" for n in range(37_000)], True, False),
}  # fmt: skip
"""Where ours is meant to differ from the seed: what it misses, and what bounded memory costs."""


@pytest.mark.parametrize("name", BEYOND)
def test_beyond(name):
    """Every listed case differs from the seed, and just so."""
    told, theirs, ours = BEYOND[name]
    assert (seed_flags(told) is not None) == theirs
    assert (we_flag(told) is not None) == ours


def test_answers_are_beyond():
    """The seed never sees the text of an answer; ours judges it alike."""
    story = Replies()
    story.say("The very same sentence again.\n" * 30)
    assert story.detector.view().flags[0].where == "answer"


@settings(deadline=None, max_examples=70)
@given(texts(), cuts, cuts, st.sampled_from(("", "。", "…")))
def test_pieces_do_not_matter(text, sizes, others, stop):
    """Fed in pieces of any size, or at once, the flag, the density and the chart are the same."""
    text = text.replace(". ", f"{stop} ") if stop else text
    views = []
    for told in (pieces(text, sizes), pieces(text, others), [text] if text else []):
        story = Replies()
        for piece in told:
            story.think(piece, size=len(piece))
        views.append(story.detector.view())
    shown = [(v.characters, v.density, v.last, v.peak, v.history) for v in views]
    flags = [[(f.rule, f.at_character, f.of, f.text) for f in v.flags] for v in views]
    assert shown[0] == shown[1] == shown[2]
    assert flags[0] == flags[1] == flags[2]


@st.composite
def loops(draw: st.DrawFn) -> str:
    """A piece over and over, between other text, sometimes with a number; too short for rulers and code to count."""
    words = st.lists(
        st.sampled_from(("try", "again", "path 1", "the", "22 ", "- ", "x", "=", "\n", "step 7", "12345")), max_size=40
    )
    told = []
    for _ in range(draw(st.integers(1, 3))):
        told += draw(words)
        unit = " ".join(draw(words))
        counts = draw(st.booleans())
        for number in range(draw(st.integers(0, 45))):
            told.append(re.sub(r"\d+", str(number), unit, count=1) if counts else unit)
    return " ".join(told)[:3_900]


def slow_cycle(text: str) -> int | None:
    """Where a cycle shows, looked for period by period, character by character, as the rule has it."""
    folded, ends, run = [], [], 0
    for at, char in enumerate(text, 1):
        if not char.isdecimal() or run % 4 == 0:
            folded.append("#" if char.isdecimal() else char)
            ends.append(at)
        run = run + 1 if char.isdecimal() else 0
    first = None
    for period in range(1, min(1_024, len(folded)) + 1):
        same = 0
        for at in range(period, len(folded)):
            same = same + 1 if folded[at] == folded[at - period] else 0
            if same + period >= max(400, 8 * period):
                piece = "".join(folded[at - period + 1 : at + 1])
                signs = len(re.findall(r"[^\w\s.,:!?'\"…’“”。、，！？-]|_", piece))
                letters = sum(char.isalpha() for char in piece)
                if signs <= max(1, period / 8) and letters >= period / 3:
                    first = min(first or len(text), ends[at])
                    break
    return first


@settings(deadline=None, max_examples=40)
@example("22  " + "".join("try " * 9 + f"path {count} path 1 " for count in range(12)), [1])
@given(loops(), cuts)
def test_cycles_are_exact(text, sizes):
    """A cycle of words shows at the very character where it has come often enough, however the text is cut."""
    detector, found = Cycles(), None
    for piece in pieces(text, sizes):
        found = found or detector.feed(piece)
    want = slow_cycle(text)
    assert (found.at if found else None) == want


@st.composite
def stories(draw: st.DrawFn) -> list[Event]:
    """Events in any order."""
    told: list[Event] = []
    for number in range(draw(st.integers(0, 25))):
        kind = draw(st.sampled_from((Thought, Said, ReplyEnded)))
        more = {
            "actor": draw(st.sampled_from(("", "a"))),
            "turn": draw(st.integers(0, 3)),
            "message": draw(st.sampled_from(("", "m", "n"))),
            "request": draw(st.integers(0, 2)),
            "seq": number,
        }
        if kind is ReplyEnded:
            told.append(ReplyEnded(**more))
        else:
            text = draw(st.one_of(texts(), st.text(max_size=30)))
            told.append(
                kind(
                    text=text, delta=draw(st.booleans()), part=draw(st.integers(0, 2)), cut=draw(st.booleans()), **more
                )
            )
    return told


@settings(deadline=None, max_examples=40)
@given(stories(), st.integers(0, 25))
def test_a_copy_goes_on_like_the_original(story, at):
    """Any order of events is taken in; a copy fed the rest knows the same, and the original is untouched by it."""
    one, straight = Thinking(), Thinking()
    for event in story[:at]:
        one.feed(event)
        straight.feed(event)
        straight.view()
    before = one.view()
    other = one.copy()
    for event in story[at:]:
        other.feed(event)
        straight.feed(event)
        straight.view()
    assert other.view() == straight.view()
    assert one.view() is before
