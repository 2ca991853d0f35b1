"""A call that was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from .._json_value import JsonObject


@dataclass(frozen=True)
class Decision:
    """With the arguments of the call as they were judged. What does not apply is None."""

    decision_id: str | None
    """None for a deny that a fault caused before there was a row."""
    time: str
    """RFC 3339, by the clock of the test gateway."""
    agent_id: str
    session_id: str | None
    namespace: str
    tool: str
    args: JsonObject
    decision: str
    """`allow`, `deny` or `pause`."""
    reason: str | None
    reason_code: str | None
    rule_id: str | None
    fail_closed: bool
    policy_id: str | None
    would_be: JsonObject | None
    """What enforcement would have answered, where the mode of the policy allowed the call."""
    shaped_args: JsonObject | None
    """The arguments that the tool gets in place of its own."""
    approval_id: str | None
    kill_switch_id: str | None
    repeated: bool
    """Whether the call had been decided before under its key."""
    outcome: str | None
    """How the call ended, as far as it was reported."""


_NAMES = [field.name for field in fields(Decision)]


def decision_of(document: Mapping[str, Any]) -> Decision:
    return Decision(**{name: document[name] for name in _NAMES})
