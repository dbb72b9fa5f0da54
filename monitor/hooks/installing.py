"""Installs our hooks into a settings file and removes them: planned first, shown, and done only to what was shown."""

from __future__ import annotations

import stat
from contextlib import suppress
from dataclasses import dataclass

from monitor.errors import MonitorError
from monitor.hooks import edit
from monitor.hooks.json_text import NotPlainError
from monitor.hooks.places import Place, command
from monitor.hooks.records import Record, Refuse, before, digest, forget, record_of, remember, write
from monitor.hooks.standing import complete, current

_REASON = "Nothing was changed"


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of a settings file."""

    place: Place
    old: bytes | None
    """As it is; none where there is no file."""
    new: bytes | None
    """As it is to be; none where the file is to go."""
    base: bytes | None
    """As it is without us."""
    record: Record | None
    """What is to be remembered; none once they are removed."""

    @property
    def nothing(self) -> bool:
        """Whether the file stays as it is."""
        return self.old == self.new


def plan_install(place: Place, refuse: Refuse = "never") -> Change:
    """What an installation would do. Raises `MonitorError` where the file is not as its agent reads it."""
    old, known = current(place), record_of(place)
    try:
        found = edit.commands(place.agent, old or b"")
        if complete(place.agent, found):
            base, new = _base(place, old, known), old
        else:
            base = _base(place, old, known) if found else old
            new = edit.merged(place.agent, base or b"", command(place.agent))
        kept = edit.keys(place.agent, base or b"")
    except NotPlainError as error:
        raise _refused(place, error) from None
    record = Record(
        agent=place.agent, path=str(place.path), project=str(place.project or ""), created=base is None,
        made=known.made if known else _missing(place),
        keys=tuple(kept), after=digest(new or b""), refuse=refuse,
    )  # fmt: skip
    return Change(place, old, new, base, record)


def plan_remove(place: Place) -> Change:
    """What a removal would do: the file as it was, where nobody else has changed it since, else ours taken out of it."""
    old = current(place)
    try:
        found = edit.commands(place.agent, old or b"")
        base = _base(place, old, record_of(place)) if found else old
    except NotPlainError as error:
        raise _refused(place, error) from None
    return Change(place, old, base, base, None)


def carry_out(change: Change) -> None:
    """Write what was planned and remember it. Raises `MonitorError` where the file is no longer what was planned on."""
    place, known = change.place, record_of(change.place)
    if current(place) != change.old:
        raise MonitorError(f"{place.shown} has changed meanwhile", f"{_REASON}; look at it, and try again")
    if change.record is not None:
        remember(place, change.record, change.base or b"")
    try:
        if not change.nothing:
            _put(change)
        if change.record is None and change.new is None and known is not None:
            _tidy(place, known.made)
    except OSError as error:
        raise MonitorError(f"{place.shown}: {error.strerror or error}", _REASON) from None
    if change.record is None:
        forget(place)


def _put(change: Change) -> None:
    target = change.place.target()
    if change.new is None:
        target.unlink()
        return
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
    if current(change.place) != change.old:
        raise OSError(0, "it has changed meanwhile")
    write(target, change.new, mode)


def _missing(place: Place) -> int:
    """How many folders have to be made for it."""
    return sum(not folder.exists() for folder in place.path.absolute().parents)


def _tidy(place: Place, made: int) -> None:
    """Remove the folders that were made for it, the innermost first."""
    with suppress(OSError):  # somebody else keeps something there
        for folder in place.path.absolute().parents[:made]:
            folder.rmdir()


def _base(place: Place, old: bytes | None, known: Record | None) -> bytes | None:
    """The file without us: the very one that was there before, as long as nobody else has changed it since."""
    if old is None:
        return None
    kept = before(place)
    if known is not None and kept is not None and digest(old) == known.after:
        return None if known.created else kept
    found = edit.without(place.agent, old, known.keys if known else ())
    created = known.created if known is not None else place.agent == "opencode"
    return None if created and edit.is_empty(place.agent, found) else found


def _refused(place: Place, error: NotPlainError) -> MonitorError:
    if place.agent == "opencode":
        return MonitorError(f"{place.shown}: {error}", f"{_REASON}; move it away first")
    agent = "Claude Code" if place.agent == "claude" else "lcode"
    return MonitorError(f"{place.shown}: {agent} does not read this file: {error}", f"{_REASON}; mend it first")
