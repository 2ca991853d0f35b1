"""One run of a function that was allowed, and the report of how it ended."""

from __future__ import annotations

from contextvars import ContextVar

from ._client_core import ClientCore
from ._execute_call import ExecuteCall
from ._outcome import Outcome, OutcomeStatus
from ._usd import Usd, require_usd
from ._verdict import Allow


class Attempt:
    """Begins when the function is invoked."""

    def __init__(self, client: ClientCore, call: ExecuteCall, allow: Allow) -> None:
        self._client = client
        self._call = call
        self._decision_id = allow.decision_id
        self._cost_micro_usd: int | None = None
        self._began = client.now_s()
        client.began(call, self)

    def add_cost(self, micro_usd: int) -> None:
        self._cost_micro_usd = (self._cost_micro_usd or 0) + micro_usd

    def end(self, status: OutcomeStatus) -> None:
        duration_ms = (self._client.now_s() - self._began) * 1_000
        cost = self._cost_micro_usd
        if cost is not None and self._call.session is not None:
            self._call.session.add_cost(cost - (self._call.cost_micro_usd or 0))
        self._client.ended(self._call, self, Outcome(self._decision_id, status, duration_ms, cost))


current_attempt: ContextVar[Attempt | None] = ContextVar("svc_client_attempt", default=None)


def report_cost(usd: Usd) -> None:
    """
    Adds to what the governed call around really costs, for instance the price of a model's answer. The sum is
    reported with the outcome of the call, instead of what was reserved for it.

    Raises LookupError where no governed call is running.
    """
    micro_usd = require_usd("usd", usd)
    attempt = current_attempt.get()
    if attempt is None:
        raise LookupError("report_cost: expected to be called by a governed function while it runs")
    attempt.add_cost(micro_usd)
