"""What a test of an adapter has around it: a gateway, clients for every state of it, and a tool that tells."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from svc_client import Client

from .answers import APPROVAL_URL, HASTY_MS, AnswerCase, State
from .gateways import PATIENT_MS, ScriptedGateway, eventually, scripted


class Defect(Client):
    """A client that fails where nobody expects it."""

    def ask(self, call: Any) -> Any:
        raise RuntimeError("secret")

    def for_coroutines(self) -> Any:
        raise RuntimeError("secret")


T = TypeVar("T")

KEY = "svc_id_secret"


def _client(url: str, timeout_ms: int) -> Client:
    return Client(url, KEY, timeout_ms=timeout_ms, environment={})


@dataclass
class Seen:
    """How one run of an agent ended."""

    read: list[str] = field(default_factory=list[str])
    """What the model read as results of its tools, in order."""
    paused: str = ""
    """What the framework hands out to the person who approves. Empty: the run ended by itself."""
    final: str = ""
    """The last text of the agent. Empty: the run is paused."""


class World:
    def __init__(self, stack: ExitStack) -> None:
        self.gateway = stack.enter_context(ScriptedGateway())
        with ScriptedGateway() as ended:
            absent = ended.url
        self._clients: dict[State, Client] = {
            "answers": _client(self.gateway.url, PATIENT_MS),
            "hangs": _client(self.gateway.url, HASTY_MS),
            "absent": _client(absent, PATIENT_MS),
            "defect": Defect(self.gateway.url, KEY, environment={}),
        }
        for client in self._clients.values():
            stack.enter_context(client)
        self.ran: list[dict[str, Any]] = []
        # One loop for all tests, as a server has it: connections belong to their loop.
        self._loop = stack.enter_context(closing(asyncio.new_event_loop()))

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(what)

    @property
    def client(self) -> Client:
        return self._clients["answers"]

    def meet(self, case: AnswerCase) -> Client:
        """The client that finds this answer."""
        self.gateway.reply = (lambda _: None) if case.state == "hangs" else case.reply
        return self._clients[case.state]

    def forget(self) -> None:
        # Reports of the test before are on their way.
        for client in (self.client, self.client.for_coroutines()):
            assert client._reports.settle(10)
        self.gateway.reply = scripted
        self.gateway.seen.clear()
        self.gateway.outcomes.clear()
        self.ran.clear()

    def refund(self, order: str, amount: int) -> str:
        """Pays money back."""
        self.ran.append({"order": order, "amount": amount})
        return f"refunded {amount}"

    def keys(self) -> list[str]:
        """The idempotency keys of the questions."""
        return [request.headers.get("idempotency-key", "") for request in self.gateway.seen]

    def sessions(self) -> list[Any]:
        return [request.document.get("session_id") for request in self.gateway.seen]

    def wait_for_outcomes(self, *wanted: str) -> None:
        eventually(lambda: len(self.gateway.outcomes) >= len(wanted), f"outcomes {wanted}")
        assert [each["status"] for each in self.gateway.outcomes] == list(wanted)

    def check(self, case: AnswerCase, seen: Seen) -> None:
        """The tool ran as the case says, and the model or the approver read why it did not."""
        assert self.ran == ([] if case.ran_with is None else [case.ran_with])
        text = "\n".join(seen.read)
        assert "secret" not in text
        if case.ran_with is not None:
            assert f"refunded {case.ran_with['amount']}" in text
        if case.is_pause:
            assert APPROVAL_URL in seen.paused + text
        if case.told is not None:
            assert case.told in text
        if not seen.paused:
            assert seen.final == FINAL


FINAL = "done"
"""What every scripted model says when it has nothing left to call."""

Play = Callable[[Client, AnswerCase], Seen]


def describe(case: AnswerCase) -> str:
    return case.name
