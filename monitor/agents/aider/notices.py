"""What Aider itself says between the replies, each line quoted with `>`."""

from __future__ import annotations

import re

from monitor.events import Tokens

APPLIED = re.compile(r"Applied edit to (.{1,1000})")
DRY = re.compile(r"Did not apply edit to (.{1,1000}) \(--dry-run\)")
SKIPPED = re.compile(r"Skipping edits to (.{1,1000})")
MISMATCH = re.compile(r"## SearchReplaceNoExactMatch: .{0,200} in (.{1,1000})")
ALREADY = re.compile(r"The REPLACE lines are already in .{1,1000}")
UNMATCHED = re.compile(
    r"(.{1,1000}) (?:does not contain lines|(contains multiple sets of lines)) that match the diff you provided!"
)
"""Of a unified diff: the file; its lines stand there more than once, or not at all."""
OTHERS = re.compile(r"# The other \d+ SEARCH/REPLACE blocks? (?:was|were) applied successfully")
BLOCKS = re.compile(r"# \d+ SEARCH/REPLACE blocks? failed to match!")
REFUSED = "The LLM did not conform to the edit format."
BROKEN = "Exception while updating files"
STOPPED = re.compile(r"Only \d+ reflections allowed, stopping\.")
INTERRUPTED = "^C KeyboardInterrupt"
RETRY = re.compile(r"Retrying in [\d.]+ seconds")
ERROR = re.compile(
    r"(?:Unexpected error: |Error during API call: )?(?:litellm\.\S*Error\b|[A-Z]\w*Error: litellm\.).{0,2000}"
)
RUNNING = re.compile(r"Running (.{1,4000})")
FIX = re.compile(r"# Fix any errors below, if possible\.")
VERSION = re.compile(r"Aider v(\S{1,60})")
MODEL = re.compile(r"(?:Main model|Models?): (\S{1,200}?)(?:⚡)? with ")
FOLDER = re.compile(r"Cur(?:rent)? working dir: (.{1,1000})")
_TOKENS = re.compile(
    r"Tokens: (?P<sent>[\d.,]+[kM]?) sent(?:, (?P<write>[\d.,]+[kM]?) cache write)?"
    r"(?:, (?P<hit>[\d.,]+[kM]?) (?:cache hit|cached))?, (?P<received>[\d.,]+[kM]?) received\."
    r"(?: Cost: \$(?P<cost>[\d.]+) (?:request|message))?"
)
_COST = re.compile(r"Cost: \$([\d.]+) (?:request|message)")
_SIZES = {"k": 1_000, "M": 1_000_000}


def usage(line: str) -> tuple[Tokens, float | None] | None:
    """What a reply used, from the line that ends it; rounded where Aider rounds."""
    told = _TOKENS.match(line)
    if told is None:
        return None
    tokens = Tokens(_count(told["sent"]), _count(told["received"]), _count(told["hit"]), _count(told["write"]))
    return tokens, _number(told["cost"]) if told["cost"] else None


def cost(line: str) -> float | None:
    """US dollars, where they stand on a line of their own."""
    told = _COST.match(line)
    return _number(told[1]) if told else None


def _count(text: str | None) -> int:
    if not text:
        return 0
    size = _SIZES.get(text[-1], 1)
    return min(int(_number(text.rstrip("kM")) * size), 10**12)


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "").rstrip("."))
    except ValueError:
        return 0.0
