"""How an allowed call ended."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from ._identifier import excerpt
from ._usd import format_usd
from ._verdict import Allow

OutcomeStatus: TypeAlias = Literal["succeeded", "failed", "not_executed"]

_STATUSES: tuple[object, ...] = get_args(OutcomeStatus)

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


def require_outcome(allow: object, status: object, duration_ms: object) -> None:
    """Raises TypeError or ValueError that names the argument."""
    if not isinstance(allow, Allow):
        raise TypeError(f"allow: expected the Allow of the call; got {excerpt(allow)}")
    if status not in _STATUSES:
        raise ValueError(f"status: expected succeeded, failed or not_executed; got {excerpt(status)}")
    if duration_ms is None:
        return
    is_number = isinstance(duration_ms, (int, float)) and not isinstance(duration_ms, bool)
    if not is_number or not 0 <= cast("float", duration_ms) < math.inf:
        raise ValueError(f"duration_ms: expected milliseconds from 0, or None; got {duration_ms!r}")


def render_outcome(outcome: Outcome) -> bytes:
    body: dict[str, object] = {"decision_id": outcome.decision_id, "status": outcome.status}
    if outcome.duration_ms is not None:
        body["duration_ms"] = min(max(0, round(outcome.duration_ms)), _MAX_DURATION_MS)
    if outcome.cost_micro_usd is not None:
        body["cost_usd"] = format_usd(outcome.cost_micro_usd)
    return json.dumps(body, separators=(",", ":")).encode()
