"""How an allowed call ended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._usd import format_usd

OutcomeStatus: TypeAlias = Literal["succeeded", "failed", "not_executed"]

_MAX_DURATION_MS = 7 * 24 * 60 * 60 * 1_000
"""Longest duration that a report may tell, in milliseconds: a week."""


@dataclass(frozen=True)
class Outcome:
    decision_id: str
    status: OutcomeStatus
    duration_ms: float | None = None
    """None for a call that never ran."""
    cost_micro_usd: int | None = None
    """What the call really cost; None: what was reserved."""


def render_outcome(outcome: Outcome) -> bytes:
    body: dict[str, object] = {"decision_id": outcome.decision_id, "status": outcome.status}
    if outcome.duration_ms is not None:
        body["duration_ms"] = min(max(0, round(outcome.duration_ms)), _MAX_DURATION_MS)
    if outcome.cost_micro_usd is not None:
        body["cost_usd"] = format_usd(outcome.cost_micro_usd)
    return json.dumps(body, separators=(",", ":")).encode()
