"""
A gateway inside this process, for tests: `svc_client.testing` puts it here, and nothing else does. While it is here,
every client of the process asks it, and no request leaves the process. Its answers are read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Optional, TypeAlias

from ._answer import Answer
from ._settings import ClientSettings

InProcessGateway: TypeAlias = "Callable[[bytes, Optional[ClientSettings]], Answer]"
"""
Answers the bytes of a request of a client with these settings; None: of its own decision. What it raises is a fault,
and so a deny.
"""

_gateway: InProcessGateway | None = None

_TEST_DECISION = re.compile(r"svc-test-[0-9a-z]+\.[0-9]+")
"""The ids of decisions of test gateways: no other gateway has them."""


def is_test_decision(decision_id: str) -> bool:
    """Whether it is of a test gateway. What follows from such a decision never goes to another one."""
    return _TEST_DECISION.fullmatch(decision_id) is not None


def in_process_gateway() -> InProcessGateway | None:
    return _gateway


def put_in_process_gateway(gateway: InProcessGateway) -> None:
    """Raises RuntimeError while another one is here."""
    global _gateway
    if _gateway is not None:
        raise RuntimeError("another PolicyGateway is open in this process: close it first")
    _gateway = gateway


def take_in_process_gateway() -> None:
    """From here on, clients ask the gateway of their address again."""
    global _gateway
    _gateway = None
