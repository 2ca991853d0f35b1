"""
Unit tests of an agent's policy, without a gateway and without a network. Run them with pytest:

    npm run build && pip install './clients/python[testing]' pytest
    pytest examples/python/test_policy.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from svc_client import SvcApprovalRequired, SvcDenied, governed_fn, session
from svc_client.testing import PolicyGateway

POLICY = Path(__file__).parent.parent / "refunds.yaml"


@governed_fn("payments.refund", agent_id="refund-bot")
def refund(order: str, amount: float) -> str:
    return f"refunded {amount} of {order}"


@pytest.fixture
def gateway() -> Iterator[PolicyGateway]:
    with PolicyGateway(POLICY) as opened, session("conversation-1"):
        yield opened


def test_small_refunds_are_made(gateway: PolicyGateway) -> None:
    assert refund("o-1", 40) == "refunded 40 of o-1"
    gateway.expect_decision(tool="payments.refund", args={"order": "o-1", "amount": 40}, decision="allow")


def test_large_refunds_are_denied(gateway: PolicyGateway) -> None:
    with pytest.raises(SvcDenied):
        refund("o-1", 5_000)
    gateway.expect_decision(tool="payments.refund", decision="deny", rule_id="large-refunds")


def test_a_person_approves_what_is_between(gateway: PolicyGateway) -> None:
    with pytest.raises(SvcApprovalRequired) as paused:
        refund("o-1", 400)
    gateway.approve(paused.value)
    assert refund("o-1", 400) == "refunded 400 of o-1"


def test_a_conversation_makes_three_refunds(gateway: PolicyGateway) -> None:
    for _ in range(3):
        refund("o-1", 1)
    with pytest.raises(SvcDenied):
        refund("o-1", 1)
    gateway.expect_decision(decision="deny", reason_code="max_steps")


def test_nothing_runs_while_the_agent_is_stopped(gateway: PolicyGateway) -> None:
    gateway.kill(agent="refund-bot", ttl_seconds=60)
    with pytest.raises(SvcDenied):
        refund("o-1", 40)
    gateway.advance(60)
    refund("o-1", 40)
