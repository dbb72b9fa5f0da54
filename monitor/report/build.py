"""Writes a run's snapshot and the accounts of its bytes down as one plain object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from monitor.detectors.worktree_view import WorktreeView
from monitor.events import Tokens
from monitor.findings import Finding, rank
from monitor.policy.rules import Decision
from monitor.report.coverage import GAP, coverage
from monitor.report.habits import folder, numbers, outside, repeats, replies, scripts, tests
from monitor.report.ledger import ledger
from monitor.report.numbers import finite, where
from monitor.report.outlook import sites, thinking
from monitor.report.parts import Measurer, WorktreePart
from monitor.report.shape import (
    ActionRow,
    ClaimRow,
    DecisionRow,
    FindingRow,
    InputRow,
    Report,
    RunRow,
    TokenCounts,
    VerdictPart,
)
from monitor.snapshot import ActionFacts, ActorFacts, Claim, RunFacts, Snapshot, Verdict
from monitor.streams.record import Account
from monitor.text import line

Limit = Literal["note", "warn", "stop", "never"]
"""From which level on a finding makes a report fail."""


def build(snapshot: Snapshot, accounts: Sequence[Account]) -> Report:
    """The report of a run, as `report.schema.json` describes it: every key is there, and None is "not known".

    Secrets are still in it: `redact.finished` takes them out.
    """
    seeing = coverage(snapshot)
    return {
        "schema": 1,
        "runs": [_root(snapshot.run), *(_child(actor) for actor in snapshot.actors if actor.id)],
        "verdict": verdict_part(snapshot.verdict),
        "claims": [_claim(claim) for claim in snapshot.claims],
        "earlier_claims": snapshot.earlier_claims,
        "sources": [sentence or GAP for sentence in snapshot.sources],
        "coverage": seeing,
        "failed_writes": ledger(snapshot.writes),
        "sites": sites(snapshot.sites),
        "thinking": thinking(snapshot.thinking, seen=seeing["thinking"]["sees"] == "full"),
        "repeats": repeats(snapshot.repeats),
        "replies": replies(snapshot.replies, seen=seeing["replies"]["sees"] != "none"),
        "folder": folder(snapshot.folder),
        "scripts": scripts(snapshot.scripts),
        "worktree": _worktree(snapshot.worktree),
        "outside_edits": outside(snapshot.outside),
        "tests": tests(snapshot.tests),
        "numbers": numbers(snapshot.numbers),
        "findings": [finding_row(finding) for finding in snapshot.findings],
        "actions": [action_row(action) for action in snapshot.actions],
        "inputs": [_input(account) for account in accounts],
        "redacted": None,
    }


def fails(report: Report, limit: Limit) -> bool:
    """Whether a finding at or above the limit still stands, or stood when its request ended.

    One that was cleared by what happened, or settled by the operator, no longer counts.
    """
    if limit == "never":
        return False
    standing = (finding for finding in report["findings"] if finding["state"] in ("open", "closed"))
    return any(rank(finding["level"]) >= rank(limit) for finding in standing)


def verdict_part(verdict: Verdict) -> VerdictPart:
    """What is to be said of the run now."""
    return {
        "state": verdict.state,
        "also": list(verdict.also),
        "reason": verdict.reason,
        "claimed_done": verdict.claimed_done,
        "provisional": verdict.provisional,
        "why_provisional": (verdict.why_provisional or None) if verdict.provisional else None,
    }


def finding_row(finding: Finding) -> FindingRow:
    """One finding."""
    return {
        "detector": finding.detector,
        "subject": finding.subject,
        "level": finding.level,
        "state": finding.state,
        "places": [where(spot) for spot in finding.places],
        "message": finding.message,
        "advice": finding.advice,
    }


def action_row(action: ActionFacts) -> ActionRow:
    """One action, and how far it got."""
    return {
        "at": finite(action.at),
        "action": action.action,
        "by": action.by,
        "receipt": action.receipt,
        "text": action.text,
        "evidence": action.evidence or None,
    }


def decision_row(decision: Decision) -> DecisionRow:
    """What a policy decided, and why it was held back where it was."""
    return {
        "at": finite(decision.at),
        "response": decision.response,
        "reason": decision.reason,
        "finding": finding_row(decision.finding) if decision.finding else None,
        "seq": decision.seq,
        "held": decision.held or None,
    }


def _root(run: RunFacts) -> RunRow:
    return {
        "id": "",
        "parent": None,
        "agent": run.agent or None,
        "version": run.version or None,
        "model": run.model or None,
        "session": run.session or None,
        "cwd": run.cwd or None,
        "project": run.project or None,
        "task": run.task or None,
        "started": finite(run.started),
        "ended": finite(run.ended),
        "requests": run.requests,
        "turns": run.turns,
        "calls": run.calls,
        "status": run.status or None,
        "tokens": _tokens(run.tokens),
        "cost": finite(run.cost),
    }


def _child(actor: ActorFacts) -> RunRow:
    return {
        "id": actor.id,
        "parent": actor.parent,
        "agent": None,
        "version": None,
        "model": actor.model or None,
        "session": None,
        "cwd": None,
        "project": None,
        "task": actor.task or None,
        "started": finite(actor.started),
        "ended": finite(actor.ended),
        "requests": None,
        "turns": actor.turns,
        "calls": actor.calls,
        "status": actor.status or None,
        "tokens": None,
        "cost": None,
    }


def _tokens(tokens: Tokens) -> TokenCounts | None:
    if tokens == Tokens():
        return None
    return {
        "input": tokens.input,
        "output": tokens.output,
        "cache_read": tokens.cache_read,
        "cache_write": tokens.cache_write,
        "reasoning": tokens.reasoning,
    }


def _claim(claim: Claim) -> ClaimRow:
    return {"seq": claim.spot.seq, "place": where(claim.spot), "state": claim.state, "text": claim.text}


def _worktree(view: WorktreeView) -> WorktreePart:
    return {
        "changed": view.changed,
        "since_start": view.since_start,
        "kinds": list(view.kinds),
        "reason": (view.reason or None) if view.changed is None else None,
        "by": _measurer(view),
        "files": [{"file": changed.file, "by": changed.by or None, "why": changed.why} for changed in view.files],
        "unnamed": view.more,
        "measured": view.measured,
    }


def _measurer(view: WorktreeView) -> Measurer | None:
    match view.by:
        case "monitor" | "agent" as known:
            return known
        case _:
            return None


def _input(account: Account) -> InputRow:
    types: dict[str, int] = {}
    for name, count in account.unknown_types.items():
        types[line(name)] = types.get(line(name), 0) + count
    return {
        "name": line(account.name),
        "bytes": account.bytes,
        "records": account.records,
        "decoded_bytes": account.decoded_bytes,
        "unreadable_bytes": account.unreadable_bytes,
        "unfinished_bytes": account.unfinished_bytes,
        "unreadable": account.unreadable,
        "unknown_types": types,
    }
