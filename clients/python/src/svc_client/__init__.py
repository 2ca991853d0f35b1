"""
Every tool call of an agent is judged by a Svc gateway before it runs, and denied when it cannot be.

    from svc_client import governed_fn

    @governed_fn("payments.refund", agent_id="refund-bot")
    def refund(order: str, amount: float) -> str: ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._attempt import report_cost
from ._canonical_json import canonical_json, digest_of
from ._client import Client
from ._errors import SvcApprovalRequired, SvcDenied, SvcError, SvcWebhookInvalid
from ._govern_call import govern_call
from ._governed import AsyncGovernedContext, GovernedContext, governed
from ._governed_fn import governed_fn
from ._session import Session, session
from ._verdict import Allow, Deny, Pause, Verdict
from ._verify_webhook import WebhookEvent, verify_webhook

if TYPE_CHECKING:
    from ._async_client import AsyncClient

__version__ = "0.1.0"

__all__ = [
    "Allow",
    "AsyncClient",
    "AsyncGovernedContext",
    "Client",
    "Deny",
    "GovernedContext",
    "Pause",
    "Session",
    "SvcApprovalRequired",
    "SvcDenied",
    "SvcError",
    "SvcWebhookInvalid",
    "Verdict",
    "WebhookEvent",
    "canonical_json",
    "digest_of",
    "govern_call",
    "governed",
    "governed_fn",
    "report_cost",
    "session",
    "verify_webhook",
]


def __getattr__(name: str) -> object:
    """asyncio takes longer to import than everything else here, and not every process needs it."""
    if name == "AsyncClient":
        from ._async_client import AsyncClient

        return AsyncClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
