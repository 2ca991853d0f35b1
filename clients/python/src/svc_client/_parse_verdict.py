"""Reads a verdict as a client must: a document that is not clearly a verdict is refused."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from ._json_value import JsonObject, JsonValue
from ._limits import MAX_SAFE_INTEGER
from ._verdict import REASON_CODES


class NotAVerdict(ValueError):
    """The document is not a verdict. `fields` names each field that is missing, wrong or contradictory."""

    def __init__(self, fields: list[str]) -> None:
        super().__init__(f"not a verdict: {', '.join(fields) or 'expected an object'}")
        self.fields = fields


def parse_verdict(document: JsonValue) -> JsonObject:
    """
    The known fields, each with its exact type; the fields that belong together are together, and an allow
    that contradicts itself is refused. Unknown fields are left out: a newer gateway may send more.

    Raises NotAVerdict.
    """
    if not isinstance(document, dict):
        raise NotAVerdict([])
    known: JsonObject = {field: document[field] for field in _CHECKS if field in document}
    wrong = [field for field, value in known.items() if not _CHECKS[field](value)]
    wrong += [field for field in _required(known) if field not in known]
    wrong += _contradictions(known)
    if wrong:
        raise NotAVerdict(wrong)
    return _completed(known)


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str) and value != ""


def _is_flag(value: JsonValue) -> bool:
    return isinstance(value, bool)


def _is_object(value: JsonValue) -> bool:
    return isinstance(value, dict)


def _is_count(value: JsonValue) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return value == int(value) and 0 <= value <= MAX_SAFE_INTEGER


def _is_link(value: JsonValue) -> bool:
    """People follow it: any other scheme could run something."""
    if not isinstance(value, str) or not value.startswith(("http://", "https://")):
        return False
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        return False
    return bool(parts.hostname) and not any(character.isspace() for character in value)


def _is_would_be(value: JsonValue) -> bool:
    if not isinstance(value, dict) or value.get("decision") not in ("deny", "pause"):
        return False
    rule_id = value.get("rule_id", False)
    return (
        _is_text(value.get("reason"))
        and _is_text(value.get("reason_code"))
        and (rule_id is None or _is_text(rule_id))
    )


def _is_decision(value: JsonValue) -> bool:
    return isinstance(value, str) and value in ("deny", "pause", "allow")


def _is_mode(value: JsonValue) -> bool:
    return isinstance(value, str) and value in ("audit_only", "shadow", "enforcement")


_CHECKS: dict[str, Callable[[JsonValue], bool]] = {
    "decision": _is_decision,
    "decision_id": _is_text,
    "reason": _is_text,
    "reason_code": _is_text,
    "rule_id": _is_text,
    "kill_switch_id": _is_text,
    "approval_url": _is_link,
    "policy_id": _is_text,
    "policy_version": _is_count,
    "mode": _is_mode,
    "would_be": _is_would_be,
    "args_constrained": _is_flag,
    "shaped_args": _is_object,
    "fail_closed": _is_flag,
    "repeated": _is_flag,
    "retryable": _is_flag,
}
"""Every field of a verdict that this version knows, and what it must be."""


def _required(known: JsonObject) -> tuple[str, ...]:
    """A deny needs nothing but its decision and a reason: a poorer deny still blocks."""
    decision = known.get("decision")
    if decision == "allow":
        shaped = ("shaped_args",) if known.get("args_constrained") is True else ()
        return ("decision_id", "args_constrained", *shaped)
    if decision == "pause":
        return ("decision_id", "approval_url")
    return ("decision", "reason")


def _contradictions(known: JsonObject) -> list[str]:
    """What an allow must not carry: it would then be two answers in one."""
    if known.get("decision") != "allow":
        return []
    fields: list[str] = [field for field in ("kill_switch_id", "approval_url") if field in known]
    if "shaped_args" in known and known.get("args_constrained") is not True:
        fields.append("shaped_args")
    if known.get("fail_closed") is True:
        fields.append("fail_closed")
    return fields


def _completed(known: JsonObject) -> JsonObject:
    """Fills in what an older or poorer gateway leaves out of a refusal; an allow has no defaults."""
    if known["decision"] != "allow":
        known["reason_code"] = _known_reason_code(known)
        known["args_constrained"] = False
        known.pop("shaped_args", None)
    would_be = known.get("would_be")
    if isinstance(would_be, dict):
        kept = {field: would_be[field] for field in ("decision", "reason", "rule_id")}
        known["would_be"] = {**kept, "reason_code": _known_reason_code(would_be)}
    if known["decision"] == "deny":
        known.setdefault("fail_closed", False)
    if known["decision"] == "pause":
        known.setdefault("reason", "The call needs an approval.")
    return known


def _known_reason_code(fields: JsonObject) -> str:
    """The code, when it is of the closed list; else the nearest that the other fields tell."""
    code = fields.get("reason_code")
    if isinstance(code, str) and code in REASON_CODES:
        return code
    if fields.get("decision") == "pause":
        return "approval_required"
    return "rule" if isinstance(fields.get("rule_id"), str) else "not_allowed"
