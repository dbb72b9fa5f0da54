"""Small conversations of OpenHands 1, a file for each event, written anew."""

from __future__ import annotations

import json
from pathlib import Path

ID = "3fdb316098bb48e1aa029ce56805792a"


class Talk:
    """A conversation's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        (folder / "events").mkdir(parents=True)
        self.state("running")

    def state(self, status: str, **more) -> None:
        usage = {
            "accumulated_cost": 0.5,
            "accumulated_token_usage": {"model": "m", "prompt_tokens": 9, "completion_tokens": 2},
        }
        told = {
            "id": "3fdb3160-98bb-48e1-aa02-9ce56805792a",
            "agent": {"llm": {"model": "openai/m", "api_key": "k-secret"}},
            "workspace": {"working_dir": "/w", "kind": "LocalWorkspace"},
            "execution_status": status,
            "stats": {"usage_to_metrics": {"agent": usage}},
            "secret_registry": {"secret_sources": {"TOKEN": "t-secret"}},
        }
        (self.folder / "base_state.json").write_text(json.dumps(told | more))

    def add(self, kind: str, source: str = "agent", **fields) -> str:
        name = f"{self.number:08d}-1111-4222-8333-444444444444"
        about = {"id": name, "timestamp": f"2026-01-01T00:00:{self.number:02d}.5", "source": source, "kind": kind}
        (self.folder / "events" / f"event-{self.number:05d}-{name}.json").write_text(json.dumps(about | fields))
        self.number += 1
        return name

    def said(self, text: str, source: str = "user") -> str:
        content = [{"type": "text", "text": text}]
        return self.add("MessageEvent", source, llm_message={"role": source, "content": content})

    def did(self, tool: str, action: dict | None, reply: str = "r1", thought: str = "Now.", **more) -> str:
        call = f"call_{self.number}"
        asked = {"id": call, "name": tool, "arguments": json.dumps(more.pop("arguments", {}))}
        words = [{"type": "text", "text": thought}]
        about = {
            "tool_name": tool,
            "tool_call_id": call,
            "tool_call": asked,
            "llm_response_id": reply,
            "thought": words,
        }
        self.add("ActionEvent", action=action, **about, **more)
        return call

    def saw(self, call: str, tool: str, text: str, **seen) -> str:
        told = {"content": [{"type": "text", "text": text}], "is_error": False} | seen
        return self.add(
            "ObservationEvent", "environment", tool_name=tool, tool_call_id=call, observation=told, action_id="a"
        )

    def edited(self, text: str, *, wrong: bool = False, old: str = "x") -> str:
        action = {
            "command": "str_replace",
            "path": "/w/a.py",
            "old_str": old,
            "new_str": "y",
            "kind": "FileEditorAction",
        }
        call = self.did("file_editor", action)
        more = {"command": "str_replace", "path": "/w/a.py", "kind": "FileEditorObservation", "is_error": wrong}
        self.saw(call, "file_editor", text, **more)
        return call

    def ran(self, command: str, text: str = "", code: int = 0, **more) -> str:
        call = self.did("terminal", {"command": command, "is_input": False, "kind": "TerminalAction"} | more)
        metadata = {"exit_code": code, "working_dir": "/w"}
        self.saw(
            call, "terminal", text, kind="TerminalObservation", exit_code=code, metadata=metadata, timeout=code == -1
        )
        return call


_EDIT = {"command": "str_replace", "path": "/w/a.py", "old_str": "x", "new_str": "y", "kind": "FileEditorAction"}
_FAILED = {"type": "text", "text": "No replacement was performed, old_str `x` did not appear verbatim in /w/a.py."}
CONVERSATION = [
    json.dumps(line).encode()
    for line in (
        {"begins": {"id": "c", "model": "m", "folder": "/w"}},
        {"kind": "MessageEvent", "source": "user", "llm_message": {"content": [{"type": "text", "text": "Mend it"}]}},
        {
            "kind": "ActionEvent", "id": "1", "tool_name": "file_editor", "tool_call_id": "c1", "action": _EDIT,
            "thought": [{"type": "text", "text": "Now."}], "thinking_blocks": [{"thinking": "Hm"}], "llm_response_id": "r",
        },
        {
            "kind": "ObservationEvent", "tool_call_id": "c1", "action_id": "1",
            "observation": {"content": [_FAILED], "is_error": True, "kind": "FileEditorObservation", "command": "str_replace"},
        },
        {"kind": "ConversationErrorEvent", "code": "MaxIterationsReached", "detail": "no more"},
        {"state": {"status": "stuck", "usage": [{"cost": 0.5, "tokens": {"prompt_tokens": 9}}]}},
    )
]  # fmt: skip
"""The lines of a short one, as they are given to the decoder."""
