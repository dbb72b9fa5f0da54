"""Replies without an answer, and waits that take too long."""

from __future__ import annotations

from cases import case
from pen import Call, Pen

MINUTE = 60.0


@case
def empty_replies(run: Pen) -> None:
    run.read("a.py")
    run.lost()
    run.now("replies", "note")
    run.read("b.py")
    run.clear("replies")
    run.lost()
    run.now("replies", "warn")
    run.read("c.py")
    run.clear("replies")


@case
def three_empty_replies_in_a_row(run: Pen) -> None:
    run.read("a.py")
    for _ in range(2):
        run.lost()
    run.now("replies", "warn")
    run.lost()
    run.now("replies", "stop")


@case
def six_replies_cut_off(run: Pen) -> None:
    run.read("a.py")
    for _ in range(5):
        run.cut()
    run.cut()
    run.now("replies", "stop")


@case
def cut_off_four_times_and_recovered(run: Pen) -> None:
    for _ in range(4):
        run.cut()
    run.still("replies", "warn")
    run.read("a.py")
    run.claim()
    run.clear("replies")


@case
def a_cut_answer_is_an_answer(run: Pen) -> None:
    run.read("a.py")
    run.cut("The build is broken because the header is missing, and the")
    run.quiet("replies")


@case
def a_call_that_waits_for_a_person(run: Pen) -> None:
    run.asks("make all")
    run.wait(40 * MINUTE)
    run.allowed("made")
    run.quiet("stalls")


@case
def a_silent_model(run: Pen) -> None:
    run.read("a.py")
    run.wait(31 * MINUTE)
    run.read("b.py")
    run.said("stalls", "warn")
    run.clear("stalls")


@case
def a_model_that_takes_its_time(run: Pen) -> None:
    run.read("a.py")
    run.wait(1.5 * MINUTE)
    run.read("b.py")
    run.quiet("stalls")


@case
def a_call_without_a_result(run: Pen) -> None:
    run.begun(Call("shell", command="make all"))
    run.wait(11 * MINUTE)
    run.finished("made")
    run.said("stalls", "note", "make all")
    run.clear("stalls")
