"""Functions whose every call is governed."""

from __future__ import annotations

import asyncio
import functools
import inspect
import typing
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from support.gateways import ScriptedGateway, eventually
from support.marker import Marker
from svc_client import AsyncClient, SvcApprovalRequired, SvcDenied, governed_fn, report_cost


class TestKinds:
    def test_a_coroutine_function(self, govern: Any, gateway: ScriptedGateway) -> None:
        @govern()
        async def fn(amount: int) -> int:
            await asyncio.sleep(0)
            return amount

        assert inspect.iscoroutinefunction(fn)
        assert asyncio.run(fn(3)) == 3
        eventually(lambda: len(gateway.outcomes) == 1, "an outcome")
        assert gateway.outcomes[0]["status"] == "succeeded"

    def test_a_generator_function(self, govern: Any, gateway: ScriptedGateway) -> None:
        @govern()
        def fn(count: int) -> Any:
            got = yield "first"
            try:
                yield got
            except KeyError as error:
                yield error
            return count

        assert inspect.isgeneratorfunction(fn)
        generator = fn(7)
        assert gateway.seen == []
        assert next(generator) == "first"
        assert generator.send("sent") == "sent"
        error = KeyError()
        assert generator.throw(error) is error
        with pytest.raises(StopIteration) as end:
            next(generator)
        assert end.value.value == 7
        eventually(lambda: len(gateway.outcomes) == 1, "an outcome")
        assert gateway.outcomes[0]["status"] == "succeeded"

    def test_an_asynchronous_generator_function(self, govern: Any, gateway: ScriptedGateway) -> None:
        closed: list[bool] = []

        @govern()
        async def fn(count: int) -> Any:
            try:
                for each in range(count):
                    await asyncio.sleep(0)
                    got = yield each
                    if got is not None:
                        yield got
            finally:
                closed.append(True)

        assert inspect.isasyncgenfunction(fn)

        async def main() -> list[Any]:
            values = [value async for value in fn(3)]
            other = fn(3)
            values.append(await other.__anext__())
            values.append(await other.asend("sent"))
            with pytest.raises(KeyError):
                await other.athrow(KeyError())
            third = fn(3)
            values.append(await third.__anext__())
            await third.aclose()
            return values

        assert asyncio.run(main()) == [0, 1, 2, 0, "sent", 0]
        assert closed == [True, True, True]
        eventually(lambda: len(gateway.outcomes) == 3, "the outcomes")
        assert [each["status"] for each in gateway.outcomes] == ["succeeded", "failed", "succeeded"]

    @pytest.mark.parametrize(("tool", "error"), [("denied", SvcDenied), ("paused", SvcApprovalRequired)])
    def test_no_kind_of_function_runs_when_it_must_not(self, govern: Any, tool: str, error: Any) -> None:
        ran: list[str] = []

        @govern(tool)
        def function() -> None:
            ran.append("function")

        @govern(tool)
        async def coroutine() -> None:
            ran.append("coroutine")

        @govern(tool)
        def generator() -> Iterator[int]:
            ran.append("generator")
            yield 1

        @govern(tool)
        async def async_generator() -> AsyncIterator[int]:
            ran.append("async_generator")
            yield 1

        async def read() -> None:
            async for _ in async_generator():
                pass

        for attempt in (function, lambda: asyncio.run(coroutine()), lambda: list(generator()), lambda: asyncio.run(read())):
            with pytest.raises(error):
                attempt()
        assert ran == []

    def test_a_partial_and_a_callable_object(self, govern: Any) -> None:
        class Callable:
            async def __call__(self, amount: int) -> int:
                return amount

        async def fn(amount: int, to: str) -> str:
            return f"{amount} {to}"

        assert asyncio.run(govern()(Callable())(1)) == 1
        assert asyncio.run(govern()(functools.partial(fn, to="x"))(1)) == "1 x"

    def test_an_asynchronous_client_governs_coroutines_and_nothing_else(self, gateway: ScriptedGateway) -> None:
        client = AsyncClient(gateway.url, None)

        @governed_fn("pay", agent_id="a", client=client)
        async def coroutine() -> int:
            return 1

        @governed_fn("pay", agent_id="a", client=client)
        def function() -> int:
            raise AssertionError("invoked")

        async def main() -> int:
            async with client:
                return await coroutine()

        assert asyncio.run(main()) == 1
        with pytest.raises(TypeError, match="expected a Client"):
            function()


class TestIdentity:
    def test_name_document_and_signature_stay(self, govern: Any) -> None:
        def fn(amount: int, to: Marker) -> str:
            """Pays."""
            return ""

        governed = govern()(fn)
        assert (governed.__name__, governed.__doc__, governed.__module__) == ("fn", "Pays.", fn.__module__)
        assert inspect.signature(governed) == inspect.signature(fn)
        assert typing.get_type_hints(governed) == {"amount": int, "to": Marker, "return": str}

    @pytest.mark.parametrize("is_coroutine", [False, True])
    def test_nothing_that_the_decorator_leaves_leads_to_the_bare_function(
        self, govern: Any, is_coroutine: bool
    ) -> None:
        def function() -> None:
            raise AssertionError("invoked")

        async def coroutine() -> None:
            raise AssertionError("invoked")

        governed = govern()(coroutine if is_coroutine else function)
        inner = inspect.unwrap(governed)
        assert inspect.iscoroutinefunction(inner) is is_coroutine
        with pytest.raises(RuntimeError, match="call the decorated one"):
            asyncio.run(inner()) if is_coroutine else inner()

    def test_no_attribute_of_the_bare_function_comes_along_that_could_be_called(self, govern: Any) -> None:
        def fn() -> None:
            raise AssertionError("invoked")

        marks: dict[str, Any] = {"tags": ["a", 1], "meta": {"cost": 1.5, "read_only": True, "note": None}}
        ways: dict[str, Any] = {"dispatch": fn, "ways": [fn], "meta_ways": {"a": (fn,)}, "marker": Marker()}
        fn.__dict__.update(marks, **ways)
        governed = govern()(fn)
        assert {name: mark for name, mark in vars(governed).items() if not name.startswith("__")} == marks
        assert not hasattr(govern()(functools.singledispatch(lambda amount: amount)), "dispatch")

    def test_malformed_names_are_told_when_the_function_is_decorated(self) -> None:
        with pytest.raises(ValueError, match="tool: expected 1 to 256 bytes"):
            governed_fn("not a tool ")
        with pytest.raises(ValueError, match="agent_id: expected"):
            governed_fn("pay", agent_id="")


class TestCost:
    def test_is_sent_with_the_question_and_corrected_with_the_outcome(
        self, govern: Any, gateway: ScriptedGateway
    ) -> None:
        @govern(cost_usd=lambda args: args["tokens"] / 1_000)
        def fn(tokens: int) -> int:
            report_cost("0.02")
            report_cost(0.005)
            return tokens

        fn(30)
        assert gateway.seen[0].document["cost_usd"] == "0.03"
        eventually(lambda: len(gateway.outcomes) == 1, "an outcome")
        assert gateway.outcomes[0]["cost_usd"] == "0.025"

    def test_needs_a_governed_call_around(self) -> None:
        with pytest.raises(LookupError, match="while it runs"):
            report_cost(1)
