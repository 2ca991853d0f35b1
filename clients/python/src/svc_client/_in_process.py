"""
A gateway inside this process, for tests: `svc_client.testing` puts it here, and nothing else does. While it is here,
every client of the process asks it, and no request leaves the process. Its answers are read like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ._answer import Answer

InProcessGateway: TypeAlias = "Callable[[bytes], Answer]"
"""Answers the bytes of a request. What it raises is a fault, and so a deny."""

_gateway: InProcessGateway | None = None


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
