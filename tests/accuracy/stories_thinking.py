"""Thinking in circles, and long thinking that moves forward."""

from __future__ import annotations

from cases import case
from pen import Pen

LOOP = (
    "Let me try to find the page with the right address.\nMaybe there is another way to get the package here.\n"
    "No, a completely different approach with the path option.\n"
)


@case
def in_circles(run: Pen) -> None:
    run.think(LOOP * 14)
    run.read("a.py")
    run.now("thinking", "warn")
    run.think(LOOP.replace("page", "file") * 14)
    run.read("b.py")
    run.now("thinking", "stop")


@case
def the_same_words_without_a_full_stop(run: Pen) -> None:
    run.think("wait, the lock is taken by the other thread so I look at the lock again, " * 30)
    run.read("a.py")
    run.now("thinking", "warn")


@case
def with_a_counter(run: Pen) -> None:
    run.think(
        "".join(
            f"attempt {number}: the lock is taken by the other thread so look at the lock again, "
            for number in range(40)
        )
    )
    run.read("a.py")
    run.now("thinking", "warn")


@case
def in_chinese(run: Pen) -> None:
    run.think("让我再看一下这个文件里面的配置到底是什么样子的。也许应该换一种方法来安装这个软件包。" * 14)
    run.read("a.py")
    run.now("thinking", "warn")


@case
def two_hundred_steps_of_one_shape(run: Pen) -> None:
    names = ("parser", "lexer", "reader", "writer", "cache", "index", "router", "store", "queue", "timer")
    parts = ("settings", "errors", "limits", "names", "tests")
    steps = [
        f"Move the {part} of the {name} {number} into its own module."
        for number in range(4)
        for name in names
        for part in parts
    ]
    run.think("\n".join(steps))
    run.read("a.py")
    run.quiet("thinking")


@case
def a_long_design_that_moves_forward(run: Pen) -> None:
    subjects = ("The reader", "The writer", "A cache", "The index", "One thread", "The lock", "A record", "The journal")
    verbs = ("takes in", "keeps", "hands on", "sorts", "bounds", "cleans", "closes", "measures", "tells of")
    objects = (
        "each line",
        "what came before",
        "the open file",
        "a snapshot",
        "the last error",
        "every path",
        "its own state",
    )
    said = [
        f"{one} {two} {three} before step {n}.\n"
        for n, one in enumerate(subjects)
        for two in verbs
        for three in objects
    ]
    run.think("".join(said))
    run.read("a.py")
    run.quiet("thinking")


@case
def a_file_drafted_over_and_over(run: Pen) -> None:
    draft = "def area(width, height):\n    return width * height\n\ndef outline(width, height):\n    return 2 * (width + height)\n"
    drafts = [
        f"Draft {number}, with {what}:\n{draft}\ndef {what}(shape):\n    return shape.{what}\n"
        for number, what in enumerate(("depth", "angle", "weight"))
    ]
    run.think("\n".join(drafts))
    run.read("a.py")
    run.quiet("thinking")
