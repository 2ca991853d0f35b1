"""What the synchronous and the asynchronous client have in common: which deny each fault becomes."""

from __future__ import annotations

from collections.abc import Callable

from ._deadline import DeadlineExpired
from ._hint_log import HintLog
from ._limits import MAX_WAITING_PER_AGENT
from ._settings import ClientSettings
from ._transport_fault import TransportFault, transport_code
from ._transport_hint import transport_hint
from ._verdict import Deny, Verdict, fail_closed_deny

OnFault = Callable[[Deny], None]


def deny_malformed(what: str, hint: str | None = None) -> Deny:
    return fail_closed_deny("request_malformed", f"The call cannot be judged. {what}.", hint=hint)


def deny_overloaded() -> Deny:
    reason = (
        f"Expected at most {MAX_WAITING_PER_AGENT} questions of one agent to wait for the gateway. "
        "Repeat the call when others are answered."
    )
    return fail_closed_deny("adapter_overloaded", reason)


def deny_late(settings: ClientSettings) -> Deny:
    reason = f"The gateway gave no verdict within {settings.timeout_ms} ms."
    hint = f"{settings.base_url} was asked. SVC_DECISION_TIMEOUT_MS sets how long the client waits."
    return fail_closed_deny("decision_timeout", reason, hint=hint)


def deny_fault(error: Exception, settings: ClientSettings) -> Deny:
    """No verdict was obtained. The text of a defect is not told: it may hold an argument."""
    if isinstance(error, DeadlineExpired):
        return deny_late(settings)
    if isinstance(error, (TransportFault, OSError, UnicodeError)):
        code = transport_code(error)
        hint, retryable = transport_hint(settings.base_url, code)
        return fail_closed_deny("gateway_unreachable", f"No answer came from the gateway ({code}).", retryable, hint)
    return fail_closed_deny("internal_error", "The client failed before a verdict was obtained.")


def tell_fault(verdict: Verdict, on_fault: OnFault | None, hints: HintLog) -> None:
    """Reports a deny that a fault caused, and writes the hint that nobody else is told. Neither can undo the deny."""
    if not isinstance(verdict, Deny):
        return
    if on_fault is None or not verdict.fail_closed:
        hints.write(verdict)
        return
    try:
        on_fault(verdict)
    except Exception:
        import logging

        logging.getLogger("svc_client").exception("on_fault failed; the call stays denied")
