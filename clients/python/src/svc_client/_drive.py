"""
Runs generators in a context of their own. A generator shares the context of the reader that asks for the next
value, so a context variable that it sets would otherwise leak to its reader between two values.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextvars import Context
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from ._outcome import OutcomeStatus

T = TypeVar("T")

Begin: TypeAlias = "Callable[[], Awaitable[tuple[AsyncGenerator[Any, Any], Context]]]"


def drive(generator: Generator[Any, Any, T], context: Context) -> Generator[Any, Any, T]:
    """The same values, exceptions and result; each step runs in the context."""
    step: Callable[..., Any] = next
    arguments: tuple[Any, ...] = (generator,)
    while True:
        try:
            value = context.run(step, *arguments)
        except StopIteration as end:
            result: T = end.value
            return result
        try:
            sent = yield value
        except GeneratorExit:
            context.run(generator.close)
            raise
        except BaseException as error:
            step, arguments = generator.throw, (error,)
        else:
            step, arguments = generator.send, (sent,)


async def drive_async(begin: Begin, end: Callable[[OutcomeStatus], None]) -> AsyncGenerator[Any, Any]:
    """
    The same for an asynchronous generator, which `begin` makes. `end` is called once: a reader that needs no
    more of it ends it as well as its last value does.
    """
    generator, context = await begin()
    step: Callable[[], Awaitable[Any]] = generator.__anext__
    while True:
        try:
            value = await InContext(context, step)
        except StopAsyncIteration:
            end("succeeded")
            return
        except BaseException:
            end("failed")
            raise
        try:
            sent = yield value
        except GeneratorExit:
            await _close(generator, context, end)
            raise
        except BaseException as error:
            step = partial(generator.athrow, error)
        else:
            step = partial(generator.asend, sent)


async def _close(
    generator: AsyncGenerator[Any, Any], context: Context, end: Callable[[OutcomeStatus], None]
) -> None:
    try:
        await InContext(context, generator.aclose)
    except BaseException:
        end("failed")
        raise
    end("succeeded")


class InContext(Generic[T]):
    """Awaits something in a context, within the task that awaits this."""

    def __init__(self, context: Context, begin: Callable[[], Awaitable[T]]) -> None:
        self._context = context
        self._begin = begin

    def __await__(self) -> Generator[Any, Any, T]:
        steps = self._context.run(lambda: self._begin().__await__())
        return (yield from drive(steps, self._context))
