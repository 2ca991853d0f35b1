"""Sessions of runs on threads and in tasks."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from support.gateways import ScriptedGateway, sessions
from svc_client import AsyncGovernedContext, Client, governed, governed_fn


class TestThreadsAndTasks:
    def test_runs_on_threads_do_not_mix(self, client: Client, gateway: ScriptedGateway) -> None:
        @governed(agent_id="agent-1", client=client)
        def run(name: str, __gov_ctx__: Any) -> tuple[str, str]:
            for _ in range(5):
                client.execute(name, {})
            return name, __gov_ctx__.session_id

        names = [f"tool-{index}" for index in range(8)]
        with ThreadPoolExecutor(8) as threads:
            made = dict(threads.map(run, names))
        assert len(set(made.values())) == 8
        for request in gateway.seen:
            assert request.document["session_id"] == made[request.document["tool"]]

    def test_a_thread_of_a_run_belongs_to_it_when_it_is_bound(
        self, client: Client, gateway: ScriptedGateway
    ) -> None:
        @governed_fn("pay", agent_id="agent-1", client=client)
        def pay() -> None: ...

        @governed(agent_id="agent-1", client=client)
        def run(__gov_ctx__: Any) -> Any:
            for target in (pay, __gov_ctx__.bind(pay), lambda: __gov_ctx__.execute("own", {})):
                thread = threading.Thread(target=target)
                thread.start()
                thread.join()
            return __gov_ctx__

        context = run()
        assert [named for _, named in sessions(gateway)] == [None, context.session_id, context.session_id]
        assert context.steps == 2

    def test_tasks_belong_to_the_run_that_started_them(self, client: Client, gateway: ScriptedGateway) -> None:
        @governed_fn("pay", client=client)
        async def pay(to: str) -> str:
            await asyncio.sleep(0)
            return to

        @governed(agent_id="agent-1", client=client)
        async def run(name: str, __gov_ctx__: Any) -> Any:
            assert isinstance(__gov_ctx__, AsyncGovernedContext)
            await asyncio.gather(*(pay(name) for _ in range(3)))
            await __gov_ctx__.execute("own", {"to": name})
            return __gov_ctx__

        async def main() -> Any:
            return await asyncio.gather(*(run(f"r-{index}") for index in range(5)))

        contexts = asyncio.run(main())
        assert [each.steps for each in contexts] == [4] * 5
        wanted = {f"r-{index}": each.session_id for index, each in enumerate(contexts)}
        assert len(gateway.seen) == 20
        for request in gateway.seen:
            assert request.document["session_id"] == wanted[request.document["args"]["to"]]

    def test_a_coroutine_asks_without_blocking_its_loop(self, client: Client, gateway: ScriptedGateway) -> None:
        met = threading.Barrier(2, timeout=10)
        talk = gateway.reply

        def reply(request: Any) -> bytes | None:
            # Both questions are on their way at once, or this fails.
            met.wait()
            return talk(request)

        gateway.reply = reply

        @governed_fn("pay", agent_id="a", client=client)
        async def pay() -> int:
            return 1

        async def main() -> list[int]:
            return list(await asyncio.gather(pay(), pay()))

        assert asyncio.run(main()) == [1, 1]
