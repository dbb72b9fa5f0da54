"""Follows what was left in a mailbox: from the box to the hook, and to the evidence that it arrived."""

from __future__ import annotations

from monitor.actions import Action
from monitor.channels.receipts import Receipt, Receipts
from monitor.hooks.mailbox import Kind, Letter, Mailbox

_EXPIRED = "no hook took it within an hour"
_NEW_PROMPT = "the request was over before its hook was called, and a new prompt began another"


class Letters:
    """What is under way, by action."""

    def __init__(self, receipts: Receipts) -> None:
        self._receipts = receipts
        self._open: dict[str, Letter] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    def resume(self, box: Mailbox) -> None:
        """What an earlier monitor left."""
        for letter in box.letters():
            self._receipts.begin(letter.action, "left by an earlier monitor", {"queued": letter.left})
            self._open[letter.action.id] = letter

    def leave(self, box: Mailbox, kind: Kind, action: Action, text: str, call: str = "") -> None:
        """Put a letter in; the action must have been begun."""
        try:
            name = box.leave(kind, action, text, call)
        except OSError as error:
            self._receipts.tell(action.id, "failed", f"the mailbox cannot be written: {error.strerror}")
            return
        self._open[action.id] = Letter(name, kind, "", action, text)

    def say(self, action: Action, text: str, evidence: str) -> None:
        """What was said to the hook without a letter."""
        self._receipts.tell(action.id, "delivered", evidence)
        self._open[action.id] = Letter("", "words", "Stop", action, text)

    def take_back(self, box: Mailbox, kind: Kind, why: str) -> None:
        """Take back what has not been taken."""
        for name, letter in list(self._open.items()):
            if letter.kind == kind and not letter.event and box.withdraw(letter.name):
                self._over(name, "failed", why)

    def follow(self, box: Mailbox) -> None:
        """What the hook has taken since."""
        for letter in box.letters():
            known = self._open.get(letter.action.id)
            if known is None or not letter.event or (known.event and known.name):
                continue
            self._open[letter.action.id] = letter
            self._taken(letter)
            if letter.kind != "end":
                box.clear(letter)

    def hear(self, told: str) -> None:
        """What the agent's own record says that hooks have told it."""
        for name, letter in list(self._open.items()):
            if told and letter.text.strip() in told:
                self._receipts.tell(name, "seen", "stands in the agent's own record")
                if letter.kind != "words":
                    ended = letter.kind == "end"
                    self._over(name, "done", "the run has ended" if ended else "the call was refused")

    def request_over(self) -> None:
        """The agent has stopped working on its request."""
        for name in [one for one in self._open if self._receipts.receipt(one) == "seen"]:
            self._over(name, "done", "the request that took it up is over")

    def lose(self, why: str) -> None:
        """Nothing more will be taken."""
        for name in list(self._open):
            self._over(name, "failed", why)

    def _taken(self, letter: Letter) -> None:
        name = letter.action.id
        if letter.event == "expired":
            self._over(name, "failed", _EXPIRED)
        elif letter.kind == "end" and letter.event == "UserPromptSubmit":
            self._over(name, "failed", _NEW_PROMPT)
        elif letter.kind == "end" and letter.event == "Stop":
            self._over(name, "done", "the agent stopped by itself")
        else:
            self._receipts.tell(name, "delivered", f"taken by its hook at {letter.event}")

    def _over(self, name: str, receipt: Receipt, evidence: str) -> None:
        self._receipts.tell(name, receipt, evidence)
        self._open.pop(name, None)
