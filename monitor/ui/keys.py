"""Every key: the one list that makes bindings, footer, help, palette and the table of the README."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from textual.binding import Binding

from monitor.actions import Verb

Group = Literal["Run", "Findings", "Move", "Screen"]


@dataclass(frozen=True, slots=True)
class Key:
    """What a key does."""

    id: str
    """Names the action: `go_<id>` of the screen does it; users rebind by it."""
    keys: tuple[str, ...]
    """Textual's names of the keys."""
    shown: str
    """The keys as a person reads them."""
    label: str
    """One or two words for the footer."""
    help: str
    """One sentence."""
    group: Group
    verb: Verb | None = None
    """What the source must be able to do."""
    foot: bool = True
    """Stands in the footer."""
    palette: bool = True
    """Stands in the palette."""


KEYS: Final = (
    Key("abort", ("A",), "A", "abort", "End the run; asks first, and names it.", "Run", "abort"),
    Key("warn", ("w",), "w", "warn", "Send the selected finding's advice to the agent.", "Run", "warn"),
    Key("feedback", ("f",), "f", "feedback", "Tell the agent something in your own words.", "Run", "feedback"),
    Key("pause", ("P",), "P", "pause", "Pause the agent's process; again lets it continue.", "Run", "pause"),
    Key("allow", ("y",), "y", "allow", "Allow the call that waits for approval.", "Run", "allow", foot=False),
    Key("deny", ("N",), "N", "deny", "Deny the call that waits for approval.", "Run", "deny", foot=False),
    Key("measure", ("m",), "m", "measure", "Measure the project folder now.", "Run", "measure"),
    Key("next", ("n",), "n", "next finding", "Go to the next open finding, the most pressing first.", "Findings"),
    Key("previous", ("p",), "p", "previous finding", "Go to the open finding before.", "Findings", foot=False),
    Key("settle", ("x",), "x", "settle", "Settle the selected finding; asks for the reason.", "Findings", "settle"),
    Key("open", ("enter",), "enter", "open", "Panel: go to the event that proves it. Timeline: open the detail.",
        "Move", foot=False, palette=False),
    Key("back", ("escape",), "escape", "back", "Close what is open, and go back to the timeline.",
        "Move", foot=False, palette=False),
    Key("region", ("tab",), "tab", "next region", "The next region: timeline, detail, panels.",
        "Move", foot=False, palette=False),
    Key("region_back", ("shift+tab",), "shift+tab", "region before", "The region before.",
        "Move", foot=False, palette=False),
    Key("up", ("up", "k"), "up, k", "up", "One up in the region.", "Move", foot=False, palette=False),
    Key("down", ("down", "j"), "down, j", "down", "One down in the region.", "Move", foot=False, palette=False),
    Key("page_up", ("pageup", "ctrl+b"), "pageup, ctrl+b", "page up", "A page up.",
        "Move", foot=False, palette=False),
    Key("page_down", ("pagedown", "ctrl+f"), "pagedown, ctrl+f", "page down", "A page down.",
        "Move", foot=False, palette=False),
    Key("first", ("g", "home"), "g, home", "first", "The first row.", "Move", foot=False),
    Key("last", ("G", "end"), "G, end", "follow", "The last row, and follow what comes.", "Move", foot=False),
    Key("hold", ("space",), "space", "hold", "Hold the view still; the run goes on. Again lets it follow.", "Screen"),
    Key("theme", ("t",), "t", "theme", "The next of our themes; the palette has all of them.", "Screen"),
    Key("help", ("question_mark",), "?", "help", "Keys, panels and verdicts, explained.", "Screen"),
    Key("palette", ("ctrl+p",), "ctrl+p", "palette", "Every command by name.", "Screen", foot=False, palette=False),
    Key("quit", ("q",), "q", "quit", "Quit the monitor; the agent goes on.", "Screen"),
)  # fmt: skip
BY_ID: Final = {key.id: key for key in KEYS}
LAST: Final = ("help", "quit")
"""Keys that stay in the footer in any width."""
GROUPS: Final[tuple[Group, ...]] = ("Run", "Findings", "Move", "Screen")


def bindings() -> list[Binding]:
    """The bindings of the run's screen; their ids are what a user's keymap names."""
    return [
        Binding(",".join(key.keys), f"go('{key.id}')", key.label, id=key.id, show=False, tooltip=key.help)
        for key in KEYS
    ]


def table() -> str:
    """All keys as a Markdown table, for the README."""
    rows = ["| key | does |", "|---|---|"]
    rows += [f"| {', '.join(f'`{one.strip()}`' for one in key.shown.split(','))} | {key.help} |" for key in KEYS]
    return "\n".join(rows) + "\n"
