"""One gateway for all tests of a framework: starting things is most of what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from support.world import World


@pytest.fixture(scope="session")
def started() -> Iterator[World]:
    with ExitStack() as stack:
        yield World(stack)


@pytest.fixture
def world(started: World) -> World:
    started.forget()
    return started
