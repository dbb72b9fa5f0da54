"""Tokens that are known by their own shape, wherever they stand.

The shapes are those their issuers document. Bodies may be shorter than a whole token, since texts are cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from monitor.report.redaction.spans import BREAKS, WALL, Span, free


@dataclass(frozen=True, slots=True)
class Shape:
    """One issuer's tokens."""

    kind: str
    gates: tuple[str, ...]
    """One of these stands in every match: a text without any of them is not searched."""
    pattern: re.Pattern[str]
    """A group `secret` is the part to take out; without it the whole match is."""
    free: bool
    """It begins a word; else its beginning is telling enough to be known within one."""


def _shape(kind: str, gates: str, pattern: str, *, free: bool = False) -> Shape:
    return Shape(kind, tuple(gates.split()), re.compile(pattern, re.ASCII), free)


def _word(kind: str, gates: str, pattern: str) -> Shape:
    """A shape that begins a word. Its body has an end, so that beginnings within words cost no more than that."""
    return _shape(kind, gates, pattern.replace(",}", ",1000}"), free=True)


_EDGE = rf"(?<![A-Za-z0-9{WALL}])"
_END = rf"(?![A-Za-z0-9{WALL}])"

CLOUDS = (
    _shape("aws key", "AKIA", r"AKIA[A-Z0-9]{12,}"),
    _word("aws key", "ASIA ABIA ACCA A3T", rf"(?:ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{{16}}{_END}"),
    _word("aws key", "ABSK", r"ABSK[A-Za-z0-9+/=]{40,}"),
    _shape("google key", "AIza", r"AIza[\w-]{24,}"),
    _shape("google key", "GOCSPX- ya29. 1//0", r"GOCSPX-[\w-]{12,}|ya29\.[\w-]{20,}|1//0[\w-]{30,}"),
    _shape("azure key", "Q~", r"[\w~.]{3}[0-9]Q~[\w~.-]{20,40}"),
    _shape("azure key", "AZDO", rf"{_EDGE}[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}"),
    _shape(
        "azure key",
        "AccountKey SharedAccessKey SharedAccessSignature",
        rf"(?:AccountKey|SharedAccessKey|SharedAccessSignature)=(?P<secret>[^\s;\"'<>&\\{BREAKS}]{{8,}})",
    ),
    _shape("azure key", "sig=", r"[?&;\"' ]sig=(?P<secret>[A-Za-z0-9%+/=_-]{20,})"),
    _word("alibaba key", "LTAI", r"LTAI[A-Za-z0-9]{12,}"),
    _shape("digitalocean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{20,}"),
    _word("vault token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{20,}"),
    _shape("terraform token", ".atlasv1.", rf"{_EDGE}[A-Za-z0-9]{{14}}\.atlasv1\.[\w-]{{20,}}"),
    _shape("tailscale key", "tskey-", r"tskey-[\w-]{12,}"),
    _word("databricks token", "dapi", r"dapi[a-f0-9]{32}"),
    _shape("planetscale key", "pscale_", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{16,}"),
    _word("fly token", "fo1_ fm1a_ fm1r_ fm2_", r"(?:fo1_[\w-]{30,}|fm(?:1[ar]|2)_[A-Za-z0-9+/=]{40,})"),
    _shape("heroku key", "HRKU-", r"HRKU-[\w-]{20,}"),
    _word("cloudflare key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{40,}"),
    _shape("openshift token", "sha256~", r"sha256~[\w-]{30,}"),
)
FORGES = (
    _shape(
        "github token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_[A-Za-z0-9][\w-]{9,}(?:\.[\w-]{8,}){0,4}|github_pat_\w{10,}",
    ),
    _word(
        "gitlab token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
        r"gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w-]{10,}(?:\.[\w-]+){0,4}",
    ),
    _word("bitbucket token", "ATBB", r"ATBB[A-Za-z0-9_=-]{16,}"),
    _word("atlassian token", "ATATT3 ATCTT3", r"AT[AC]TT3[\w=-]{16,}"),
    _word("sourcegraph token", "sgp_", r"sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{20,}"),
    _shape("circleci token", "CCIPAT_", r"CCIPAT_\w{20,}"),
    _word("pulumi token", "pul-", r"pul-[a-f0-9]{40}"),
)
MODELS = (
    _shape("anthropic key", "sk-ant-", r"sk-ant-[\w-]{8,}"),
    _word("model key", "sk-", r"sk-(?:(?:proj|svcacct|admin|None|or|or-v1|lf|litellm)-[\w-]{8,}|[A-Za-z0-9]{16,})"),
    _word("hugging face token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{16,}"),
    _word("groq key", "gsk_", r"gsk_[A-Za-z0-9]{16,}"),
    _word("xai key", "xai-", r"xai-[A-Za-z0-9]{16,}"),
    _word(
        "model key",
        "pplx- r8_ nvapi- csk- fw_ tgp_v1_ lsv2_ tvly- jina_ e2b_",
        r"(?:pplx-|r8_|nvapi-|csk-|fw_|tgp_v1_|lsv2_[ps][tk]_|tvly-|jina_|e2b_)[A-Za-z0-9_-]{20,}",
    ),
)
REGISTRIES = (
    _shape("npm token", "npm_", r"npm_[A-Za-z0-9]{16,}"),
    _shape("pypi token", "pypi-AgE", r"pypi-AgE[\w-]{12,}"),
    _shape("rubygems key", "rubygems_", r"rubygems_[a-f0-9]{16,}"),
    _word("crates.io token", "cio", r"cio[A-Za-z0-9]{32,}"),
    _shape("docker token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{10,}"),
    _word("nuget key", "oy2", r"oy2[a-z0-9]{43}"),
    _shape("clojars token", "CLOJARS_", r"CLOJARS_[a-z0-9]{40,}"),
    _word("artifactory key", "AKCp cmVmd", r"(?:AKCp|cmVmd)[A-Za-z0-9]{40,}"),
)
CHATS = (
    _shape("slack token", "xox xapp-", r"xox[a-z](?:\.xox[a-z])?-[\w-]{8,}|xapp-[0-9]-[\w-]{8,}"),
    _shape(
        "slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/+-]{8,})",
    ),
    _shape(
        "discord webhook", "/webhooks/", r"discord(?:app)?\.com/api/(?:v[0-9]{1,3}/)?webhooks/(?P<secret>[\w/-]{8,})"
    ),
    _word("discord token", ".", r"[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{25,}"),
    _shape("telegram token", ":AA", r"[0-9]{8,10}:AA[\w-]{20,}"),
    _shape("teams webhook", "webhook.office.com/", rf"webhook\.office\.com/(?P<secret>[^\s\"'<>\\{BREAKS}]{{20,}})"),
)
SERVICES = (
    _word(
        "stripe key",
        "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_",
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{8,}",
    ),
    _shape("stripe key", "whsec_", r"whsec_[A-Za-z0-9+/=]{16,}"),
    _word("sendgrid key", "SG.", r"SG\.[\w-]{16,}(?:\.[\w-]+)?"),
    _word("twilio key", "SK", r"SK[0-9a-f]{32}"),
    _word(
        "mail key",
        "xkeysib- key- -us",
        rf"xkeysib-[a-f0-9]{{30,}}(?:-\w+)?|(?:key-[a-f0-9]{{32}}|[a-f0-9]{{32}}-us[0-9]{{1,2}}){_END}",
    ),
    _shape("square token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[\w-]{16,}"),
    _shape("shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}"),
    _word("facebook token", "EAA", r"EAA[A-Za-z0-9]{80,}"),
    _word("grafana token", "glc_ glsa_", r"gl(?:c|sa)_[A-Za-z0-9+/=_]{20,}"),
    _shape("sentry token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_]{20,}"),
    _shape("new relic key", "NRAK- NRII- NRJS-", r"NR(?:AK|II|JS)-[A-Za-z0-9-]{16,}"),
    _shape("postman key", "PMAK-", r"PMAK-[a-fA-F0-9-]{20,}"),
    _shape("linear key", "lin_api_", r"lin_api_[A-Za-z0-9]{16,}"),
    _word("notion token", "ntn_ secret_", r"(?:ntn_|secret_)[A-Za-z0-9]{40,}"),
    _shape("figma token", "figd_", r"figd_[\w-]{20,}"),
    _word("supabase key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{30,}|sb_secret_[\w-]{16,})"),
    _word("doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}"),
    _shape("dynatrace token", "dt0", r"dt0[a-z0-9]{3}\.[A-Z0-9]{20,}(?:\.[A-Z0-9]+)?"),
    _shape("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{16,}"),
    _word("1password token", "ops_eyJ A3-", r"ops_eyJ[A-Za-z0-9+/=]{40,}|A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){3,5}"),
    _shape("web token", "eyJ", rf"(?:(?<![\w{WALL}-])|(?<=\\[nrt]))eyJ[\w-]{{8,}}\.[\w-]{{4,}}(?:\.[\w-]*){{0,3}}"),
)
SHAPES = (*CLOUDS, *FORGES, *MODELS, *REGISTRIES, *CHATS, *SERVICES)


def tokens(text: str) -> Iterator[Span]:
    """The tokens in a text."""
    for shape in SHAPES:
        if any(gate in text for gate in shape.gates):
            yield from _found(shape, text)


def _found(shape: Shape, text: str) -> Iterator[Span]:
    part = "secret" if "secret" in shape.pattern.groupindex else 0
    found = shape.pattern.search(text)
    while found is not None:
        known = not shape.free or free(text, found.start())
        if known:
            yield Span(*found.span(part), shape.kind)
        found = shape.pattern.search(text, found.end() if known else found.start() + 1)
