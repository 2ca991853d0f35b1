"""What every test may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from support.asker import Asker, Make
from support.gateways import Gateway, ScriptedGateway
from svc_client import Client, governed_fn


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as held:
        yield held


@pytest.fixture
def gateway(stack: ExitStack) -> ScriptedGateway:
    """A gateway that allows everything and keeps what it saw."""
    return stack.enter_context(ScriptedGateway())


@pytest.fixture
def keep(stack: ExitStack) -> Callable[[Gateway], Gateway]:
    return stack.enter_context


@pytest.fixture
def client(gateway: ScriptedGateway) -> Iterator[Client]:
    """The synchronous client of that gateway."""
    with Client(gateway.url, environment={}) as opened:
        yield opened


@pytest.fixture
def govern(client: Client) -> Any:
    """Decorates functions of agent-1."""
    return lambda tool="pay", **options: governed_fn(tool, agent_id="agent-1", client=client, **options)


@pytest.fixture(params=[False, True], ids=["Client", "AsyncClient"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes clients, first synchronous and then asynchronous ones."""
    made: list[Asker] = []

    def start(url: str, key: str | None = None, **options: Any) -> Asker:
        made.append(Asker(url, key, request.param, **options))
        return made[-1]

    yield start
    for each in made:
        each.end()
