"""Each agent: whether it is there, what is read of it and what reaches it, and what of its logs is not understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from monitor.agents.catalogue import AGENTS, Known
from monitor.agents.listed import Listed
from monitor.agents.plugged import plugged
from monitor.doctor.check import Check
from monitor.doctor.drift import Drift, drift
from monitor.doctor.programs import program, version
from monitor.finding.listers import LISTERS
from monitor.finding.survey import Sighting
from monitor.hooks.standing import Standing, installed
from monitor.text import plural

_LISTED = frozenset(name for name, _ in LISTERS)
_TYPES = 6
"""Unknown types that are named."""


def agents(sighting: Sighting) -> Iterator[Check]:
    """Those that keep runs on this machine or could be started here, then those of other packages."""
    by_agent: dict[str, list[Listed]] = {}
    for run in sighting.runs:
        by_agent.setdefault(run.agent, []).append(run)
    hooks: dict[str, list[Standing]] = {}
    for one in installed():
        hooks.setdefault(one.place.agent, []).append(one)
    for known in AGENTS:
        runs = by_agent.get(known.agent, [])
        if known.programs or known.agent in _LISTED or runs:
            yield from _agent(known, runs, hooks.get(known.agent, []))
    yield from plug_ins(by_agent)


def plug_ins(by_agent: Mapping[str, Sequence[Listed]]) -> Iterator[Check]:
    """The agents that other packages add."""
    for one in plugged():
        runs = by_agent.get(one.name, ())
        told = drift(runs) if runs else Drift()
        if problem := one.problem or one.fault:
            yield Check("plug-ins", one.name, "lack", f"{one.origin}: {problem}", "Update that package, or remove it")
        else:
            lists = plural(len(runs), "run") if one.lister is not None else "lists no runs"
            yield Check("plug-ins", one.name, "ok", f"{one.origin}: {one.reads or 'read'}; {lists}")
        if runs:
            yield _drift(one.name, told)


def _agent(known: Known, runs: Sequence[Listed], hooks: Sequence[Standing]) -> Iterator[Check]:
    name = known.name.partition(" ")[0] if known.agent != "claude" else "Claude Code"
    if known.programs:
        yield _program(name, known, runs)
    live = sum(one.alive for one in runs)
    none = (
        "none found"
        if known.agent in _LISTED
        else "not looked for: they lie with the projects, and are opened by their path"
    )
    yield Check(name, "runs", "ok", f"{plural(len(runs), 'run')}, {live or 'none'} live" if runs else none)
    yield Check(name, "read", "ok", known.reads)
    yield _reach(name, known)
    for one in hooks:
        yield _hooks(name, one)
    if runs:
        yield _drift(name, drift(runs))


def _program(name: str, known: Known, runs: Sequence[Listed]) -> Check:
    path = program(*known.programs)
    told = next((one.version for one in runs if one.version), "")
    logged = f"; its newest log is of {told}" if told else ""
    if path is None:
        package = f" (package {known.packages[0]})" if known.packages else ""
        wish = "To start it with monitor run" if known.launched else "To use it here"
        advice = f"{wish}: install it{package}, or put it on the PATH; its logs are read without it"
        return Check(name, "program", "note", f"not on the PATH{logged}", advice)
    number = version(path, known.packages)
    return Check(name, "program", "ok", f"{path}, {number or 'version unknown: nothing beside it tells'}{logged}")


def _reach(name: str, known: Known) -> Check:
    launched, running = (", ".join(verbs) or "only read" for verbs in (known.launched, known.running))
    words = f"started by monitor run: {launched}; already running: {running}"
    return Check(name, "reached", "ok", f"{words}; {known.beside}" if known.beside else words)


def _hooks(name: str, one: Standing) -> Check:
    label = "plug-in" if one.place.agent == "opencode" else "hooks"
    if one.state == "installed":
        return Check(name, label, "ok", f"installed in {one.place.shown}")
    command = f"monitor hooks install --agent {one.place.agent}"
    if one.place.project is not None:
        command += f" --project {one.place.project}"
    if one.state == "absent":
        return Check(
            name, label, "note", f"not installed in {one.place.shown}", f"To reach running sessions: {command}"
        )
    advice = (
        "Mend the file, or look at it with: monitor hooks status" if one.state in ("unreadable", "off") else command
    )
    advice = f"Move the file away, then: {command}" if one.state == "foreign" else advice
    return Check(name, label, "lack", f"{one.place.shown}: {one.why or one.state}", advice)


def _drift(name: str, told: Drift) -> Check:
    if not told.logs:
        return Check(name, "format", "note", "its newest logs are too large to be looked through here")
    where = f"{plural(told.records, 'record')} of its newest {plural(told.logs, 'log')}"
    if not told.unknown and not told.unreadable:
        return Check(name, "format", "ok", f"every type known in {where}")
    named = sorted(told.unknown.items(), key=lambda pair: -pair[1])
    words = ", ".join(f"{kind} ×{count}" for kind, count in named[:_TYPES])
    words += f", {len(named) - _TYPES} types more" if len(named) > _TYPES else ""
    unreadable = f"{plural(told.unreadable, 'record')} unreadable" if told.unreadable else ""
    said = "; ".join(filter(None, (f"not known: {words}" if words else "", unreadable)))
    if told.slight:
        return Check(name, "format", "lack", f"{said}; less than half of {where} is understood", "Update monitor")
    return Check(name, "format", "note", f"{said}; in {where}")
