"""
A fixture for pytest. Name it in a conftest.py:

    pytest_plugins = ["svc_client.testing.pytest_plugin"]

    def test_large_refunds_are_denied(open_policy_gateway):
        gateway = open_policy_gateway("policies/refunds.yaml")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from . import PolicyGateway


@pytest.fixture
def open_policy_gateway(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., PolicyGateway]]:
    """
    Opens a PolicyGateway, with its arguments, that is closed after the test. SVC_URL is not set meanwhile: it would
    name a real gateway.
    """
    monkeypatch.delenv("SVC_URL", raising=False)
    with ExitStack() as opened:
        yield lambda *policies, **options: opened.enter_context(PolicyGateway(*policies, **options))
