"""Governs every call of a function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar, Union, cast

from ._client import Client
from ._client_core import ClientCore
from ._governed_run import GovernedRun, governing_client, kind_of, run_governed
from ._name import require_name
from ._json_snapshot import Encode
from ._json_value import JsonValue
from ._recorded_call import ArgumentRecorder
from ._usd import Usd
from ._wrapper import wrapper_like

if TYPE_CHECKING:
    from ._async_client import AsyncClient

P = ParamSpec("P")
R = TypeVar("R")

Cost: TypeAlias = Union[Usd, Callable[[Mapping[str, JsonValue]], Usd]]
"""What a call is expected to cost, or a function that says so from its recorded arguments."""


def governed_fn(
    tool: str,
    agent_id: str | None = None,
    *,
    namespace: str | None = None,
    cost_usd: Cost | None = None,
    omit: Collection[str] = (),
    encode: Encode | None = None,
    client: Client | AsyncClient | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """
    Decorates a function, coroutine function, generator function or method: every call of it is judged with
    its arguments by the names of its parameters, and runs when it is allowed. A generator is judged when its
    first value is asked for.

    `omit` names parameters that are not recorded. `encode` turns a value that JSON cannot say into one that
    it can. A call raises SvcDenied or SvcApprovalRequired when the function must not run.
    """
    require_name("tool", tool)
    if agent_id is not None:
        require_name("agent_id", agent_id)

    def decorate(fn: Callable[P, R]) -> Callable[P, R]:
        if isinstance(fn, (staticmethod, classmethod)):
            method = cast("staticmethod[..., Any]", fn)
            inner = _governed(method.__func__, is_static=isinstance(fn, staticmethod))
            return cast("Callable[P, R]", type(method)(inner))
        return cast("Callable[P, R]", _governed(fn))

    def _governed(fn: Callable[..., Any], *, is_static: bool = False) -> Callable[..., Any]:
        kind = kind_of(fn)
        recorder = ArgumentRecorder(fn, omit, encode, is_static=is_static)

        def prepare(chosen: ClientCore, args: tuple[Any, ...], kwargs: dict[str, Any]) -> GovernedRun:
            recorded = recorder.record(args, kwargs)
            cost = cost_usd(dict(recorded.recorded)) if callable(cost_usd) else cost_usd
            call = chosen.make_call(
                tool, recorded.recorded, agent_id=agent_id, namespace=namespace, cost_usd=cost
            )
            return GovernedRun(chosen, call, recorded, fn)

        def run(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            chosen = governing_client(client, kind)
            return run_governed(chosen, kind, tool, lambda: prepare(chosen, args, kwargs))

        return cast("Callable[..., Any]", wrapper_like(fn, run))

    return decorate
