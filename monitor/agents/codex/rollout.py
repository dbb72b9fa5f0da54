"""Decodes the lines of a rollout file: what the model was sent and sent back, and what Codex says of it."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.codex import delegating, items, started
from monitor.agents.codex.family import About, Family
from monitor.agents.codex.lineage import lineage
from monitor.agents.codex.outcome import returned
from monitor.agents.codex.prompts import Prompts
from monitor.agents.codex.replies import Replies
from monitor.agents.codex.tools import called, command_of, ran
from monitor.agents.codex.turns import Turns
from monitor.agents.codex.usage import Usage
from monitor.agents.fields import Object, count_type, moment, part, parts, raw, stamped, text
from monitor.events import Event, FileOutcome, Noticed, Prompted, ReplyEnded, Said, Thought, ToolCalled
from monitor.streams.record import Record
from monitor.text import clean

_END = 90
"""The item of a reply's end."""
_SEEN = 1_000
"""Ids of calls that are remembered."""
_OPEN = 200
"""Calls without a result that are remembered."""
_SILENT = frozenset({
    "turn_context", "world_state", "inter_agent_communication", "inter_agent_communication_metadata",
})  # fmt: skip
_QUIET = frozenset({"ghost_snapshot", "additional_tools", "other", "compaction_trigger", "context_compaction"})


class Rollout:
    """The events of one thread of a family, as they come; of a sub-agent, those of its actor."""

    def __init__(
        self, unknown: dict[str, int], family: Family, prompts: Prompts | None = None, actor: str = "", name: str = "r"
    ) -> None:
        self._unknown = unknown
        self._family = family
        self._actor = actor
        self._told_too = prompts
        """What its wire tells too, where that is read."""
        self._replies = Replies(name)
        self._turns = Turns()
        self._usage = Usage()
        self._open: dict[str, ToolCalled] = {}
        self._seen: dict[str, None] = {}
        """The ids of calls, with those that have their results."""
        self._script = ""
        """The call of code mode that runs."""
        self._made: tuple[FileOutcome, ...] = ()
        """The files that were changed since the latest call."""
        self._model = ""

    def feed(self, found: Object, record: Record) -> list[Event]:
        """The events of one line."""
        payload, kind = part(found, "payload"), raw(found, "type")
        return stamped(_items(self._told(kind, payload)), record, moment(found.get("timestamp")))

    def copy(self, unknown: dict[str, int], family: Family, prompts: Prompts | None = None) -> Rollout:
        """Another that goes on from here."""
        other = Rollout(unknown, family, prompts, self._actor)
        other._replies, other._turns, other._usage = self._replies.copy(), self._turns.copy(), self._usage.copy()
        other._open, other._script, other._made = dict(self._open), self._script, self._made
        other._model, other._seen = self._model, dict(self._seen)
        return other

    def _told(self, kind: str, payload: Object) -> Sequence[Event]:
        match kind:
            case "session_meta":
                return self._begun(payload)
            case "turn_context":
                return self._context(payload)
            case "response_item":
                return self._item(payload)
            case "event_msg":
                return self._message(payload)
            case "token_usage_record":
                return self._replies.close()
            case "compacted":
                return (Noticed(kind="compaction", name=kind, text=text(payload, "message")),)
        if kind not in _SILENT:
            count_type(self._unknown, kind)
        return ()

    def _begun(self, payload: Object) -> Sequence[Event]:
        told = lineage(payload)
        self._usage.begun(forked=told.forked)
        if not self._actor:
            self._family.root = told.thread
            return (started.begun(payload),)
        about = About(clean(told.name), cwd=text(payload, "cwd"), version=text(payload, "cli_version"))
        begun = self._family.begun(self._actor, told.parent, about=about)
        return (begun,) if begun is not None else ()

    def _context(self, payload: Object) -> Sequence[Event]:
        model = raw(payload, "model")
        if not model or model == self._model:
            return ()
        self._model = model
        return (started.model(payload),)

    def _item(self, payload: Object) -> Sequence[Event]:
        """One item of the conversation with the model."""
        kind = raw(payload, "type")
        match kind:
            case "message":
                return self._spoken(payload)
            case "reasoning":
                words = "\n".join(texts_of(payload, "content") or texts_of(payload, "summary"))
                message, place = self._replies.open(), self._replies.part()
                return (Thought(message=message, part=place, text=words),) if words.strip() else ()
            case "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call" | "tool_search_call":
                return self._called(kind, payload)
            case "function_call_output" | "custom_tool_call_output" | "tool_search_output":
                return self._returned(payload)
            case "agent_message":
                return (delegating.message(payload),)
        if kind not in _QUIET:
            count_type(self._unknown, f"response_item {kind}")
        return ()

    def _spoken(self, payload: Object) -> Sequence[Event]:
        role, words = raw(payload, "role"), "\n".join(texts_of(payload, "content"))
        if role == "assistant":
            message, place = self._replies.open(says=bool(words.strip())), self._replies.part()
            return (Said(message=message, part=place, text=words),) if words.strip() else ()
        kinds = part(payload, "internal_chat_message_metadata_passthrough").get("content_item_kinds")
        if isinstance(kinds, list) and "hooks.additional_context" in kinds:
            return (Prompted(text=words, by="hook", into="running"),)
        return ()

    def _called(self, kind: str, payload: Object) -> Sequence[Event]:
        message = self._replies.open(calls=True)
        call = raw(payload, "call_id") or raw(payload, "id")
        match kind:
            case "local_shell_call":
                bare = ToolCalled(call=clean(call), message=message, tool="local_shell")
                made = ran(bare, command_of(part(payload, "action")))
            case "web_search_call" | "tool_search_call":
                made = called("web_search", str(part(payload, "action") or ""), call, message)
            case _:
                made = called(raw(payload, "name"), raw(payload, "arguments") or raw(payload, "input"), call, message)
        self._remember(call, made)
        self._made = ()
        self._script = call if made.tool == "exec" else self._script
        return (made,)

    def _returned(self, payload: Object) -> Sequence[Event]:
        self._replies.answered()
        call = raw(payload, "call_id")
        made = self._open.pop(call, None) or ToolCalled(call=clean(call))
        result = returned(made, payload.get("output"), self._made)
        self._made = ()
        self._script = "" if call == self._script else self._script
        return (result,)

    def _message(self, payload: Object) -> Sequence[Event]:
        """What Codex says of the turn, and of what it did itself."""
        kind = raw(payload, "type")
        match kind:
            case "item_completed":
                return self._done(part(payload, "item"))
            case "token_count":
                used = self._usage.told(part(payload, "info"), replied=self._replies.begun)
                return (used,) if used is not None else ()
            case "task_complete" | "turn_complete" | "turn_aborted":
                ended = [*self._replies.close(), *self._turns.ended(kind, payload)]
                return delegating.over(ended) if self._actor else ended
        told = self._turns.feed(kind, payload)
        if kind == "user_message":
            return self._first(told or ())
        if told is None:
            count_type(self._unknown, f"event_msg {kind}")
        return told or ()

    def _done(self, item: Object) -> Sequence[Event]:
        """Something Codex did: a command or a change of code mode shows only here."""
        match raw(item, "type"):
            case "UserMessage":
                return self._first(self._turns.prompted("\n".join(texts_of(item, "content"))))
            case "HookPrompt":
                words = "\n".join(text(one, "text") for one in parts(item, "fragments"))
                return (Prompted(text=words, by="hook", into="running"),)
            case "CommandExecution" if raw(item, "id") not in self._seen:
                return items.command(item, self._replies.message)
            case "FileChange":
                return self._changed(item)
        started = delegating.started(item, self._actor or self._family.root, self._family)
        return [*started, *delegating.ended(item, self._family)]

    def _first(self, told: Sequence[Event]) -> Sequence[Event]:
        """The prompts that the wire has not told before."""
        known = self._told_too
        return [
            one for one in told if known is None or not isinstance(one, Prompted) or known.first("rollout", one.text)
        ]

    def _changed(self, item: Object) -> Sequence[Event]:
        files = items.files(item)
        owner = self._open.get(raw(item, "id")) or self._open.get(self._script)
        if owner is not None and owner.kind == "write":
            self._made = (*self._made, *files)
            return ()
        return items.change(item, files, self._replies.message)

    def _remember(self, call: str, made: ToolCalled) -> None:
        self._open[call], self._seen[call] = made, None
        if len(self._open) > _OPEN:
            del self._open[next(iter(self._open))]
        if len(self._seen) > _SEEN:
            del self._seen[next(iter(self._seen))]


def _items(events: Sequence[Event]) -> list[tuple[int, Event]]:
    """Each event with its item: what depends on the lines before moves no other."""
    own = [event for event in events if not isinstance(event, ReplyEnded)]
    order = {id(event): item for item, event in enumerate(own)}
    return [(order.get(id(event), _END), event) for event in events]


def texts_of(found: Object, key: str) -> list[str]:
    """The texts of an item's content."""
    return [text(one, "text") for one in parts(found, key)]
