"""Reads a verdict out of an answer. Everything but one readable verdict becomes a deny."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from ._answer import Answer
from ._json_value import JsonObject
from ._limits import MAX_VERDICT_BYTES
from ._parse_verdict import NotAVerdict, parse_verdict
from ._refused_answer import deny_refused
from ._settings import ClientSettings
from ._strict_json import NotStrictJson, parse_strict_json
from ._verdict import Allow, Deny, Pause, Verdict, fail_closed_deny, is_retryable

_SESSION_HINT = (
    'Make the call inside session("...") or inside a function that is decorated with governed(agent_id="...").'
)

_Kind = TypeVar("_Kind", Allow, Deny, Pause)


def read_verdict(answer: Answer, args: JsonObject, settings: ClientSettings) -> Verdict:
    """`args` are those of the call that was asked about, for an allow that does not rewrite them."""
    if not 200 <= answer.status <= 299:
        return deny_refused(answer, settings)
    if answer.status != 200:
        return _unreadable(f"status {answer.status} instead of 200")
    media_type = (answer.header("content-type") or "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        return _unreadable("a body that is not application/json")
    if answer.headers.get("content-encoding", ("identity",)) != ("identity",):
        return _unreadable("an encoded body")
    if answer.body is None:
        return _unreadable(f"more than {MAX_VERDICT_BYTES} bytes")
    try:
        fields = parse_verdict(parse_strict_json(answer.body, MAX_VERDICT_BYTES))
    except NotStrictJson:
        return _unreadable("a body that is not strict JSON")
    except NotAVerdict:
        return _unreadable("JSON that is not a verdict")
    return verdict_of(fields, args)


def verdict_of(fields: JsonObject, args: JsonObject) -> Verdict:
    """The value of a parsed verdict."""
    # Every field was checked by `parse_verdict`, one by one.
    document = cast("Mapping[str, object]", fields)
    if document["decision"] == "allow":
        return _allow(document, args)
    if document["decision"] == "pause":
        return _picked(Pause, document)
    code = str(document["reason_code"])
    hint = _SESSION_HINT if code == "session_required" else None
    return _picked(Deny, {"retryable": is_retryable(code), **document, "hint": hint})


def _allow(document: Mapping[str, object], args: JsonObject) -> Allow:
    shaped = document["shaped_args"] if document["args_constrained"] is True else args
    return _picked(Allow, {**document, "args": shaped})


def _picked(kind: type[_Kind], document: Mapping[str, object]) -> _Kind:
    known = {name: value for name, value in document.items() if name in kind.__dataclass_fields__}
    return kind(**known)  # type: ignore[arg-type]


def _unreadable(what: str) -> Deny:
    reason = f"The gateway answered with {what}, which is not a readable verdict."
    return fail_closed_deny("verdict_unreadable", reason)
