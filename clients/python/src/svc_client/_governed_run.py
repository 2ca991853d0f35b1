"""Asks about one call of a function and runs it when it is allowed: the only place where that happens."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from ._attempt import Attempt, current_attempt
from ._client import Client
from ._client_core import ClientCore, permitted
from ._default_client import default_client
from ._drive import drive, drive_async
from ._errors import SvcDenied
from ._execute_call import ExecuteCall, MalformedCall
from ._outcome import Outcome, OutcomeStatus
from ._recorded_call import Arguments, CannotApply
from ._verdict import Allow, Verdict, fail_closed_deny

if TYPE_CHECKING:
    from ._async_client import AsyncClient

FunctionKind: TypeAlias = Literal["function", "coroutine", "generator", "async_generator"]


class Judged(Protocol):
    """Arguments that were recorded."""

    def arguments_for(self, allow: Allow) -> Arguments: ...


_PENDING: tuple[type, ...] = (Awaitable, Generator, AsyncGenerator)


@dataclass(frozen=True)
class GovernedRun:
    """One call of a function, not asked about yet."""

    client: ClientCore
    call: ExecuteCall
    judged: Judged
    fn: Callable[..., Any]


Prepare: TypeAlias = Callable[[], GovernedRun]


def kind_of(fn: Callable[..., Any]) -> FunctionKind:
    """How the function runs. A callable object runs as its `__call__` does."""
    # A function says it by itself, and so does functools.partial of one.
    for candidate in (fn, getattr(type(fn), "__call__", None)):
        if inspect.iscoroutinefunction(candidate):
            return "coroutine"
        if inspect.isasyncgenfunction(candidate):
            return "async_generator"
        if inspect.isgeneratorfunction(candidate):
            return "generator"
    return "function"


def governing_client(client: Client | AsyncClient | None, kind: FunctionKind) -> Client | AsyncClient:
    """The client that a function of this kind can be governed with; without one, that of the environment."""
    chosen = client if client is not None else default_client()
    is_async = kind in ("coroutine", "async_generator")
    if isinstance(chosen, Client):
        return chosen.for_coroutines() if is_async else chosen
    if is_async:
        return chosen
    raise TypeError("client: expected a Client, because the function is not a coroutine function")


def run_governed(client: ClientCore, kind: FunctionKind, tool: str, prepare: Prepare) -> Any:
    """
    What the function itself would answer: a value, a coroutine or a generator. `prepare` records the
    arguments when the run begins.
    """

    def prepared() -> GovernedRun:
        try:
            return prepare()
        except MalformedCall as error:
            raise SvcDenied(tool, client.malformed(error)) from None

    if isinstance(client, Client):
        return _run_generator(client, prepared) if kind == "generator" else _run_function(client, prepared)
    # Imported here: asyncio takes longer than everything else, and not every process needs it.
    from ._async_client import AsyncClient

    if not isinstance(client, AsyncClient):
        raise TypeError(f"client: expected a Client or an AsyncClient; got {type(client).__name__}")
    if kind == "async_generator":
        return _run_async_generator(client, prepared)
    return _run_coroutine(client, prepared)


def _run_function(client: Client, prepare: Prepare) -> Any:
    run = prepare()
    attempt, (args, kwargs) = _begin(run, client.ask(run.call))
    before = current_attempt.get()
    current_attempt.set(attempt)
    try:
        result: Any = run.fn(*args, **kwargs)
    except BaseException:
        attempt.end("failed")
        raise
    finally:
        current_attempt.set(before)
    # Nobody knows yet how something ends that is only handed out here.
    if not isinstance(result, _PENDING):
        attempt.end("succeeded")
    return result


async def _run_coroutine(client: AsyncClient, prepare: Prepare) -> Any:
    run = prepare()
    attempt, (args, kwargs) = _begin(run, await client.ask(run.call))
    before = current_attempt.get()
    current_attempt.set(attempt)
    try:
        result = await run.fn(*args, **kwargs)
    except BaseException:
        attempt.end("failed")
        raise
    finally:
        current_attempt.set(before)
    attempt.end("succeeded")
    return result


def _run_generator(client: Client, prepare: Prepare) -> Generator[Any, Any, Any]:
    run = prepare()
    attempt, (args, kwargs) = _begin(run, client.ask(run.call))
    context = copy_context()
    context.run(current_attempt.set, attempt)
    try:
        result = yield from drive(context.run(run.fn, *args, **kwargs), context)
    except GeneratorExit:
        # Its reader needs no more of it.
        attempt.end("succeeded")
        raise
    except BaseException:
        attempt.end("failed")
        raise
    attempt.end("succeeded")
    return result


def _run_async_generator(client: AsyncClient, prepare: Prepare) -> AsyncGenerator[Any, Any]:
    attempts: list[Attempt] = []

    async def begin() -> tuple[AsyncGenerator[Any, Any], Context]:
        run = prepare()
        attempt, (args, kwargs) = _begin(run, await client.ask(run.call))
        context = copy_context()
        context.run(current_attempt.set, attempt)
        attempts.append(attempt)
        return context.run(run.fn, *args, **kwargs), context

    def end(status: OutcomeStatus) -> None:
        for attempt in attempts:
            attempt.end(status)

    return drive_async(begin, end)


def _begin(run: GovernedRun, verdict: Verdict) -> tuple[Attempt, Arguments]:
    """Raises SvcDenied or SvcApprovalRequired unless the function may run with these arguments."""
    allow = permitted(run.call.tool, verdict)
    try:
        arguments = run.judged.arguments_for(allow)
    except CannotApply as error:
        run.client.report(Outcome(allow.decision_id, "not_executed"))
        raise SvcDenied(run.call.tool, fail_closed_deny(error.reason_code, error.reason)) from None
    return Attempt(run.client, run.call, allow), arguments
