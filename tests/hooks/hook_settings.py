"""Settings of agents, with hooks put in and taken out."""

from __future__ import annotations

from monitor.hooks.installing import carry_out, plan_install, plan_remove


def install(place, refuse="never"):
    change = plan_install(place, refuse)
    carry_out(change)
    return change


def remove(place):
    carry_out(plan_remove(place))
