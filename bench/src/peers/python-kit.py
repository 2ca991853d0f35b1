"""Times once, in a process of its own, what the test kit takes before and for a decision. Argument: the text of a policy.

Prints one line of JSON: nanoseconds of importing the kit and opening a gateway with the policy, and of one decision of it.
"""

import json
import sys
import time

DECISIONS = 200
"""Number of decisions that are timed, after as many that are not."""

began = time.perf_counter_ns()
from svc_client import Client  # noqa: E402
from svc_client.testing import PolicyGateway  # noqa: E402

with PolicyGateway(texts={"refunds.yaml": sys.argv[1]}):
    opened = time.perf_counter_ns()
    client = Client(environment={})

    def decide() -> None:
        for _ in range(DECISIONS):
            client.execute("payments.refund", {"amount": 5}, "agent-1")

    decide()
    deciding = time.perf_counter_ns()
    decide()
    decided = time.perf_counter_ns()
print(json.dumps({"kit": opened - began, "decision": (decided - deciding) / DECISIONS}))
