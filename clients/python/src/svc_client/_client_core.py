"""What both clients know and do alike: settings, the session around, outcomes and heartbeats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from weakref import finalize

from ._asking import OnFault, deny_malformed, tell_fault
from ._deadline import Monotonic
from ._errors import SvcApprovalRequired, SvcDenied
from ._execute_call import ExecuteCall, MalformedCall, make_call
from ._gateway_documents import GatewayDocuments
from ._heartbeats import Heartbeats
from ._hint_log import HintLog
from ._json_snapshot import Encode
from ._limits import EXIT_FLUSH_S
from ._outcome import Outcome, OutcomeStatus, require_outcome
from ._outcome_reports import OnLost, OutcomeReports
from ._session import Session, current_session
from ._settings import ClientSettings
from ._usd import Usd, require_usd
from ._verdict import Allow, Deny, Pause, Verdict

if TYPE_CHECKING:
    import ssl


class ClientCore:
    """Base of the clients. It asks nothing by itself."""

    def __init__(
        self,
        settings: ClientSettings,
        *,
        monotonic: Monotonic,
        ssl_context: ssl.SSLContext | None,
        heartbeats: bool,
        on_fault: OnFault | None,
        on_lost_report: OnLost | None,
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._ssl_context = ssl_context
        self._on_fault = on_fault
        self._on_lost_report = on_lost_report
        self._hints = HintLog()
        self._documents = GatewayDocuments(settings, monotonic, ssl_context)
        self._reports = OutcomeReports(self._documents, on_lost_report)
        self._heartbeats = Heartbeats(self._documents, monotonic) if heartbeats else None
        if self._heartbeats is not None:
            # No call comes through a client that nobody has any more.
            finalize(self, self._heartbeats.end_all).atexit = False

    def report_outcome(
        self,
        allow: Allow,
        status: OutcomeStatus,
        *,
        duration_ms: float | None = None,
        cost_usd: Usd | None = None,
    ) -> None:
        """
        Tells how a call ended that `execute` allowed. Returns at once; the report is sent on another thread.
        A call that did not run is `not_executed`.

        Raises ValueError for a report that could not be one.
        """
        require_outcome(allow, status, duration_ms)
        cost = None if cost_usd is None else require_usd("cost_usd", cost_usd)
        self.report(Outcome(allow.decision_id, status, duration_ms, cost))

    def report(self, outcome: Outcome) -> None:
        self._reports.report(outcome)

    def began(self, call: ExecuteCall, attempt: object) -> None:
        """The call runs, until it ends with an outcome or is forgotten."""
        if self._heartbeats is not None:
            self._heartbeats.began(call, attempt)

    def ended(self, call: ExecuteCall, attempt: object, outcome: Outcome) -> None:
        if self._heartbeats is not None:
            self._heartbeats.finished(call, attempt)
        self.report(outcome)

    def settle(self) -> None:
        """Waits a moment for outcome reports and ends of sessions. Nothing more is sent then."""
        if self._heartbeats is not None:
            self._heartbeats.close()
        self._reports.settle(EXIT_FLUSH_S)
        self._documents.close()

    def now_s(self) -> float:
        return self._monotonic()

    def make_call(
        self,
        tool: object,
        args: Mapping[str, object],
        *,
        agent_id: object = None,
        session_id: object = None,
        namespace: object = None,
        session: Session | None = None,
        cost_usd: object = None,
        call_id: object = None,
        idempotency_key: object = None,
        encode: Encode | None = None,
    ) -> ExecuteCall:
        """What is not given comes from the session around. Raises MalformedCall."""
        around = session if session is not None else current_session.get()
        if around is not None:
            agent_id = around.agent_id if agent_id is None else agent_id
            namespace = around.namespace if namespace is None else namespace
            session_id = around.session_id if session_id is None else session_id
        is_of_session = around is not None and around.session_id == session_id
        return make_call(
            tool,
            args,
            agent_id=agent_id,
            session_id=session_id,
            namespace=namespace,
            cost_usd=cost_usd,
            call_id=call_id,
            idempotency_key=idempotency_key,
            session=around if is_of_session else None,
            encode=encode,
        )

    def call_or_deny(self, make: Callable[[], ExecuteCall]) -> ExecuteCall | Deny:
        """Makes a call. Arguments run code of their own when they are read: whatever it raises is a deny."""
        try:
            return make()
        except Exception as error:
            return self.malformed(error)

    def malformed(self, error: Exception) -> Deny:
        """The deny of a call that cannot be asked about. Only our own text is told."""
        if isinstance(error, MalformedCall):
            deny = deny_malformed(str(error), error.hint)
        else:
            deny = deny_malformed("its arguments could not be read")
        tell_fault(deny, self._on_fault, self._hints)
        return deny

    def note(self, call: ExecuteCall, verdict: Verdict) -> None:
        """Tells observers of a verdict, and counts an allow in its session."""
        tell_fault(verdict, self._on_fault, self._hints)
        if self._heartbeats is not None:
            self._heartbeats.judged(call, verdict)
        if call.session is not None and isinstance(verdict, Allow) and not verdict.repeated:
            call.session.count_step()
            call.session.add_cost(call.cost_micro_usd or 0)


def permitted(tool: str, verdict: Verdict) -> Allow:
    """The allow. Raises SvcDenied or SvcApprovalRequired for everything else."""
    if isinstance(verdict, Allow):
        return verdict
    if isinstance(verdict, Pause):
        raise SvcApprovalRequired(tool, verdict)
    raise SvcDenied(tool, verdict)
