"""What is read of each agent and which actions reach it: the README's table, and what the doctor looks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monitor.actions import Verb


@dataclass(frozen=True, slots=True)
class Known:
    """One agent, or one format that several write."""

    agent: str
    """Its name in runs and lists."""
    name: str
    reads: str
    launched: tuple[Verb, ...] = ()
    """What reaches it when `monitor run` started it."""
    running: tuple[Verb, ...] = ()
    """What reaches it when somebody else started it, on this machine."""
    beside: str = ""
    """What makes more possible."""
    programs: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    """The packages its program comes in."""


_STOPS: tuple[Verb, ...] = ("abort", "pause")
_TALKS: tuple[Verb, ...] = ("abort", "pause", "warn", "feedback")
_ASKS: tuple[Verb, ...] = ("abort", "pause", "warn", "feedback", "allow", "deny")

AGENTS: Sequence[Known] = (
    Known(
        "claude", "Claude Code 2.1",
        "the session transcript with its sub-agents; `-p --output-format stream-json`, with or without partial messages",
        _ASKS, _STOPS, "with `monitor hooks install`: warn, feedback, and a gentler abort; in a tmux pane: feedback, and Escape",
        ("claude",), ("@anthropic-ai/claude-code",),
    ),
    Known(
        "dirtywork", "dirtywork 0.14", "the run folder: `run.json`, `transcript.jsonl`, `live_changes.json`",
        ("abort", "pause", "feedback"), ("abort", "pause", "feedback"), "feedback ends the run and resumes it",
        ("dirtywork",), ("dirtywork",),
    ),
    Known(
        "lcode", "lcode 0.51", "`-p --output stream-json`, `--output json`, the session file",
        _STOPS, _STOPS, "where it is certain which process works on the session; `lcode acp` can be told and answered",
        ("lcode",), ("lcode-cli",),
    ),
    Known(
        "acp", "any agent that speaks ACP (lcode, OpenCode, pi, Qwen Code …)", "a log of its Agent Client Protocol wire",
        _ASKS,
    ),
    Known(
        "native", "any program", "[monitor's own event format](#tell-your-own-agents-story), as a file or through a pipe",
        _TALKS, ("abort", "pause", "warn", "feedback"), "running: where it makes the socket that is named after its log",
    ),
    Known(
        "codex", "Codex 0.171",
        "the rollout file with those of its sub-agents; `exec --json`; the wire of an app-server, with the rollouts beside it",
        _ASKS, _STOPS, "a run of `codex exec`; in the server that Codex's windows share: abort, warn, feedback, allow, deny",
        ("codex",), ("@openai/codex",),
    ),
    Known(
        "opencode", "OpenCode 1.18",
        "a session over its server (`http://127.0.0.1:4096`) or in its database, with its sub-agents; `run --format json`, `export`, "
        "a saved `/event` or `/global/event`",
        _ASKS, _ASKS,
        "where its server has a port, or with `monitor hooks install --agent opencode`; if it is locked, you need the password; "
        "else it is only read",
        ("opencode",), ("opencode-ai", "opencode-linux", "opencode-darwin", "opencode-windows"),
    ),
    Known(
        "pi", "pi 0.7 and later", "the session file, also while it grows; `--mode json`, and a kept wire of `--mode rpc`",
        programs=("pi",),
    ),
    Known("mini-swe-agent", "mini-swe-agent 1 and 2", "the trajectory, finished or saved after each step"),
    Known("swe-agent", "SWE-agent 0.7 and 1", "the `.traj` file, finished or saved after each step"),
    Known(
        "openhands", "OpenHands 0 and 1",
        "the folder of a conversation, also while it grows; a saved list of events; "
        "of a benchmark's `output.jsonl` each line as a run: `output.jsonl:2`",
    ),
    Known("atif", "agents that Harbor ran", "the trajectory in its form (ATIF): Terminus 2, mini-swe-agent, and others"),
    Known(
        "aider", "Aider 0.5",
        "the chat history, each session as a run: the latest, or `.aider.chat.history.md:120` by a line of it",
        programs=("aider",),
    ),
    Known(
        "journal", "monitor",
        "its own journals: each run that is followed live is recorded under the user's state folder, for this user alone",
    ),
)  # fmt: skip
"""In the order of the README."""


def table() -> str:
    """All of them as a Markdown table, for the README."""
    rows = ["| agent | what is read | started by `monitor run` | already running |", "|---|---|---|---|"]
    for one in AGENTS:
        launched, running = (", ".join(verbs) or "only read" for verbs in (one.launched, one.running))
        more = f"; {one.beside}" if one.beside else ""
        rows.append(f"| {one.name} | {one.reads} | {launched} | {running}{more} |")
    return "\n".join(rows) + "\n"
