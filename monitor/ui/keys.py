"""Every key: the one list that makes bindings, footer, help, palette and the table of the README."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from textual.binding import Binding

from monitor.actions import Verb

Group = Literal["Run", "Findings", "Replay", "Move", "Overview", "Screen"]
Where = Literal["run", "overview"]
"""The screen of one run, or that of all runs."""
Foot = Literal["", "both", "live", "replay"]
"""Which footer a key stands in: none, both, that of a run, or that of a replay."""


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
    foot: Foot = "both"
    palette: bool = True
    """Stands in the palette."""
    where: Where = "run"
    """The screen it belongs to; those of `SHARED` belong to both."""
    sign: str = ""
    """Stands in the footer for this key and its counterpart; the key itself where it is empty."""

    def on(self, where: Where) -> bool:
        """Whether it does something on that screen."""
        return self.where == where or self.id in SHARED

    @property
    def first(self) -> str:
        """The first of its keys, as a person reads it."""
        return self.shown.split(", ")[0]


KEYS: Final = (
    Key("abort", ("A",), "A", "abort", "End the run; asks first, and names it.", "Run", "abort"),
    Key("warn", ("w",), "w", "warn", "Send the selected finding's advice to the agent.", "Run", "warn", foot="live"),
    Key("feedback", ("f",), "f", "feedback", "Tell the agent something in your own words.", "Run", "feedback", foot="live"),
    Key("pause", ("P",), "P", "pause", "Pause the agent's process; again lets it continue.", "Run", "pause", foot="live"),
    Key("allow", ("y",), "y", "allow", "Allow the call that waits for approval.", "Run", "allow", foot=""),
    Key("deny", ("N",), "N", "deny", "Deny the call that waits for approval.", "Run", "deny", foot=""),
    Key("terminal", ("T",), "T", "its terminal",
        "Go to the tmux pane in which the agent runs; outside tmux, copy the command that shows it.", "Run", foot=""),
    Key("measure", ("m",), "m", "measure", "Measure the project folder now.", "Run", "measure", foot="live"),
    Key("diff", ("d",), "d", "diff",
        "What differs in the project folder: in the selected file, since the start, since the prompt.", "Run", foot="live"),
    Key("export", ("e",), "e", "export", "Write the run's summary, and say where.", "Run"),
    Key("next", ("n",), "n", "next finding",
        "Go to the next open finding, the most pressing first; in a replay to the next one's moment.", "Findings"),
    Key("previous", ("p",), "p", "previous finding", "Go to the open finding before; in a replay to its moment.",
        "Findings", foot=""),
    Key("settle", ("x",), "x", "settle", "Settle the selected finding; asks for the reason.", "Findings", "settle",
        foot="live"),
    Key("step", ("right",), "right", "step", "One event on.", "Replay", foot="replay", sign="←→"),
    Key("step_back", ("left",), "left", "step back", "One event back.", "Replay", foot=""),
    Key("turn", ("shift+right",), "shift+right", "next turn", "To the beginning of the next turn.", "Replay", foot=""),
    Key("turn_back", ("shift+left",), "shift+left", "turn before", "To the beginning of the turn, or of the one before.",
        "Replay", foot=""),
    Key("faster", ("right_square_bracket",), "]", "speed", "Faster: up to 64 times, then as fast as it goes.",
        "Replay", foot="replay", sign="[]"),
    Key("slower", ("left_square_bracket",), "[", "slower", "Slower: down to a quarter of the log's own pace.",
        "Replay", foot=""),
    Key("filter", ("slash",), "/", "filter",
        "Show only some rows: words, kind:write, file:name, site:host, failed, in any combination; -kind:said or -word leaves out.", "Move"),
    Key("open", ("enter",), "enter", "open", "Panel: go to the event that proves it. Timeline: open the detail.",
        "Move", foot="", palette=False),
    Key("back", ("escape",), "escape", "back", "Close what is open, clear the filter, go back to the timeline; from the overview to the run.",
        "Move", foot="", palette=False),
    Key("region", ("tab",), "tab", "next region", "The next region: timeline, detail, panels.",
        "Move", foot="", palette=False),
    Key("region_back", ("shift+tab",), "shift+tab", "region before", "The region before.",
        "Move", foot="", palette=False),
    Key("up", ("up", "k"), "up, k", "up", "One up in the region.", "Move", foot="", palette=False),
    Key("down", ("down", "j"), "down, j", "down", "One down in the region.", "Move", foot="", palette=False),
    Key("page_up", ("pageup", "ctrl+b"), "pageup, ctrl+b", "page up", "A page up.",
        "Move", foot="", palette=False),
    Key("page_down", ("pagedown", "ctrl+f"), "pagedown, ctrl+f", "page down", "A page down.",
        "Move", foot="", palette=False),
    Key("first", ("g", "home"), "g, home", "first", "The first row; in a replay the first moment.",
        "Move", foot="replay"),
    Key("last", ("G", "end"), "G, end", "follow", "The last row, and follow what comes; in a replay the last moment.",
        "Move", foot="replay"),
    Key("overview", ("o",), "o", "overview", "All runs on this machine, those that need you first.", "Overview"),
    Key("enter", ("enter",), "enter", "open", "Overview: attach to the run, and show it.", "Overview", where="overview",
        palette=False),
    Key("needs", ("tab",), "tab", "next that needs you",
        "Overview: the next run that waits, is stopped by a finding, or has ended with a verdict.", "Overview",
        where="overview"),
    Key("needs_back", ("shift+tab",), "shift+tab", "the one before", "Overview: the run before that needs you.",
        "Overview", where="overview", foot="", palette=False),
    Key("sort", ("s",), "s", "sort", "Overview: by need, by the time of the last word, or by cost.", "Overview",
        where="overview"),
    Key("projects", ("b",), "b", "by project", "Overview: group the runs by project, or not.", "Overview",
        where="overview"),
    Key("hold", ("space",), "space", "hold",
        "Hold the view still; the run goes on. Again lets it follow. In a replay: play and pause.", "Screen"),
    Key("theme", ("t",), "t", "theme", "The next of our themes and yours; the palette has all of them.", "Screen",
        foot="live"),
    Key("help", ("question_mark",), "?", "help", "Keys, panels and verdicts, explained.", "Screen"),
    Key("palette", ("ctrl+p",), "ctrl+p", "palette", "Every command by name.", "Screen", foot="", palette=False),
    Key("quit", ("q",), "q", "quit", "Quit the monitor; the agent goes on.", "Screen"),
)  # fmt: skip
BY_ID: Final = {key.id: key for key in KEYS}
LAST: Final = ("help", "quit")
"""Keys that stay in the footer in any width."""
GROUPS: Final[tuple[Group, ...]] = ("Run", "Findings", "Replay", "Move", "Overview", "Screen")
SHARED: Final = frozenset({
    "abort", "warn", "feedback", "pause", "allow", "deny", "terminal", "measure", "export", "filter", "back", "up",
    "down", "page_up", "page_down", "first", "last", "theme", "help", "palette", "quit",
})  # fmt: skip
"""Keys of both screens: on the overview they act on the run that is chosen there."""


def bindings(where: Where = "run") -> list[Binding]:
    """The bindings of a screen; their ids are what a user's keymap names."""
    return [
        Binding(",".join(key.keys), f"go('{key.id}')", key.label, id=key.id, show=False, tooltip=key.help)
        for key in KEYS
        if key.on(where)
    ]


def table() -> str:
    """All keys as a Markdown table, for the README; the middle column is the name by which a key is rebound."""
    rows = ["| key | name | does |", "|---|---|---|"]
    for key in KEYS:
        shown = ", ".join(f"`{one}`" for one in key.shown.split(", "))
        rows.append(f"| {shown} | {key.id} | {key.help} |")
    return "\n".join(rows) + "\n"
