"""The shapes of Claude Code's records: only the fields that are read, transcript and stream alike."""

from __future__ import annotations

from msgspec import Raw, Struct, field

NOTHING = Raw()


class Usage(Struct, frozen=True, gc=False):
    """Token counts of one API message."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: Thinking | None = None


class Thinking(Struct, frozen=True, gc=False):
    """The part of the output that was thinking."""

    thinking_tokens: int | None = None


class Block(Struct, frozen=True, gc=False):
    """A content block: text, thinking, a call or a result."""

    type: str = ""
    text: str = ""
    thinking: str = ""
    id: str = ""
    name: str = ""
    input: Raw = NOTHING
    tool_use_id: str = ""
    content: str | list[Piece] | None = None
    is_error: bool | None = None


class Piece(Struct, frozen=True, gc=False):
    """A part of a result: text, an image."""

    type: str = ""
    text: str = ""


class Message(Struct, frozen=True, gc=False):
    """An API message, or a part of one."""

    id: str | None = None
    role: str = ""
    model: str | None = None
    content: str | list[Block] | None = None
    stop_reason: str | None = None
    usage: Usage | None = None


class Decision(Struct, frozen=True, gc=False):
    """How a permission was decided, and by what."""

    decision: str | None = None
    source: str | None = None


class Denial(Struct, frozen=True, gc=False):
    """What the stream says of one call's permission."""

    id: str = ""
    non_execution_kind: str | None = None
    permission_decision: Decision | None = None


class Origin(Struct, frozen=True, gc=False):
    """Who a prompt is from."""

    kind: str | None = None


class Attachment(Struct, frozen=True, gc=False):
    """What the harness adds to a conversation."""

    type: str = ""
    content: Raw = NOTHING
    prompt: Raw = NOTHING
    text: str | None = None
    message: str | None = None
    filename: str | None = None
    hook_event: str | None = field(default=None, name="hookEvent")
    hook_name: str | None = field(default=None, name="hookName")
    stderr: str | None = None
    blocking: Blocked | None = field(default=None, name="blockingError")
    origin: Origin | None = None


class Blocked(Struct, frozen=True, gc=False):
    """Why a hook blocked."""

    why: str = field(default="", name="blockingError")


class Delta(Struct, frozen=True, gc=False):
    """A piece of a block, or the end of a message."""

    type: str = ""
    text: str = ""
    thinking: str = ""
    stop_reason: str | None = None


class Streamed(Struct, frozen=True, gc=False):
    """An event of the model's stream, as `--include-partial-messages` passes it on."""

    type: str = ""
    index: int = 0
    message: Message | None = None
    content_block: Block | None = None
    delta: Delta | None = None
    usage: Usage | None = None


class Row(Struct, frozen=True, gc=False):
    """A line of a transcript or a stream, with the fields that the frequent types have."""

    type: str = ""
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = field(default=None, name="parentUuid")
    session: str | None = field(default=None, name="sessionId")
    stream_session: str | None = field(default=None, name="session_id")
    sidechain: bool | None = field(default=None, name="isSidechain")
    agent: str | None = field(default=None, name="agentId")
    stream_agent: str | None = field(default=None, name="agent_id")
    parent_call: str | None = field(default=None, name="parent_tool_use_id")
    timestamp: str | None = None
    cwd: str | None = None
    version: str | None = None
    message: Message | None = None
    block_index: int | None = field(default=None, name="apiBlockIndex")
    api_message: str | None = field(default=None, name="api_message_id")
    event: Streamed | None = None
    attachment: Attachment | None = None
    result: Raw = field(default=NOTHING, name="toolUseResult")
    stream_result: Raw = field(default=NOTHING, name="tool_use_result")
    denial: str | None = field(default=None, name="toolDenialKind")
    decision: Decision | None = field(default=None, name="permissionDecision")
    denials: list[Denial] | None = field(default=None, name="tool_result_meta")
    meta: bool | None = field(default=None, name="isMeta")
    synthetic: bool | None = field(default=None, name="isSynthetic")
    replay: bool | None = field(default=None, name="isReplay")
    summary: bool | None = field(default=None, name="isCompactSummary")
    origin: Origin | None = None
    source: str | None = field(default=None, name="rowSource")
    prompt_source: str | None = field(default=None, name="promptSource")
    api_error: bool | None = field(default=None, name="isApiErrorMessage")
    stream_api_error: bool | None = field(default=None, name="is_api_error_message")
    error: Raw = NOTHING
    forked: Raw = field(default=NOTHING, name="forkedFrom")

    @property
    def live(self) -> bool:
        """Whether this is a line of a stream, not of a transcript."""
        return self.session is None and self.sidechain is None


class Uses(Struct, frozen=True, gc=False):
    """What was used of one model over the whole session."""

    input: int = field(default=0, name="inputTokens")
    output: int = field(default=0, name="outputTokens")
    thinking: int | None = field(default=None, name="thinkingTokens")
    cache_read: int = field(default=0, name="cacheReadInputTokens")
    cache_write: int = field(default=0, name="cacheCreationInputTokens")
    window: int | None = field(default=None, name="contextWindow")


class Compaction(Struct, frozen=True, gc=False):
    """What a compaction did, in either spelling."""

    trigger: str | None = None
    before: int | None = field(default=None, name="preTokens")
    after: int | None = field(default=None, name="postTokens")
    stream_before: int | None = field(default=None, name="pre_tokens")
    stream_after: int | None = field(default=None, name="post_tokens")


class Limit(Struct, frozen=True, gc=False):
    """The state of a usage limit."""

    status: str | None = None
    kind: str | None = field(default=None, name="rateLimitType")


class Patch(Struct, frozen=True, gc=False):
    """A change to a background task."""

    status: str | None = None


class Ask(Struct, frozen=True, gc=False):
    """What the agent asks its host."""

    subtype: str | None = None
    tool_name: str | None = None
    description: str | None = None
    tool_use_id: str | None = None
    input: Raw = NOTHING


class Aside(Struct, frozen=True, gc=False):
    """The fields of the rarer types: results, notices, background tasks."""

    result: str | None = None
    terminal_reason: str | None = None
    is_error: bool | None = None
    errors: list[str] | None = None
    total_cost_usd: float | None = None
    total_cost: float | None = field(default=None, name="totalCostUSD")
    uses: dict[str, Uses] | None = field(default=None, name="modelUsage")
    model: str | None = None
    version: str | None = field(default=None, name="claude_code_version")
    content: Raw = NOTHING
    attempt: int | None = None
    max_retries: int | None = None
    retry_attempt: int | None = field(default=None, name="retryAttempt")
    most_retries: int | None = field(default=None, name="maxRetries")
    error_status: int | None = None
    task_id: str | None = None
    tool_use_id: str | None = None
    description: str | None = None
    prompt: str | None = None
    status: str | None = None
    summary: str | None = None
    task_type: str | None = None
    subagent_type: str | None = None
    patch: Patch | None = None
    hook_name: str | None = None
    output: str | None = None
    outcome: str | None = None
    text: str | None = None
    prevented: bool | None = field(default=None, name="preventedContinuation")
    stop_reason: str | None = field(default=None, name="stopReason")
    compaction: Compaction | None = field(default=None, name="compactMetadata")
    stream_compaction: Compaction | None = field(default=None, name="compact_metadata")
    limit: Limit | None = field(default=None, name="rate_limit_info")
    request: Ask | None = None
