"""A task that is cancelled while its tool call is asked about, and an allow that comes afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from threading import Event
from typing import Any

from .gateways import PATIENT_MS, Request, render
from .world import World


def check_cancelled(world: World, run: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    """Nothing runs, although the gateway allows the call after all."""
    asked, released, answered = Event(), Event(), Event()

    def reply(_: Request) -> bytes:
        asked.set()
        assert released.wait(PATIENT_MS / 1000)
        answered.set()
        return render()

    async def cancelling() -> None:
        task = asyncio.ensure_future(run())
        assert await asyncio.to_thread(asked.wait, PATIENT_MS / 1000)
        task.cancel()
        # A framework may wait for the question, or hand the cancellation on in steps.
        await asyncio.wait({task}, timeout=1)
        released.set()
        await asyncio.gather(task, return_exceptions=True)
        assert await asyncio.to_thread(answered.wait, PATIENT_MS / 1000)
        # What the framework left behind runs as far as it can.
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others, timeout=1) if others else None

    world.gateway.reply = reply
    world.run(cancelling())
    assert world.ran == []
