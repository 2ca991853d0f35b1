"""Shares the connections of one client among agents."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from ._forget_in_child import forget_in_child
from ._limits import MAX_WAITING, MAX_WAITING_PER_AGENT


class _Turn:
    __slots__ = ("agent_id", "is_over", "start")

    def __init__(self, agent_id: str, start: Callable[[], None]) -> None:
        self.agent_id = agent_id
        self.start = start
        self.is_over = False


class _Agent:
    __slots__ = ("in_flight", "waiting")

    def __init__(self) -> None:
        self.in_flight = 0
        self.waiting: OrderedDict[_Turn, None] = OrderedDict()


class FairShare:
    """
    With n agents at work one may hold an (n + 1)th of the places, so that there is always room for another.
    A place that is given back goes to the waiting agent that holds the fewest. One agent's thousand questions
    delay its own.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self.forget_parent()
        forget_in_child(self)

    def forget_parent(self) -> None:
        self._lock = threading.Lock()
        self._agents: dict[str, _Agent] = {}
        self._in_flight = 0
        self._waiting = 0

    def enter(self, agent_id: str, start: Callable[[], None]) -> Callable[[], None] | None:
        """
        `start` is called once, within this call or on the thread that gives a place back. It must be quick
        and must not raise. None: too many wait. Else the function that gives the place back, or gives up
        waiting; it must be called, and further calls of it do nothing.
        """
        turn = _Turn(agent_id, start)
        with self._lock:
            agent = self._agents.setdefault(agent_id, _Agent())
            if self._may_start(agent):
                self._begin(agent)
            elif len(agent.waiting) >= MAX_WAITING_PER_AGENT or self._waiting >= MAX_WAITING:
                return None
            else:
                agent.waiting[turn] = None
                self._waiting += 1
                return lambda: self._leave(agent, turn)
        start()
        return lambda: self._leave(agent, turn)

    def _share(self) -> int:
        return max(1, self._places // (len(self._agents) + 1))

    def _may_start(self, agent: _Agent) -> bool:
        has_place = self._in_flight < self._places and agent.in_flight < self._share()
        return has_place and not agent.waiting

    def _begin(self, agent: _Agent) -> None:
        agent.in_flight += 1
        self._in_flight += 1

    def _leave(self, agent: _Agent, turn: _Turn) -> None:
        with self._lock:
            if self._agents.get(turn.agent_id) is not agent or turn.is_over:
                return
            turn.is_over = True
            if turn in agent.waiting:
                del agent.waiting[turn]
                self._waiting -= 1
            else:
                agent.in_flight -= 1
                self._in_flight -= 1
            if agent.in_flight == 0 and not agent.waiting:
                del self._agents[turn.agent_id]
            starting = self._next_turns()
        for next_start in starting:
            next_start()

    def _next_turns(self) -> list[Callable[[], None]]:
        """Those that begin now: the agent with the fewest in flight first, its oldest question first."""
        starting: list[Callable[[], None]] = []
        while self._waiting > 0 and self._in_flight < self._places:
            share = self._share()
            ready = [each for each in self._agents.values() if each.waiting and each.in_flight < share]
            if not ready:
                break
            agent = min(ready, key=lambda each: each.in_flight)
            turn, _ = agent.waiting.popitem(last=False)
            self._waiting -= 1
            self._begin(agent)
            starting.append(turn.start)
        return starting

