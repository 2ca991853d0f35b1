"""Governs one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ._client import Client
from ._governed_run import GovernedRun, governing_client, kind_of, run_governed
from ._json_snapshot import Encode
from ._named_call import NamedCall
from ._usd import Usd

if TYPE_CHECKING:
    from ._async_client import AsyncClient

T = TypeVar("T")


def govern_call(
    tool: str,
    args: Mapping[str, Any],
    agent_id: str | None = None,
    fn: Callable[..., T] | None = None,
    *,
    session_id: str | None = None,
    namespace: str | None = None,
    cost_usd: Usd | None = None,
    call_id: str | None = None,
    encode: Encode | None = None,
    client: Client | AsyncClient | None = None,
) -> T:
    """
    Asks for a verdict. On an allow, calls `fn(**args)` and returns its result unchanged; where the policy
    rewrites the arguments, `fn` gets the rewritten ones. A function without parameters is called without any,
    and a policy that rewrites the arguments denies it. With a coroutine function, await what this returns:
    nothing is asked and nothing runs before.

    Raises SvcDenied or SvcApprovalRequired, and then `fn` was not invoked. Raises TypeError, and asks nothing,
    when `fn` has parameters that `args` do not fit.
    """
    if fn is None:
        raise TypeError("govern_call: expected fn=, the function to call when it is allowed")
    kind = kind_of(fn)
    chosen = governing_client(client, kind)

    def prepare() -> GovernedRun:
        named = NamedCall(fn, args, encode)
        call = chosen.make_call(
            tool,
            named.args,
            agent_id=agent_id,
            session_id=session_id,
            namespace=namespace,
            cost_usd=cost_usd,
            call_id=call_id,
            encode=encode,
        )
        # A call that was allowed counts, so a mistake is found before the question.
        named.require_callable()
        return GovernedRun(chosen, call, named, fn)

    result: T = run_governed(chosen, kind, tool, prepare)
    return result
