"""What a decoder remembers between records; bounded, and copied for a checkpoint."""

from __future__ import annotations

from monitor.agents.claude.calls import Calls
from monitor.agents.claude.children import Children
from monitor.agents.claude.replies import Replies

_UUIDS = 8_192
"""Records of each of two generations that are known when they are written again."""
_TYPES = 500
"""Unknown types counted by name; a type is the log's word and may be anything."""


class Memory:
    """The state of one decoder."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self.calls = Calls()
        self.replies = Replies()
        self.children = Children()
        self.known: dict[str, str] = {}
        """The session, version, model and first folder of the root, as far as they were told."""
        self.deltas: bool | None = None
        self.named: tuple[str | None, str | None, str | None, bool, bool] = (None, None, None, True, False)
        """What the latest record of the root said of its session, version and model."""
        self.prompted = False
        """The root was told something by a person."""
        self.replays = False
        """The stream repeats what its host sends."""
        self.turn_told = False
        """The prompt of the stream's present turn was seen."""
        self.notified = False
        """A background task ended since the root last spoke: it begins the next turn."""
        self.over = ""
        """The status the run ended with; empty once it works again."""
        self.waits = False
        """The session's own file says that it waits."""
        self.home: str | None = None
        """The session that the file's name names; none before any row."""
        self.stops = False
        """The source tells the ends of turns: it names their stop reason, or is a stream."""
        self.born: float | None = None
        """When the file was begun, as long as what it holds may be older: the history of a fork."""
        self.begun = False
        """Any row of the conversation was read."""
        self.chains: dict[str, str] = {}
        """Of the rows of sub-agents without a name their actor, by uuid."""
        self._uuids: set[str] = set()
        self._older: set[str] = set()

    def unknown(self, name: str) -> None:
        """Count a type this version does not know."""
        if name in self.unknown_types or len(self.unknown_types) < _TYPES:
            self.unknown_types[name] = self.unknown_types.get(name, 0) + 1

    def repeated(self, uuid: str) -> bool:
        """Whether a record was read before; remembered from now on."""
        uuid = uuid[:64]
        if uuid in self._uuids or uuid in self._older:
            return True
        self._uuids.add(uuid)
        if len(self._uuids) >= _UUIDS:
            self._older, self._uuids = self._uuids, set()
        return False

    def chained(self, uuid: str, parent: str) -> str:
        """The actor of a sub-agent's row that does not name it: that of the row it follows, else a new one."""
        actor = self.chains.get(parent) or f"sidechain-{uuid[:8]}"
        self.chains[uuid] = actor
        if len(self.chains) > _UUIDS:
            del self.chains[next(iter(self.chains))]
        return actor

    def copy(self) -> Memory:
        """Another that goes on from here."""
        other = Memory()
        other.__dict__.update(self.__dict__)
        other.unknown_types, other.chains = dict(self.unknown_types), dict(self.chains)
        other.known = dict(self.known)
        other.calls, other.replies = self.calls.copy(), self.replies.copy()
        other.children = self.children.copy()
        other._uuids = set(self._uuids)
        return other
