"""Notices of changes, taken in or not to be had."""

from __future__ import annotations

from monitor.streams.notify import Notifier


def no_kernel():
    raise ImportError("no such module")


def settle(notifier: Notifier) -> None:
    """Take all notices that are still on their way."""
    while notifier.wait(0.05):
        pass
