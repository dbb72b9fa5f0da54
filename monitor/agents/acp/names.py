"""What a call is named, and what kind of work it is: the protocol has a kind, and no name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from monitor.agents.fields import Object, part, raw
from monitor.agents.lcode import tools as lcode
from monitor.events import Kind

_KINDS: Mapping[str, Kind] = {
    "read": "read", "edit": "write", "delete": "write", "move": "write", "search": "search", "execute": "shell",
    "fetch": "fetch", "think": "plan", "switch_mode": "plan", "other": "other",
}  # fmt: skip
_BY_NAME: Mapping[str, Kind] = {
    "task": "delegate", "agent": "delegate", "subagent": "delegate",
    "todowrite": "plan", "todoread": "plan", "todo_write": "plan", "update_plan": "plan", "exit_plan_mode": "plan",
    "question": "ask", "ask_user": "ask", "ask_user_question": "ask",
}  # fmt: skip
"""Kinds that the protocol does not have, by what agents call such tools."""
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,63}")
_LCODE_TITLES = (
    ("Read ", "read_file"), ("List ", "list_dir"), ("Find ", "glob"), ("Search for ", "grep"), ("Edit ", "edit_file"),
    ("Write ", "write_file"), ("Search the web for ", "web_search"), ("Fetch ", "web_fetch"),
    ("Update the plan", "todo_write"), ("Plan: ", "present_plan"), ("Subagent: ", "agent"),
)  # fmt: skip
"""How the titles that lcode gives to its calls begin."""
_CALL = re.compile(r"([a-z_]+)\(")


def name_of(update: Object, agent: str) -> str:
    """The tool's name, as far as the record tells it; empty where it does not."""
    meta, title, given = part(update, "_meta"), raw(update, "title"), update.get("rawInput")
    if told := raw(meta, "toolName") or raw(part(meta, "claudeCode"), "toolName"):
        return told
    if agent == "lcode":
        return _lcode(title, given if isinstance(given, dict) else {})
    command = raw(given, "command") if isinstance(given, dict) else ""
    is_command = raw(update, "kind") == "execute" and (title == command or given is None)
    return title if _NAME.fullmatch(title) and not is_command else ""


def kind_of(update: Object, name: str, agent: str) -> Kind | None:
    """The kind of work; none where the record does not tell."""
    if agent == "lcode" and name:
        return lcode.KINDS.get(name, "other")
    if special := _BY_NAME.get(name.lower()):
        return special
    if told := _KINDS.get(raw(update, "kind")):
        return told
    content, given = update.get("content"), update.get("rawInput")
    if isinstance(content, list) and any(isinstance(one, dict) and one.get("type") == "diff" for one in content):
        return "write"
    return "shell" if isinstance(given, dict) and raw(given, "command") else None


def _lcode(title: str, arguments: Object) -> str:
    """The tool behind a title of lcode's: they are in words, and a shell command stands for itself."""
    if raw(arguments, "command").strip()[:200] == title and title:
        return "bash"
    for begin, name in _LCODE_TITLES:
        if title.startswith(begin):
            return name
    called = _CALL.match(title)
    return called[1] if called else title if _NAME.fullmatch(title) else ""
