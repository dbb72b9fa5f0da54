"""Answers Claude Code's questions whether a call may be made."""

from __future__ import annotations

import json

from monitor.actions import Action, Verb
from monitor.agents.fields import Object, part, raw
from monitor.channels.messages import Messages
from monitor.channels.receipts import Receipts
from monitor.text import clean

_MOST = 200
"""Questions that are remembered: a run asks one at a time for each of its sub-agents."""
_DENIED = "The operator denied this call."


class Permissions:
    """What it has asked and nobody has answered, in order, by the call's id."""

    def __init__(self, messages: Messages, receipts: Receipts) -> None:
        self._messages = messages
        self._receipts = receipts
        self._asked: dict[str, Object] = {}
        self._answers: dict[str, str] = {}
        """By call, the action that answered it."""

    @property
    def asked(self) -> bool:
        """Whether results are waited for."""
        return bool(self._asked or self._answers)

    def why_not(self, verb: Verb) -> str:
        """Empty while something is asked: it can be answered either way."""
        del verb
        return "" if self._asked else "nothing waits for approval"

    def hear(self, found: Object) -> None:
        """A question, or one that is taken back."""
        if raw(found, "type") == "control_cancel_request":
            name = raw(found, "request_id")
            self._asked = {call: asked for call, asked in self._asked.items() if raw(asked, "request_id") != name}
            return
        request = part(found, "request")
        if raw(request, "subtype") == "can_use_tool" and len(self._asked) < _MOST:
            self._asked[clean(raw(request, "tool_use_id")) or raw(found, "request_id")] = found

    def answer(self, action: Action) -> None:
        """Allow or deny the call that the action names; where it names none, the first that waits."""
        call = action.subject or next(iter(self._asked), "")
        if call not in self._asked:
            self._receipts.refuse(action, "this call no longer waits for approval")
            return
        asked = self._asked.pop(call)
        reason = clean(action.text) or _DENIED
        allowed = {"behavior": "allow", "updatedInput": part(part(asked, "request"), "input")}
        answer = allowed if action.verb == "allow" else {"behavior": "deny", "message": reason, "interrupt": False}
        response = {"subtype": "success", "request_id": raw(asked, "request_id"), "response": answer}
        self._receipts.begin(action)
        self._messages.say(action, "", json.dumps({"type": "control_response", "response": response}))
        self._answers[call] = action.id

    def returned(self, found: Object) -> None:
        """Results of calls: what was answered, here or elsewhere, is no longer asked."""
        content = part(found, "message").get("content")
        for block in content if isinstance(content, list) else ():
            call = clean(raw(block, "tool_use_id")) if isinstance(block, dict) else ""
            self._asked.pop(call, None)
            if call in self._answers:
                self._receipts.tell(self._answers.pop(call), "done", "the call's result has come back")
