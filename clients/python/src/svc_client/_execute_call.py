"""One intended tool call, checked and written as the body of an execute request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from ._canonical_json import digest_of
from ._identifier import IDEMPOTENCY_KEY_EXPECTATION, is_idempotency_key
from ._json_snapshot import Encode, NotJson, json_snapshot
from ._json_value import JsonObject
from ._limits import MAX_BODY_BYTES
from ._name import is_name, refusal
from ._session import Session
from ._usd import USD_EXPECTATION, format_usd, parse_usd


class MalformedCall(ValueError):
    """The call cannot be asked about. The text names the field, what was expected and what came."""

    def __init__(self, text: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.hint = hint
        """What the author of the program can do."""


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)

_NO_AGENT = (
    'Pass agent_id="...", or make the call inside a function that is decorated with governed(agent_id="...") or '
    'inside session(agent_id="...").'
)


@dataclass(frozen=True)
class ExecuteCall:
    agent_id: str
    tool: str
    args: JsonObject
    """A copy: what is judged cannot change any more."""
    session_id: str | None = None
    namespace: str | None = None
    cost_micro_usd: int | None = None
    idempotency_key: str | None = None
    session: Session | None = None
    """Where this process counts the call; not sent."""


def make_call(
    tool: object,
    args: object,
    *,
    agent_id: object,
    session_id: object = None,
    namespace: object = None,
    cost_usd: object = None,
    call_id: object = None,
    idempotency_key: object = None,
    session: Session | None = None,
    encode: Encode | None = None,
) -> ExecuteCall:
    """Raises MalformedCall."""
    cost = None if cost_usd is None else parse_usd(cost_usd)
    if cost_usd is not None and cost is None:
        raise MalformedCall(f"cost_usd: expected {USD_EXPECTATION}")
    plain = _plain_args(args, encode)
    if agent_id is None:
        raise MalformedCall("agent_id: expected the agent that makes the call; got none", _NO_AGENT)
    named_session = _optional_name("session_id", session_id)
    return ExecuteCall(
        agent_id=_name("agent_id", agent_id),
        tool=_name("tool", tool),
        args=plain,
        session_id=named_session,
        namespace=_optional_name("namespace", namespace),
        cost_micro_usd=cost,
        idempotency_key=_idempotency_key(idempotency_key, call_id, named_session, plain),
        session=session,
    )


def render_body(call: ExecuteCall) -> bytes:
    """What the caller did not name is left out. Raises MalformedCall when it is too long."""
    body: dict[str, object] = {"agent_id": call.agent_id, "tool": call.tool, "args": call.args}
    if call.session_id is not None:
        body["session_id"] = call.session_id
    if call.namespace is not None:
        body["namespace"] = call.namespace
    if call.cost_micro_usd is not None:
        body["cost_usd"] = format_usd(call.cost_micro_usd)
    text = _ENCODER.encode(body).encode()
    if len(text) > MAX_BODY_BYTES:
        raise MalformedCall(f"args: expected a body of at most {MAX_BODY_BYTES} bytes; got {len(text)}")
    return text


def idempotency_key_of(session_id: str | None, call_id: str, args: JsonObject) -> str:
    """
    Names one call of one session with these arguments. A framework that asks again about the same call gets
    the decision that is there. Call ids come from models and repeat across runs, so they never stand alone.
    """
    return digest_of(["svc-call-1", session_id, call_id, digest_of(args)])


def _plain_args(args: object, encode: Encode | None) -> JsonObject:
    if not isinstance(args, Mapping):
        raise MalformedCall(f"args: expected a mapping of names to values; got {type(args).__name__}")
    try:
        plain = json_snapshot(dict(args), "args", encode)  # pyright: ignore[reportUnknownArgumentType]
    except NotJson as error:
        raise MalformedCall(str(error)) from error
    if not isinstance(plain, dict):
        raise MalformedCall("args: expected a mapping of names to values")
    return plain


def _name(field: str, value: object) -> str:
    if isinstance(value, str) and is_name(value):
        return str.__str__(value)
    raise MalformedCall(f"{field}: {refusal(value)}")


def _optional_name(field: str, value: object) -> str | None:
    return None if value is None else _name(field, value)


def _idempotency_key(key: object, call_id: object, session: str | None, args: JsonObject) -> str | None:
    if key is not None:
        if isinstance(key, str) and is_idempotency_key(key):
            return key
        raise MalformedCall(f"idempotency_key: expected {IDEMPOTENCY_KEY_EXPECTATION}")
    if call_id is None:
        return None
    if not isinstance(call_id, str) or call_id == "":
        raise MalformedCall("call_id: expected a text that is not empty")
    try:
        return idempotency_key_of(session, call_id, args)
    except UnicodeError as error:
        raise MalformedCall("call_id: expected well-formed Unicode") from error
