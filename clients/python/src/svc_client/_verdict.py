"""The three answers of the gateway, as values that cannot be mistaken for one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias, Union

from ._json_value import JsonObject
from ._reason_codes import REPEAT

REASON_CODES = frozenset(REPEAT)
"""Why a call was not simply allowed: a closed list, stable, for machines."""


class NotABoolean:
    """A verdict in a condition would be true whatever it says, so it refuses to be one."""

    def __bool__(self) -> NoReturn:
        kind = type(self).__name__
        raise TypeError(f"{kind} is not a truth value: compare its decision, or call execute() instead")


@dataclass(frozen=True)
class Allow(NotABoolean):
    """The call may run, with `args` and with no other arguments."""

    decision_id: str
    args: JsonObject
    """What to run with: the arguments of the call, or those that the policy put in their place."""
    args_constrained: bool
    """Whether `args` are those of the policy."""
    repeated: bool = False
    """Whether this is the decision of an earlier call with the same id, which may have run already."""
    policy_id: str | None = None
    policy_version: int | None = None
    mode: str | None = None
    would_be: Mapping[str, object] | None = None
    """What the governance mode kept from taking effect."""
    decision: Literal["allow"] = "allow"


@dataclass(frozen=True)
class Deny(NotABoolean):
    """The call must not run."""

    reason: str
    reason_code: str
    fail_closed: bool
    """True when a fault, not a policy, denied the call."""
    decision_id: str | None = None
    """Names the durable audit row; None where no row could be written."""
    rule_id: str | None = None
    kill_switch_id: str | None = None
    policy_id: str | None = None
    policy_version: int | None = None
    retryable: bool | None = None
    """False: repeating the same call cannot help. None: as for every deny with this reason code."""
    hint: str | None = None
    """
    What the person who operates the program can do, with its addresses and settings. It is not part of the reason,
    which is handed to models, and no gateway sets it.
    """
    decision: Literal["deny"] = "deny"


@dataclass(frozen=True)
class Pause(NotABoolean):
    """The call must not run until a person has approved it. After that, the same call is allowed once."""

    reason: str
    reason_code: str
    decision_id: str
    approval_url: str
    rule_id: str | None = None
    policy_id: str | None = None
    policy_version: int | None = None
    decision: Literal["pause"] = "pause"


Verdict: TypeAlias = Union[Allow, Deny, Pause]


def fail_closed_deny(
    reason_code: str, reason: str, retryable: bool | None = None, hint: str | None = None
) -> Deny:
    """A deny that a fault caused. It blocks exactly as a policy deny does."""
    known = is_retryable(reason_code) if retryable is None else retryable
    return Deny(reason=reason, reason_code=reason_code, fail_closed=True, retryable=known, hint=hint)


def is_retryable(reason_code: str) -> bool:
    """Whether the same call may be decided otherwise when it is simply repeated."""
    return REPEAT.get(reason_code) == "later"
