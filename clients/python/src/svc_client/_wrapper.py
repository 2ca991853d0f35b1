"""Makes the function that callers get instead of another one."""

from __future__ import annotations

import inspect
import types
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from typing import Any, TypeAlias, cast

from ._governed_run import kind_of

Run: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any]], Any]
"""Runs one call: a value, a coroutine or a generator, as the function itself would answer."""

_COPIED = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__", "__type_params__")


def wrapper_like(fn: Callable[..., Any], run: Run, signature: inspect.Signature | None = None) -> Any:
    """
    A function of the same kind, name and signature. Its `__wrapped__` is not `fn`: frameworks follow that
    attribute, and a call of what they find would be judged by nobody. It is a function that refuses.
    """
    kind = kind_of(fn)
    wrapper: Any
    if kind == "coroutine":

        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            return await run(args, kwargs)

        wrapper = coroutine
    elif kind == "generator":

        def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            inner: Generator[Any, Any, Any] = run(args, kwargs)
            return (yield from inner)

        wrapper = generator
    elif kind == "async_generator":
        wrapper = _async_generator(run)
    else:

        def function(*args: Any, **kwargs: Any) -> Any:
            return run(args, kwargs)

        wrapper = function
    shown = inspect.signature(fn) if signature is None else signature
    for each in (wrapper, refusing := _refusing(fn, is_coroutine=kind == "coroutine")):
        _dress(each, fn, shown)
    # Annotations that are texts are resolved in the module of the innermost function.
    wrapper.__wrapped__ = refusing
    return wrapper


def _dress(function: Any, fn: Callable[..., Any], signature: inspect.Signature) -> None:
    for name in _COPIED:
        if hasattr(fn, name):
            setattr(function, name, getattr(fn, name))
    function.__annotations__ = {
        name: annotation
        for name, annotation in function.__annotations__.items()
        if name == "return" or name in signature.parameters
    }
    marks: dict[str, object] = getattr(fn, "__dict__", {})
    function.__dict__.update({name: mark for name, mark in marks.items() if _is_plain(mark)})
    function.__signature__ = signature


def _is_plain(mark: object) -> bool:
    """Whether nothing behind it can be called: `dispatch` or `retry_with` would run the function unjudged."""
    if type(mark) in (list, tuple, set, frozenset):
        return all(map(_is_plain, cast("Iterable[object]", mark)))
    if type(mark) is dict:
        return all(_is_plain(key) and _is_plain(value) for key, value in cast("dict[object, object]", mark).items())
    return mark is None or type(mark) in (bool, int, float, complex, str, bytes)


def _async_generator(run: Run) -> Callable[..., Any]:
    """An asynchronous generator cannot delegate, so each step is passed on."""

    async def async_generator(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        inner = run(args, kwargs)
        step = inner.__anext__()
        while True:
            try:
                value = await step
            except StopAsyncIteration:
                return
            try:
                sent = yield value
            except GeneratorExit:
                await inner.aclose()
                raise
            except BaseException as error:
                step = inner.athrow(error)
            else:
                step = inner.asend(sent)

    return async_generator


def _refusing(fn: Callable[..., Any], *, is_coroutine: bool) -> Any:
    source = _refuse_coroutine if is_coroutine else _refuse
    return types.FunctionType(source.__code__, getattr(fn, "__globals__", {}), source.__name__)


def _refuse(*_: Any, **__: Any) -> Any:
    raise RuntimeError("this function is governed: call the decorated one, not what it wraps")


async def _refuse_coroutine(*_: Any, **__: Any) -> Any:
    raise RuntimeError("this function is governed: call the decorated one, not what it wraps")
