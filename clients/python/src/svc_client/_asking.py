"""What the synchronous and the asynchronous client have in common: which deny each fault becomes."""

from __future__ import annotations

from collections.abc import Callable

from ._deadline import DeadlineExpired
from ._limits import MAX_WAITING_PER_AGENT
from ._transport_fault import TransportFault, transport_code
from ._verdict import Deny, Verdict, fail_closed_deny

OnFault = Callable[[Deny], None]


def deny_malformed(what: str) -> Deny:
    return fail_closed_deny("request_malformed", f"The call cannot be judged. {what}.")


def deny_overloaded() -> Deny:
    reason = (
        f"Expected at most {MAX_WAITING_PER_AGENT} questions of one agent to wait for the gateway. "
        "Repeat the call when others are answered."
    )
    return fail_closed_deny("adapter_overloaded", reason)


def deny_late(timeout_ms: int) -> Deny:
    return fail_closed_deny("decision_timeout", f"The gateway gave no verdict within {timeout_ms} ms.")


def deny_fault(error: Exception, timeout_ms: int) -> Deny:
    """No verdict was obtained. The text of a defect is not told: it may hold an argument."""
    if isinstance(error, DeadlineExpired):
        return deny_late(timeout_ms)
    if isinstance(error, (TransportFault, OSError, UnicodeError)):
        reason = f"No answer came from the gateway ({transport_code(error)})."
        return fail_closed_deny("gateway_unreachable", reason)
    return fail_closed_deny("internal_error", "The client failed before a verdict was obtained.")


def tell_fault(verdict: Verdict, on_fault: OnFault | None) -> None:
    """Reports a deny that a fault caused. A report cannot undo it."""
    if on_fault is None or not isinstance(verdict, Deny) or not verdict.fail_closed:
        return
    try:
        on_fault(verdict)
    except Exception:
        import logging

        logging.getLogger("svc_client").exception("on_fault failed; the call stays denied")
