"""What every test may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from support.gateways import Gateway, ScriptedGateway


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
