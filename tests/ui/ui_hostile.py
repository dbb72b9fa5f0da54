"""A run in which every text is an attack."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
from ui_replay import SampleReplay, replayed
from ui_samples import SampleRows, SampleSource
from ui_scenes import SENT
from ui_trouble import trouble

from monitor.events import Coverage
from monitor.processes.plan import Plan, ProcessRow, Step

T = TypeVar("T")
ATTACK = (
    "[/foo] [INFO] list[int] [@click=app.quit]x[/] \x1b]0;owned\x07 \x1b]52;c;aGFjaw==\x07 \x1b[2J\x1b[31m "
    "\x9b31m \x9d0;owned\x9c \x7f \u202eevil\u202c \u200bzero \u2066iso\u2069 \ud800 \t tab\r\n日本 👩‍👩‍👧 end"
)
KEPT = {"state", "level", "kind", "outcome", "failure", "since_what", "detector", "by", "op", "sees", "lag", "how", "into",
        "source", "when", "what_op", "receipt", "cause", "rule", "where"}  # fmt: skip
"""Fields that hold one of our own words, never a foreign text."""


def spoiled(value: T, name: str = "") -> T:
    """The same value with the attack in every text it holds."""
    made: Any = value
    if isinstance(value, str):
        made = value if name in KEPT else f"{value[:12]} {ATTACK}"
    elif isinstance(value, tuple):
        made = tuple(spoiled(one, name) for one in value)
    elif isinstance(value, (dict, MappingProxyType)):
        made = MappingProxyType({key: spoiled(one, key) for key, one in value.items()})
    elif isinstance(value, msgspec.Struct):
        made = msgspec.structs.replace(value, **{n: spoiled(getattr(value, n), n) for n in value.__struct_fields__})
    elif is_dataclass(value) and not isinstance(value, type):
        made = type(value)(**{one.name: spoiled(getattr(value, one.name), one.name) for one in fields(value)})
    return made  # type: ignore[no-any-return]


def hostile() -> SampleSource:
    """The run in trouble, spoiled through and through."""
    source = trouble()
    snapshot = source.snapshot
    rows = SampleRows([spoiled(item) for item in source.rows.items])
    covered = {name: Coverage("partial", ATTACK) for name in ("failed_writes", "repeats", "tests")}
    return SampleSource(
        spoiled(
            type(snapshot)(
                **{
                    **{one.name: getattr(snapshot, one.name) for one in fields(snapshot)},
                    "sources": (ATTACK,),
                    "waiting": ATTACK,
                    "unreadable": 3,
                    "coverage": MappingProxyType(covered),
                    "actions": (SENT,),
                }
            )
        ),
        rows,
        cannot={"abort": f"channel closed {ATTACK}", "measure": f"folder gone {ATTACK}"},
        ends=Plan(tuple(ProcessRow(7, ATTACK, 1.0, depth, 7, 7, ATTACK) for depth in range(3)), (Step("ask", ATTACK),)),
        exported=f"/home/mara/{ATTACK}/report.md",
    )


def hostile_replay() -> SampleReplay:
    """The same as a replay that broke off."""
    made, source = hostile(), replayed()
    return SampleReplay(
        made.snapshot,
        made.rows,
        cannot={"settle": ATTACK},
        playback=source.playback,
        problem=f"broken {ATTACK}",
    )
