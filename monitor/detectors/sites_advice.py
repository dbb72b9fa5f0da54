"""What is said of a site that fails: one line for the operator, and advice for the agent."""

from __future__ import annotations

from monitor.detectors.sites_view import Cause, SiteEntry
from monitor.text import line, shorten

_NAME = 120
"""Characters of a site's name within a text."""


def message(entry: SiteEntry) -> str:
    """One line for the operator."""
    name = shorten(line(entry.name), _NAME)
    if entry.level == "stop":
        said = f"{name}: all {entry.failed_calls} different calls to it failed"
    elif entry.cause == "login":
        return f"{name}: {entry.failed_calls} different calls were asked to log in"
    elif entry.cause == "rate":
        return f"{name}: {entry.failed_calls} different calls were told to slow down"
    else:
        said = f"{name}: {entry.failed_calls} different calls failed, none succeeded"
    return said + {"sandbox": "; there may be no network here", "proxy": "; it is the proxy that fails"}.get(
        entry.cause, ""
    )


def figure(entry: SiteEntry) -> str:
    """`4 of 5`; `×3` for what never makes a site blocked."""
    counts = entry.towards and entry.limit
    return f"{min(entry.towards, entry.limit)} of {entry.limit}" if counts else f"×{entry.failed_calls}"


def advice(entry: SiteEntry) -> str:
    """What the agent is told, under 1,200 characters."""
    name = shorten(line(entry.name), _NAME)
    kinds = ", ".join(f"{kind} ×{count}" for kind, count in entry.kinds[:5])
    begin = f"In this request you made {entry.failed_calls} different calls to {name} that failed ({kinds}), and none succeeded."
    site, proxy = shorten(line(entry.site), _NAME), shorten(line(entry.via), _NAME) or "the configured proxy"
    steps = _STOPS if entry.level == "stop" else _STEPS
    return f"{begin} {steps[entry.cause].format(site=site, proxy=proxy)}"


_STEPS: dict[Cause, str] = {
    "site": (
        "When a site fails however the address is written, the network is usually the cause, not the address. Check that"
        " once: request one address on {site} that must exist, such as its front page. If that fails too, try no further"
        " address on it and tell the user what fails and what could help: another network, a proxy, a mirror of the site,"
        " or running this step in CI."
    ),
    "proxy": (
        "It is the proxy {proxy} that cannot be reached or refuses; the site itself was never asked. Check once whether"
        " something listens there, or make one call without it (curl --noproxy '*'). If that fails too, tell the user"
        " that the proxy {proxy} does not work, and that its address, another network or CI could help."
    ),
    "sandbox": (
        "Other sites fail too, or the sandbox says so, and nothing beyond this machine has answered: there seems to be no"
        " network here. Check that once, with one plain request to any site that must exist; if that fails too, no other address"
        " will help. Go on with what is installed and on disk, or tell the user that"
        " network access is needed, for which sites, and that allowing it, a proxy, a mirror or CI could help."
    ),
    "login": (
        "The site can be reached but wants a login. Other addresses or wordings will not change that. Check once whether"
        " credentials are meant to be there (an environment variable, a configuration file that the task names); do not"
        " invent any. If there are none, tell the user which site wants which login, and go on without it where possible."
    ),
    "rate": (
        "The site can be reached but limits how often it is asked. Make no more calls to it now: wait a minute or what its"
        " Retry-After header says, then try one call. If that is refused too, tell the user, and use what was already"
        " fetched, a cache or a mirror."
    ),
}
_STOPS: dict[Cause, str] = {
    "site": (
        "Make no further call to {site}: another address on it will fail too. Tell the user what fails and what could help:"
        " another network, a proxy, a mirror of the site, or running this step in CI. Check: your next step does not need"
        " that site."
    ),
    "proxy": (
        "It is the proxy {proxy} that cannot be reached or refuses; the site itself was never asked. Make no further call"
        " through it: tell the user that the proxy {proxy} does not work, and that its address, another network or CI could"
        " help. Check: your next step does not need that proxy."
    ),
    "sandbox": (
        "Other sites fail too, or the sandbox says so, and nothing beyond this machine has answered: there seems to be no"
        " network here. Make no further call to any site. Go on with what is installed and on disk, or tell the user that"
        " network access is needed, for which sites, and that allowing it, a proxy, a mirror or CI could help. Check: your"
        " next step needs no network."
    ),
    "login": (
        "The site can be reached but wants a login. Make no further call to it: tell the user which site wants which login,"
        " and go on without it where possible. Check: your next step does not need that site."
    ),
    "rate": (
        "The site can be reached but limits how often it is asked. Make no further call to it: tell the user, and use what was"
        " already fetched, a cache or a mirror. Check: your next step does not need that site."
    ),
}
"""What is said once it is blocked: nothing more is tried."""
