"""An agent that a test steers: each line of its input is one call, each line of its output how it ended."""

import asyncio
import json
import sys

from svc_client import AsyncClient, Client, SvcApprovalRequired, SvcDenied, govern_call, governed, governed_fn

CLIENT = Client()
SETTINGS = json.loads(sys.argv[1])
LOOP = asyncio.new_event_loop()
RAN = []


@governed_fn("payments.refund", agent_id="agent-1")
def refund(order, amount, card=None):
    RAN.append("refund")
    return {"order": order, "amount": amount, "card": card}


@governed_fn("payments.refund", agent_id="agent-1")
async def refund_later(order, amount, card=None):
    RAN.append("refund_later")
    return {"order": order, "amount": amount, "card": card}


@governed_fn("payments.refund")
def step(amount):
    RAN.append("step")
    return amount


@governed(agent_id="runner")
def run(calls, __gov_ctx__):
    """Calls until the session may not go on. Answers its session, and what this process counted."""
    made = 0
    try:
        for _ in range(calls):
            step(1)
            made += 1
    except SvcDenied as error:
        return {"session": __gov_ctx__.session_id, "steps": __gov_ctx__.steps, "denied": error.reason_code}
    return {"session": __gov_ctx__.session_id, "steps": made}


def call(tool, args):
    return govern_call(tool, args, agent_id="agent-1", fn=lambda **given: RAN.append(tool) or given)


async def execute_async(tool, args, session):
    client = AsyncClient(SETTINGS["url"], SETTINGS["key"])
    try:
        allow = await client.execute(tool, args, "agent-1", session_id=session)
        return allow.args
    finally:
        await client.aclose()


DO = {
    "refund": lambda args: refund(**args),
    "refund_later": lambda args: LOOP.run_until_complete(refund_later(**args)),
    "call": lambda args: call(**args),
    "execute": lambda args: CLIENT.execute(**args).args,
    "execute_async": lambda args: LOOP.run_until_complete(execute_async(**args)),
    "run": lambda args: run(**args),
}


def answer(line):
    asked = json.loads(line)
    RAN.clear()
    try:
        return {"result": DO[asked["do"]](asked["args"])}
    except SvcDenied as error:
        told = {"reason_code": error.reason_code, "rule_id": error.rule_id, "fail_closed": error.fail_closed}
        return {"denied": told, "text": str(error)}
    except SvcApprovalRequired as error:
        return {"paused": error.approval_url, "approval_id": error.approval_id}


for line in sys.stdin:
    print(json.dumps({**answer(line), "ran": list(RAN)}), flush=True)
CLIENT.close()
