"""
Unit tests of agents: the policies of a project, judged in the process of the test.

    from svc_client.testing import PolicyGateway

    def test_large_refunds_are_denied():
        with PolicyGateway("policies/refunds.yaml") as gateway:
            with pytest.raises(SvcDenied):
                refund(order="o-1", amount=5_000)
            gateway.expect_decision(tool="payments.refund", decision="deny", rule_id="large-refunds")

It needs the extra `testing`. Run in a clone of the repository: npm run build && pip install './clients/python[testing]'.
"""

from __future__ import annotations

from ._decision import Decision
from ._engine import PolicyGatewayError
from ._policy_gateway import PolicyGateway

__all__ = ["Decision", "PolicyGateway", "PolicyGatewayError"]
