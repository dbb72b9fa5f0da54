from __future__ import annotations

import json
import random

import pytest
from msgspec.structs import replace
from reply_story import LOOP, Replies, varied

from monitor.detectors.thinking import Thinking
from monitor.events import Noticed, ReplyEnded, Said, Thought


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


def test_a_copy_shares_no_text_of_an_actor_let_go():
    """A text of an actor that is no longer remembered is judged in each copy by itself, and in what it was copied from."""
    chance = random.Random(1)
    told = [
        Thought(actor="kid0", text=f"{chance.getrandbits(100):x} {chance.getrandbits(100):x}.\n", delta=True)
        for _ in range(40)
    ]
    others = [Noticed(actor=f"kid{number}", kind="guard", name="circles", text="in circles") for number in range(1, 33)]
    events = [replace(event, seq=seq, request=1, turn=1) for seq, event in enumerate([*told, *others])]
    for before in range(20, 40):
        first = Thinking()
        for event in (*events[:before], *events[40:]):
            first.feed(event)
        copies = first.copy(), first.copy()
        histories = [one.view().history for one in (*copies, first)]
        assert histories == [histories[0]] * 3
