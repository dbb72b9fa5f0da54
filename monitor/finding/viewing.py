"""Puts together what the overview shows; what stands as before is the same object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from monitor.agents.listed import Listed
from monitor.finding.followed import Followed
from monitor.finding.standing import FleetView, Standing
from monitor.finding.survey import Sighting, together
from monitor.snapshot import Snapshot

Known = Callable[[str], tuple[Snapshot | None, str]]
"""What the log of a run says that is not attached, and why it could not be read."""


class Viewing:
    """Keeps the standings of one version."""

    def __init__(self) -> None:
        self._version = -1
        self._alone: dict[str, Standing] = {}
        """Each run by what the machine and its log say, attached or not."""
        self._ended: tuple[Standing, ...] = ()
        self._over: tuple[tuple[object, ...], tuple[Standing, ...]] = ((), ())
        """What has ended, and the attached ones among it."""

    def view(
        self, version: int, sighting: Sighting, attached: Mapping[str, Followed], known: Known, *, looked: bool
    ) -> FleetView:
        """How every run stands; the same version means that nothing but the attached ones can have changed."""
        if version != self._version:
            self._version, self._alone = version, _alone(sighting.runs, known)
            self._ended = tuple(one for one in self._alone.values() if not one.alive)
        every = {key: one.standing(self._alone[key]) for key, one in attached.items() if key in self._alone}
        live = (every.get(key, one) for key, one in self._alone.items() if one.alive)
        return FleetView(
            live=tuple(one for one in live if one.alive),
            ended=self._with({key: one for key, one in every.items() if not one.alive}),
            places=sighting.places,
            looked=looked,
        )

    def _with(self, over: dict[str, Standing]) -> tuple[Standing, ...]:
        """Those that have ended, among them the attached ones."""
        parts = (self._version, *over.values())
        if not unchanged(parts, self._over[0]):
            every = (over.get(key, one) for key, one in self._alone.items())
            self._over = parts, tuple(one for one in every if not one.alive) if over else self._ended
        return self._over[1]


def _alone(runs: Sequence[Listed], known: Known) -> dict[str, Standing]:
    shared = together(runs)
    found = {}
    for listed in runs:
        snapshot, problem = known(listed.key)
        there = shared.get(listed.folder.rstrip("/"), ()) if listed.alive else ()
        others = tuple(f"{one.called}, process {one.pid}" for one in there if one.key != listed.key)
        found[listed.key] = Standing(listed, snapshot=snapshot, together=others, problem=problem)
    return found


def unchanged(parts: tuple[object, ...], others: tuple[object, ...]) -> bool:
    """Whether all are the same objects; plain numbers are compared."""
    return len(parts) == len(others) and all(
        one is two or (isinstance(one, int) and one == two) for one, two in zip(parts, others, strict=True)
    )
