from __future__ import annotations

import json
import random

import pytest
from reply_story import LOOP, Replies

from monitor.detectors.thinking import Thinking
from monitor.events import ReplyEnded, Said, Thought, ToolReturned

NOTE = "[lcode] Your last reply went round in circles (the same thoughts over and over), so lcode stopped it."


def varied(count: int, seed: int = 1) -> str:
    """Sentences that say different things."""
    words = (
        "alpha", "module", "writes", "the", "gradle", "file", "into", "path", "resolve", "import", "class", "value", "first",
    )  # fmt: skip
    chance = random.Random(seed)
    return "".join(" ".join(chance.choices(words, k=chance.randint(6, 14))) + ".\n" for _ in range(count))


def test_circles_are_flagged_once_a_reply():
    """Sixteen of the last twenty sentences said four times or more: one flag, where it showed, and how long it went on."""
    told = Replies()
    told.think(LOOP * 60)
    view = told.detector.view()
    (flag,) = view.flags
    assert (flag.rule, flag.where, flag.theirs, flag.request) == ("circles", "thinking", False, 1)
    assert flag.of == len(LOOP) * 60 == view.characters
    assert len(LOOP) * 6 < flag.at_character < len(LOOP) * 7
    assert flag.text in LOOP.lower()
    piece = told.events[flag.spot.seq]
    assert isinstance(piece, Thought)
    assert (flag.spot.seq + 1) * 20 >= flag.at_character > flag.spot.seq * 20
    assert (view.density, view.last, view.peak) == (1.0, 1.0, 1.0)
    (finding,) = told.open()
    assert (finding.level, finding.subject, finding.figure, finding.places) == ("warn", "circles", "×1", (flag.spot,))


def test_a_second_reply_is_worth_a_stop():
    """Two circling replies in one request are a stop; a reply between them does not matter, a new request does."""
    told = Replies()
    told.think(LOOP * 20)
    told.end()
    told.think(varied(30))
    told.end()
    assert [finding.level for finding in told.open()] == ["warn"]
    told.think(LOOP * 20)
    told.end()
    (finding,) = told.open()
    assert (finding.level, finding.figure, len(finding.places)) == ("stop", "×2", 2)
    assert finding.raised > finding.opened
    assert finding.message == "2 replies of this request went in circles"
    told.prompt()
    assert told.open() == []
    assert told.detector.view().findings[0].state == "closed"
    told.think(LOOP * 20)
    assert [finding.level for finding in told.open()] == ["warn"]


def test_answers_are_judged_too():
    """Text of an answer that circles is flagged like thinking, and a reply is flagged once for both."""
    told = Replies()
    told.say(LOOP * 20)
    (flag,) = told.detector.view().flags
    assert flag.where == "answer"
    assert told.open()[0].message.startswith("The answer went in circles")
    told.think(LOOP * 20)
    assert len(told.detector.view().flags) == 1
    assert (told.detector.view().said, told.detector.view().characters) == (len(LOOP) * 20, len(LOOP) * 20)


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        (
            "a counter",
            "".join(f"Attempt {n}: let me try again with the path option, ok, now " for n in range(40)),
            "cycle",
        ),
        (
            "a counter that counts on past a hundred",
            "".join(f"On line 7 of 12, try {n}: let me take the path option again, ok, now " for n in range(90, 130)),
            "cycle",
        ),
        ("no punctuation", "and then I try the other path and see what happens " * 30, "cycle"),
        ("short sentences", "Try it. No. Again. Hm. " * 40, "cycle"),
        ("one word", "wait " * 200, "cycle"),
        (
            "Chinese without spaces",
            "让我再检查一次下载页面的正确地址。也许还有别的办法得到这个软件包的呢。" * 30,
            "circles",
        ),
        ("Japanese in one line", "もう一度ダウンロードページを確認してみましょう！" * 30, "cycle"),
        ("signs alone", "!" * 5_000, "cycle"),
        ("zeros", "0" * 20_000, "cycle"),
        ("the same numbers", "0, 12, 7, " * 500, "cycle"),
    ],
)
def test_loops_beyond_the_seed(name, text, rule):
    """Loops with a counter, without punctuation, of short sentences and in other scripts are found."""
    told = Replies()
    told.think(text)
    assert told.rules() == [rule], name


def test_where_a_cycle_shows():
    """A cycle shows at its eighth repeat, or at 400 characters in all; the number in it is shown as a sign."""
    told = Replies()
    begin = varied(3)
    piece = "Attempt 12: let me try once more with quite another option of the path and see how it goes then"
    told.think(begin + f"{piece} | " * 12)
    (flag,) = told.detector.view().flags
    unit = len(piece) + 3
    assert len(begin) + 8 * unit - 5 < flag.at_character <= len(begin) + 8 * unit + 5
    assert "Attempt #:" in flag.text * 2
    told = Replies()
    told.think("ab cd ef, " * 39)
    assert told.rules() == []
    told.think("ab cd ef, ")
    assert [flag.at_character for flag in told.detector.view().flags] == [400]


def test_drafting_and_planning_stay_quiet():
    """What moves forward is never flagged: drafts of whole files, long designs, lists of one shape."""
    chance = random.Random(5)
    draft = "".join(
        f"Now the file src/module_{n}/{name}.py:\n```\nfrom __future__ import annotations\n\n\nclass {name.title()}{n}:\n"
        f'    """Keeps {name} number {n}."""\n\n    def __init__(self) -> None:\n        self.{name} = {n * 37}\n'
        f"        self.items: list[{name}] = []\n\n    def total(self) -> int:\n        return sum(self.items) + {n}\n```\n"
        f"It must not forget to {' '.join(chance.choices(name + 'abcdefgh', k=9))} before {name} is read.\n"
        for n in range(140)
        for name in (chance.choice(("order", "basket", "ledger", "parser", "window", "socket")),)
    )
    assert len(draft) > 50_000
    steps = "".join(f"Step {n}: rename {a}{b} to {b}{a} in {c}.kt and run its tests.\n" for n, (a, b, c) in enumerate(
        (chance.choice("ABCDEFGH") * 3, chance.choice("stuvwxyz") * 4, "".join(chance.choices("klmnop", k=6))) for _ in range(200)
    ))  # fmt: skip
    table = "".join(f"    ({a}, {b}),\n" for a, b in zip(range(400), range(7, 407), strict=True))
    tests = "".join(f"    assert add({a}, {a + 1}) == {2 * a + 1}\n" for a in range(80))
    rows = "| name | type | default | note |\n|------|------|---------|------|\n" * 3 + "-" * 400 + "\n"
    shape = "".join(f"Step {n}: move the part {n} of module {n // 7} to its own file.\n" for n in range(200))
    points = "".join(f'{{"x": {n}, "y": {n * n % 97}}}, ' for n in range(400))
    versions = "".join(f"Tool v0.{n // 4}.{3 - n % 4}\n\nNo change needed.\n\n" for n in range(200, 0, -1))
    told = Replies()
    for text in (draft, varied(1_000), steps, table, tests, rows, shape, points, versions):
        told.think(text)
        told.end()
    assert told.detector.view().flags == ()
    assert (told.detector.view().peak or 0.0) < 0.8


def test_density_is_of_the_last_twenty():
    """No density before twenty counted sentences; then it moves in steps of five hundredths, and starts anew with a reply."""
    told = Replies()
    for number in range(19):
        told.think(f"This is sentence {'abcdefghijklmnopqrst'[number] * 3} of quite a few.\n", size=500)
    view = told.detector.view()
    assert (view.density, view.last, view.peak, view.history) == (None, None, None, ())
    told.think("Ok.\n")
    assert told.detector.view().density is None
    told.think("And here comes the twentieth of them all.\n", size=500)
    assert told.detector.view().density == 0.0
    told.think("And here comes the twentieth of them all.\n" * 3, size=500)
    assert told.detector.view().density == 0.2
    assert told.detector.view().history == (0.0, 0.0, 0.0, 0.2)
    told.end()
    told.think("Another reply begins with this.\n")
    view = told.detector.view()
    assert (view.density, view.last, view.peak) == (None, 0.2, 0.2)


def test_a_whole_that_equals_its_pieces_adds_nothing():
    """A text told again as a whole adds nothing; one that is longer adds the rest; another one replaces the pieces."""
    told = Replies()
    text = varied(12)
    told.think(text)
    told.tell(Thought(text=text, message="m1"))
    assert told.detector.view().characters == len(text)
    told.tell(Thought(text=text + "More of it.", message="m1"))
    assert told.detector.view().characters == len(text) + 11
    told.tell(Thought(text="Something else altogether.", message="m1"))
    assert told.detector.view().characters == 26
    told.tell(Thought(text="Something", message="m1", cut=True))
    assert told.detector.view().characters == 26


def test_a_replaced_text_no_longer_counts():
    """Sentences of pieces that a whole replaced are not counted; those of an earlier part are."""
    told = Replies()
    told.think(LOOP * 3, part=0)
    told.think(LOOP * 3, part=2)
    told.tell(Thought(text="No loop at all in here, as it turns out.\n", message="m1", part=2))
    told.think(LOOP * 2, part=4)
    assert told.rules() == []
    told.think(LOOP * 2, part=4)
    assert told.rules() == ["circles"]


def test_wholes_alone_are_judged():
    """A log without pieces is judged the same, part by part."""
    told = Replies()
    told.tell(Thought(text=LOOP * 4, message="m1", part=0))
    told.tell(Thought(text=LOOP * 4, message="m1", part=1))
    assert told.rules() == ["circles"]
    told.end()
    told.tell(Said(text=LOOP * 20, message="m2"))
    assert told.open()[0].level == "stop"


def test_a_late_whole_is_of_its_own_reply():
    """A whole that comes after its reply ended, or after the next began, begins none."""
    told = Replies()
    told.think(LOOP * 20)
    told.end()
    told.turn = 1
    told.tell(Thought(text=LOOP * 20, message="m1"))
    told.turn = 2
    told.think(varied(5))
    told.turn = 1
    told.tell(Thought(text=LOOP * 20, message="m1"))
    told.turn = 2
    told.think(varied(5, seed=2))
    view = told.detector.view()
    assert len(view.flags) == 1
    assert view.characters == len(LOOP) * 20 + len(varied(5)) + len(varied(5, seed=2))


def test_replies_without_ids():
    """Where messages have no id, a result or the end of a reply tells one from the next."""
    for between in (ReplyEnded(), ToolReturned(call="c")):
        told = Replies()
        for _ in range(2):
            told.tell(Thought(text=LOOP * 4, delta=True))
            told.tell(between)
        assert told.rules() == []
        told.tell(Thought(text=LOOP * 4, delta=True))
        told.tell(Thought(text=LOOP * 4, delta=True))
        assert told.rules() == ["circles"]


def test_actors_think_apart():
    """What two actors think at the same time is not mixed."""
    told = Replies()
    for at in range(0, len(LOOP) * 5, 20):
        for actor in ("", "helper"):
            told.tell(Thought(text=(LOOP * 5)[at : at + 20], delta=True, message=actor or "root", actor=actor))
    assert told.rules() == []
    told.tell(Thought(text=LOOP * 5, delta=True, message="helper", actor="helper"))
    (finding,) = told.open()
    assert (finding.actor, finding.key) == ("helper", "thinking:helper:circles")


def test_the_harness_own_notes_count():
    """A note that a reply was dropped for circling counts as a circling reply, marked as theirs."""
    told = Replies()
    told.note(NOTE)
    (flag,) = told.detector.view().flags
    assert (flag.rule, flag.theirs, flag.at_character, flag.of) == ("harness", True, 0, 0)
    assert told.open()[0].message == "The agent's own guard dropped a reply that went in circles"
    told.note(NOTE)
    assert told.detector.view().noted == 2
    assert told.open()[0].level == "stop"


def test_a_note_on_a_reply_that_was_flagged_counts_once():
    """The guard's note on a reply that was seen to circle marks that flag, and counts no second one."""
    told = Replies()
    told.think(LOOP * 20)
    told.note(NOTE)
    (flag,) = told.detector.view().flags
    assert (flag.rule, flag.theirs) == ("circles", True)
    assert told.open()[0].level == "warn"
    told.end()
    told.note(NOTE)
    assert told.open()[0].level == "stop"


@pytest.mark.parametrize("text", ["You made this exact call 3 times in this request", "Your last reply was empty.",
                                  "its replies went round in circles or ended without an answer, twice"])  # fmt: skip
def test_other_notes_say_nothing(text):
    """Notes on repeated calls, on empty replies, or on either of two things are not taken for circles."""
    told = Replies()
    told.note(text)
    assert told.detector.view().flags == ()


def test_synthetic_and_copied_text_is_not_judged():
    """What the harness put in the model's mouth, and what was copied from an older run, is not judged."""
    told = Replies()
    told.tell(Said(text=LOOP * 20, synthetic="api_error", message="m1"))
    told.tell(Said(text=LOOP * 20, copied=True, message="m1"))
    assert told.detector.view().said == 0


def test_settled_by_the_operator():
    """A settled finding stays settled for the request."""
    told = Replies()
    told.think(LOOP * 20)
    told.settle(told.open()[0].key)
    assert told.open() == []
    told.end()
    told.think(LOOP * 20)
    assert told.open() == []
    assert len(told.detector.view().flags) == 2


def test_rules_can_be_turned_off():
    """Either rule is off at 0, and other numbers move it."""
    told = Replies(circles=0)
    told.think(LOOP * 7)
    assert told.rules() == []
    told.think(LOOP * 2)
    assert told.rules() == ["cycle"]
    told = Replies(repeats=0)
    told.think("and on and on it goes " * 100)
    assert told.rules() == []
    told = Replies(circles=4, repeats=0)
    told.think(varied(16) + "This one is said four times, at least.\n" * 4)
    assert told.rules() == ["circles"]


def test_advice_fits():
    """Advice is addressed to the agent, under 1,200 characters, quotes what is repeated, fenced, and says what to do now."""
    told = Replies()
    told.think(("```" + "x" * 900 + " and so on.\n") * 30)
    advice = told.open()[0].advice
    assert len(advice) < 1_200
    assert advice.count("```") == 2
    assert "next tool call" in advice


def test_the_chart_is_bounded():
    """However long the run, the chart has at most 512 samples, and the peak stays in it."""
    told = Replies()
    told.think(LOOP * 10, size=5_000)
    told.end()
    for seed in range(20):
        told.think(varied(200, seed), size=5_000)
        told.end()
    view = told.detector.view()
    assert 256 <= len(view.history) <= 512
    assert max(view.history) == view.peak == 1.0
    assert view.history[-1] == 0.0


def test_state_is_bounded():
    """Memory of a reply, of actors and of flags does not grow with the run."""
    told = Replies()
    told.think(varied(20_000), size=50_000)
    sentences = told.detector._voices[""].thinking._sentences
    assert len(sentences._new) + len(sentences._old) <= 8_000
    told.end()
    told.think("x1y2" * 50_000, size=20_000)
    sentences = told.detector._voices[""].thinking._sentences
    assert sum(map(len, sentences._parts)) <= 65_536
    for number in range(80):
        told.tell(Thought(text=LOOP * 20, actor=f"a{number}", message=f"of {number}"))
    assert len(told.detector._voices) == 32
    assert "" in told.detector._voices
    assert len(told.detector.view().flags) == 50


def test_the_view_is_cached():
    """The view is the same object until something changes."""
    told = Replies()
    told.think(LOOP)
    view = told.detector.view()
    told.tell(ReplyEnded(message="m1"))
    assert told.detector.view() is view
    told.think(LOOP)
    assert view.characters == len(LOOP)
    assert told.detector.view() is not view


def test_a_recorded_loop_of_thinking(shared):
    """A model that thinks the same over and over, streamed by Claude Code and by lcode, is flagged."""
    detector = Thinking()
    blocks = 0
    for line in (shared / "captures/claude/p_rep.stream.jsonl").read_text().splitlines():
        record = json.loads(line)
        event = record.get("event", {}) if record["type"] == "stream_event" else {}
        delta = event.get("delta", {})
        text = delta.get("thinking") or delta.get("text")
        if event.get("type") == "message_start":
            blocks += 1
        if text:
            kind = Thought if delta.get("thinking") else Said
            detector.feed(kind(text=text, delta=True, message=f"m{blocks}", part=event["index"], turn=blocks))
    assert detector.view().flags
    detector = Thinking()
    for line in (shared / "captures/lcode/34-acp-circles/acp-wire.jsonl").read_text().splitlines():
        update = json.loads(line)["msg"].get("params", {}).get("update", {})
        if update.get("sessionUpdate") == "agent_thought_chunk":
            detector.feed(Thought(text=update["content"]["text"], delta=True, turn=1))
    assert [(flag.rule, flag.at_character) for flag in detector.view().flags] == [("cycle", 560)]
