"""What a caller of the library catches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._reason_codes import REPEAT
from ._verdict import is_retryable

if TYPE_CHECKING:
    from ._verdict import Deny, Pause


class SvcError(Exception):
    """Every error of this library that is about one call or one delivery."""


class SvcDenied(SvcError):
    """
    The call was denied, and its function was not invoked. The text is written for the model that asked for
    the call: what was denied, why, and whether repeating it can help.
    """

    def __init__(self, tool: str, deny: Deny) -> None:
        retryable = is_retryable(deny.reason_code) if deny.retryable is None else deny.retryable
        super().__init__(_denied(tool, deny, retryable))
        self.tool = tool
        self.verdict = deny
        self.reason = deny.reason
        self.reason_code = deny.reason_code
        self.rule_id = deny.rule_id
        self.decision_id = deny.decision_id
        self.kill_switch_id = deny.kill_switch_id
        self.fail_closed = deny.fail_closed
        self.retryable = retryable
        """False: repeating the same call cannot help."""
        self.hint = deny.hint
        """What the operator of the program can do, with its addresses and settings. Do not hand it to a model."""

    def __reduce__(self) -> tuple[type[SvcDenied], tuple[str, Deny]]:
        return (type(self), (self.tool, self.verdict))


class SvcApprovalRequired(SvcError):
    """
    A person must approve the call first; its function was not invoked. After the approval, the same call is
    allowed once. With the reason_code `agent_suspended` the call is held until its agent has recovered, and
    nobody can approve it.
    """

    def __init__(self, tool: str, pause: Pause) -> None:
        super().__init__(_paused(tool, pause))
        self.tool = tool
        self.verdict = pause
        self.reason = pause.reason
        self.reason_code = pause.reason_code
        self.rule_id = pause.rule_id
        self.decision_id = pause.decision_id
        self.approval_url = pause.approval_url

    @property
    def approval_id(self) -> str | None:
        """The last part of the approval's address; None where the address has another form."""
        before, _, last = self.approval_url.rpartition("/")
        return last if before.endswith("/approvals") and last else None

    def __reduce__(self) -> tuple[type[SvcApprovalRequired], tuple[str, Pause]]:
        return (type(self), (self.tool, self.verdict))


class SvcWebhookInvalid(SvcError):
    """The delivery does not come from the service, or not lately. Answer 400 and do nothing."""


def _paused(tool: str, pause: Pause) -> str:
    if pause.reason_code == "agent_suspended":
        return (
            f"{tool} was not run, because it is held: {sentence(pause.reason)} Nobody can approve it. "
            f"Make the same call again later: {pause.approval_url} says when."
        )
    return (
        f"{tool} was not run, because a person must approve it first: {sentence(pause.reason)} "
        f"Approve it at {pause.approval_url}, then make the same call again."
    )


def _denied(tool: str, deny: Deny, retryable: bool) -> str:
    rule = "" if deny.rule_id is None else f" (rule {deny.rule_id})"
    outcome = "No decision could be obtained, so it was not run." if deny.fail_closed else "It was not run."
    if retryable:
        advice = "The same call may be allowed later."
    elif REPEAT.get(deny.reason_code) == "never":
        advice = "The same call with the same arguments will be denied again."
    else:
        advice = "Repeating it does not help until that changes."
    return f"{tool} was denied{rule}: {sentence(deny.reason)} {outcome} {advice}"


def sentence(text: str) -> str:
    """The text with an end, so that another sentence can follow."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
