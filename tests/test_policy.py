"""The policy: what is decided about findings while nobody looks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.findings import LEVELS, Finding, Spot
from monitor.policy.rules import CAPPED, OVER, RESPONSES, Policy, Rules
from monitor.snapshot import ActionFacts, Claim, RunFacts, Snapshot, Verdict

LADDER = Rules({("sites", "warn"): "warn", ("sites", "stop"): "abort", ("tests", "note"): "notify"})


def finding(subject="a.example", level="warn", detector="sites", opened=3, **more):
    return Finding(detector, subject, level, f"{subject} fails", "Use a mirror.", opened=opened, raised=opened, **more)


def seen(*findings, over=False, waiting="", since=None):
    run = RunFacts(over=over, last=50.0)
    verdict = Verdict("blocked", "no call reached it")
    return Snapshot(seq=9, run=run, findings=findings, waiting=waiting, waiting_since=since, verdict=verdict)


def responses(decisions):
    return [one.response for one in decisions]


def test_a_finding_is_answered_once():
    """A finding that stands is answered when it is first seen, and not again while it stands."""
    policy = Policy(LADDER)
    first = policy.consider(seen(finding()), 100.0)
    assert [(one.response, one.finding.subject, one.seq, one.held) for one in first] == [("warn", "a.example", 3, "")]
    assert first[0].reason == "sites at warn: a.example fails"
    assert policy.consider(seen(finding()), 101.0) == ()


def test_a_raised_finding_is_answered_harder():
    """A finding that was warned about and rises to stop is answered by what the policy says of stop."""
    policy = Policy(LADDER)
    policy.consider(seen(finding()), 100.0)
    assert responses(policy.consider(seen(finding(level="stop")), 101.0)) == ["abort"]


def test_opened_anew_is_answered_anew():
    """A finding that was cleared and opens again is warned about again."""
    policy = Policy(LADDER)
    policy.consider(seen(finding()), 100.0)
    assert policy.consider(seen(finding(state="cleared")), 101.0) == ()
    assert responses(policy.consider(seen(finding(opened=7)), 102.0)) == ["warn"]


def test_opened_anew_between_two_looks():
    """One that was cleared and opened again before anybody looked is another opening."""
    policy = Policy(LADDER)
    policy.consider(seen(finding()), 100.0)
    assert responses(policy.consider(seen(finding(opened=7)), 101.0)) == ["warn"]


def test_what_is_not_named_is_only_shown():
    """Without a rule nothing is done, and what is said of a level holds for those above it."""
    assert Policy(Rules()).consider(seen(finding(level="stop")), 1.0) == ()
    above = Policy(Rules({("sites", "note"): "notify"})).consider(seen(finding(level="stop")), 1.0)
    assert responses(above) == ["notify"]
    below = Policy(Rules({("sites", "stop"): "abort"})).consider(seen(finding(level="warn")), 1.0)
    assert below == ()


def test_an_abort_comes_first_and_once():
    """An abort comes before warnings, which then are held back, and no second one follows."""
    policy = Policy(LADDER)
    made = policy.consider(seen(finding("a"), finding("b", "stop"), finding("c", "stop")), 1.0)
    assert [(one.response, one.finding.subject, bool(one.held)) for one in made] == [
        ("abort", "b", False), ("abort", "c", True), ("warn", "a", True),
    ]  # fmt: skip


def test_an_ended_run_is_not_touched():
    """After the end of the run warnings and aborts are held back, and the reason is told; news are not."""
    made = Policy(LADDER).consider(seen(finding(), finding("x", "note", "tests"), over=True), 1.0)
    assert [(one.response, one.held) for one in made] == [("warn", OVER), ("notify", "")]


def test_a_cap_of_warnings():
    """No more warnings go out within an hour than the policy allows; the others follow when the hour has passed."""
    policy = Policy(replace(LADDER, warnings_an_hour=2))
    three = [finding(name) for name in "abc"]
    assert [one.held for one in policy.consider(seen(*three), 100.0)] == ["", "", CAPPED]
    assert policy.consider(seen(*three), 200.0) == ()
    assert [one.finding.subject for one in policy.consider(seen(*three), 3700.5)] == ["c"]


def test_no_cap():
    """A cap of 0 is none."""
    policy = Policy(replace(LADDER, warnings_an_hour=0))
    made = policy.consider(seen(*[finding(str(name)) for name in range(50)]), None)
    assert [one.held for one in made] == [""] * 50


def test_a_log_without_times_is_one_hour():
    """Where no time is known, the cap counts over the whole log."""
    policy = Policy(replace(LADDER, warnings_an_hour=1))
    policy.consider(seen(finding("a")), None)
    assert [one.held for one in policy.consider(seen(finding("a"), finding("b")), None)] == [CAPPED]


def test_waiting_is_told_each_time():
    """That the agent waits is told once for each wait, where the policy says so."""
    policy = Policy(Rules(waiting=True))
    asks = seen(waiting="Asks to run: rm -r build", since=5.0)
    assert [one.reason for one in policy.consider(asks, 6.0)] == ["Asks to run: rm -r build"]
    assert policy.consider(asks, 7.0) == ()
    assert policy.consider(seen(), 8.0) == ()
    assert responses(policy.consider(asks, 9.0)) == ["notify"]
    assert Policy(Rules()).consider(asks, 6.0) == ()


def test_the_end_is_told_once():
    """That the run has ended is told once, with its verdict."""
    policy = Policy(Rules(ended=True))
    assert policy.consider(seen(), 1.0) == ()
    assert [one.reason for one in policy.consider(seen(over=True), 2.0)] == ["blocked: no call reached it"]
    assert policy.consider(seen(over=True), 3.0) == ()


def requested(number, *, claims=(), actions=()):
    return Snapshot(run=RunFacts(requests=number), claims=tuple(claims), actions=tuple(actions))


def claimed(state, *, done=True, request=1):
    return Claim(Spot(7, 0, 5), 12.0, done, "Done.", state, request)


def ordered(number, receipt):
    return ActionFacts(str(number), "refuse", "policy", receipt)


def test_refusals_are_ordered_as_a_request_begins():
    """All stops of a request that may be refused are ordered at its start; orders that were not used go on to the next."""
    policy = Policy(Rules(refuse="not-made", refusals=2))
    assert policy.orders(requested(0)) == 0
    assert policy.orders(requested(1)) == 2
    assert policy.orders(requested(1, actions=[ordered(1, "queued"), ordered(2, "queued")])) == 0
    assert policy.orders(requested(1, actions=[ordered(1, "seen"), ordered(2, "queued")])) == 0
    assert policy.orders(requested(2, actions=[ordered(1, "seen"), ordered(2, "queued")])) == 1
    assert Policy(Rules()).orders(requested(1)) == 0


def test_which_stops_would_be_refused():
    """Of a finished run it is said at which claims its stop would have been refused, as often as the policy says."""
    policy = Policy(Rules(refuse="not-made"))
    made = [
        policy.refused(requested(1)),
        policy.refused(requested(1, claims=[claimed("not made")])),
        policy.refused(requested(1, claims=[claimed("not made"), claimed("not made")])),
        policy.refused(requested(2, claims=[claimed("not made")] * 3)),
    ]
    assert [one and (one.response, one.reason, one.seq, one.at) for one in made] == [
        None, ("refuse", "done was claimed: not made", 7, 12.0), None, ("refuse", "done was claimed: not made", 7, 12.0),
    ]  # fmt: skip


def test_a_claim_is_new_however_many_there_were():
    """Where only the latest claims are kept, the next one is refused as the first was."""
    policy, kept = Policy(Rules(refuse="not-made")), [claimed("not made")] * 200
    made = [policy.refused(replace(requested(one, claims=kept), earlier_claims=one)) for one in (1, 2, 2, 3)]
    assert [one is not None for one in made] == [True, True, False, True]


@pytest.mark.parametrize(
    ("refuse", "claim", "refused"),
    [
        ("not-made", claimed("unchanged"), False),
        ("unchanged", claimed("unchanged"), True),
        ("unchanged", claimed("not made"), True),
        ("unchanged", claimed("not made", done=False), False),
        ("unchanged", claimed("claimed"), False),
        ("never", claimed("not made"), False),
    ],
)
def test_what_a_refusal_is_for(refuse, claim, refused):
    """Only a claim of done that the policy names is refused; that it could not be done is no such claim."""
    assert bool(Policy(Rules(refuse=refuse)).refused(requested(1, claims=[claim]))) is refused


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.lists(
            st.builds(
                finding,
                subject=st.sampled_from("abc"),
                level=st.sampled_from(LEVELS),
                opened=st.integers(0, 3),
                state=st.sampled_from(["open", "cleared", "closed"]),
            ),
            unique_by=lambda one: one.key,
            max_size=3,
        ),
        max_size=12,
    ),
    st.dictionaries(st.tuples(st.just("sites"), st.sampled_from(LEVELS)), st.sampled_from(RESPONSES)),
)
def test_one_warning_for_an_opening(looks, named):
    """Whatever comes and in whatever order, one opening that goes on standing is warned about at most once."""
    policy = Policy(Rules(named, warnings_an_hour=0))
    standing: dict[str, tuple[int, int]] = {}
    for moment, findings in enumerate(looks):
        made = policy.consider(seen(*findings), float(moment))
        now = {one.key: one.opened for one in findings if one.state == "open"}
        warned = {one.finding.key for one in made if one.response == "warn"}
        standing = {
            key: (opened, (count if before == opened else 0) + (key in warned))
            for key, opened in now.items()
            for before, count in [standing.get(key, (opened, 0))]
        }
        assert all(count <= 1 for _, count in standing.values())
        assert warned <= now.keys()
