"""The two ways in which the real Codex starts sub-agents, and what its configuration wants for each."""

from __future__ import annotations

WAYS = {
    "v1": ("multi_agent_v1", "[agents]\nmax_depth = 3"),
    "v2": ("collaboration", "[features]\nmulti_agent_v2 = true"),
}


def spawns(way, words, *, forks=False, name="fixer"):
    """The call that starts a sub-agent."""
    if way == "v2":
        more = {"task_name": name, "fork_turns": "all" if forks else "none"}
    else:
        more = {"fork_context": True} if forks else {}
    return f"{WAYS[way][0]}/spawn_agent", {"message": words, **more}
