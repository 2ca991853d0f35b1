"""Makes a function the run of an agent."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from functools import partial
from contextlib import contextmanager
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast, overload

from ._client import Client
from ._client_core import permitted
from ._drive import drive, drive_async
from ._governed_run import FunctionKind, governing_client, kind_of
from ._name import require_name
from ._open_sessions import Inside, open_sessions
from ._outcome import OutcomeStatus
from ._session import Session, current_session
from ._usd import Usd, format_usd
from ._verdict import Allow, Deny
from ._wrapper import wrapper_like

if TYPE_CHECKING:
    from ._async_client import AsyncClient

P = ParamSpec("P")
R = TypeVar("R")

CONTEXT_PARAMETER = "__gov_ctx__"


class _ContextCore:
    """What is known of a run."""

    def __init__(self, client: Client | AsyncClient, session: Session) -> None:
        self._client = client
        self._session = session

    @property
    def agent_id(self) -> str | None:
        return self._session.agent_id

    @property
    def session_id(self) -> str:
        return self._session.session_id

    @property
    def parent_session_id(self) -> str | None:
        return self._session.parent_session_id

    @property
    def steps(self) -> int:
        """Calls of this session that were allowed, as this process saw it."""
        return self._session.steps

    @property
    def cost_usd(self) -> str:
        """What these calls cost, as a decimal of USD."""
        return format_usd(self._session.cost_micro_usd)

    def report_outcome(
        self,
        allow: Allow,
        status: OutcomeStatus,
        *,
        duration_ms: float | None = None,
        cost_usd: Usd | None = None,
    ) -> None:
        """As `Client.report_outcome`."""
        self._client.report_outcome(allow, status, duration_ms=duration_ms, cost_usd=cost_usd)

    def bind(self, fn: Callable[P, R]) -> Callable[P, R]:
        """The function, running in this session on whatever thread: a new thread knows of no session."""

        def bound(*args: P.args, **kwargs: P.kwargs) -> R:
            context = copy_context()
            context.run(current_session.set, self._session)
            with Inside(self._session.session_id):
                return context.run(fn, *args, **kwargs)

        return bound


class GovernedContext(_ContextCore):
    """The run of an agent: its calls share a session. Usable from any thread."""

    def execute(
        self,
        tool: str,
        args: Mapping[str, object],
        *,
        cost_usd: Usd | None = None,
        call_id: str | None = None,
    ) -> Allow:
        """As `Client.execute`, in this session."""
        client = cast("Client", self._client)
        call = client.call_or_deny(
            partial(client.make_call, tool, args, session=self._session, cost_usd=cost_usd, call_id=call_id)
        )
        return permitted(tool, call if isinstance(call, Deny) else client.ask(call))


class AsyncGovernedContext(_ContextCore):
    """The same for a coroutine function."""

    async def execute(
        self,
        tool: str,
        args: Mapping[str, object],
        *,
        cost_usd: Usd | None = None,
        call_id: str | None = None,
    ) -> Allow:
        """As `AsyncClient.execute`, in this session."""
        client = cast("AsyncClient", self._client)
        call = client.call_or_deny(
            partial(client.make_call, tool, args, session=self._session, cost_usd=cost_usd, call_id=call_id)
        )
        return permitted(tool, call if isinstance(call, Deny) else await client.ask(call))


class _Governed:
    """
    A function may have the context as its first parameter, or anywhere with a default that nobody passes.
    Callers see neither.
    """

    def __init__(
        self, agent_id: str, session_id: str | None, namespace: str | None, client: Client | AsyncClient | None
    ) -> None:
        self._agent_id = agent_id
        self._session_id = session_id
        self._namespace = namespace
        self._client = client

    @overload
    def __call__(self, fn: Callable[Concatenate[GovernedContext, P], R]) -> Callable[P, R]: ...
    @overload
    def __call__(self, fn: Callable[Concatenate[AsyncGovernedContext, P], R]) -> Callable[P, R]: ...
    @overload
    def __call__(self, fn: Callable[P, R]) -> Callable[P, R]: ...
    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        kind = kind_of(fn)
        signature = inspect.signature(fn)
        inject = _Injector(signature, getattr(fn, "__name__", "the function"))

        def run(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            client = governing_client(self._client, kind)
            session = self._session()
            kind_of_context = GovernedContext if isinstance(client, Client) else AsyncGovernedContext
            args, kwargs = inject(args, kwargs, kind_of_context(client, session))
            return _run_in_session(kind, lambda: fn(*args, **kwargs), session)

        return cast("Callable[..., Any]", wrapper_like(fn, run, inject.shown))

    def _session(self) -> Session:
        around = current_session.get()
        if self._session_id is not None:
            return self._made(self._session_id, around)
        if around is None or around.agent_id not in (None, self._agent_id):
            # Another agent's run begins here, for which that one is the parent.
            return self._made(None, around)
        if around.agent_id is None:
            return self._made(around.session_id, around.parent)
        # An agent that calls itself goes on with its session, and with its ceilings.
        return around

    def _made(self, session_id: str | None, parent: Session | None) -> Session:
        return Session(session_id, agent_id=self._agent_id, namespace=self._namespace, parent=parent)


def governed(
    agent_id: str,
    *,
    session_id: str | None = None,
    namespace: str | None = None,
    client: Client | AsyncClient | None = None,
) -> _Governed:
    """
    Decorates the function that runs an agent. It gets the parameter `__gov_ctx__`, whose
    `execute(tool, args)` asks about a call. Each run is a session of its own, unless one is around; governed
    functions that are called inside belong to it.
    """
    require_name("agent_id", agent_id)
    if session_id is not None:
        require_name("session_id", session_id)
    if namespace is not None:
        require_name("namespace", namespace)
    return _Governed(agent_id, session_id, namespace, client)


class _Injector:
    """Puts the context where the function has its parameter."""

    def __init__(self, signature: inspect.Signature, name: str) -> None:
        parameters = list(signature.parameters.values())
        names = [each.name for each in parameters]
        if CONTEXT_PARAMETER not in names:
            raise TypeError(
                f"governed: {name} has no parameter {CONTEXT_PARAMETER}. Add one, also where the function does not use "
                "it: governed() passes the run in it, and callers leave it out"
            )
        self._place = names.index(CONTEXT_PARAMETER)
        own = parameters.pop(self._place)
        self._is_positional = own.kind is not own.KEYWORD_ONLY
        self.shown = signature.replace(parameters=parameters)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], context: _ContextCore) -> _Arguments:
        if CONTEXT_PARAMETER in kwargs:
            raise TypeError(f"{CONTEXT_PARAMETER} is given by governed(), and not by callers")
        # A call that does not fit must fail as the caller wrote it.
        self.shown.bind(*args, **kwargs)
        if self._is_positional and len(args) >= self._place:
            return (*args[: self._place], context, *args[self._place :]), kwargs
        return args, {**kwargs, CONTEXT_PARAMETER: context}


_Arguments: TypeAlias = "tuple[tuple[Any, ...], dict[str, Any]]"


@contextmanager
def _inside(session: Session) -> Generator[None]:
    before = current_session.get()
    current_session.set(session)
    try:
        with Inside(session.session_id):
            yield
    finally:
        current_session.set(before)


def _run_in_session(kind: FunctionKind, begin: Callable[[], Any], session: Session) -> Any:
    if kind == "coroutine":
        return _run_coroutine(begin, session)
    if kind == "generator":
        return _run_generator(begin, session)
    if kind == "async_generator":
        return _run_async_generator(begin, session)
    with _inside(session):
        return begin()


async def _run_coroutine(begin: Callable[[], Any], session: Session) -> Any:
    with _inside(session):
        return await begin()


def _run_generator(begin: Callable[[], Any], session: Session) -> Any:
    context = copy_context()
    context.run(current_session.set, session)
    with Inside(session.session_id):
        return (yield from drive(context.run(begin), context))


def _run_async_generator(begin: Callable[[], Any], session: Session) -> AsyncGenerator[Any, Any]:
    async def in_context() -> tuple[AsyncGenerator[Any, Any], Context]:
        context = copy_context()
        context.run(current_session.set, session)
        generator = context.run(begin)
        open_sessions.enter(session.session_id)
        return generator, context

    return drive_async(in_context, lambda _: open_sessions.leave(session.session_id))
