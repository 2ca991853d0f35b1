"""
What type checkers see of the library. Nothing here runs. A line with an ignored error fails when the checker
has nothing to complain about there any more.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true, reportUnusedFunction=false

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from svc_client import (
    Allow,
    AsyncClient,
    AsyncGovernedContext,
    Client,
    Deny,
    GovernedContext,
    Pause,
    Verdict,
    govern_call,
    governed,
    governed_fn,
)
from typing_extensions import assert_type


@governed_fn("payments.refund", agent_id="agent-1")
def refund(order: str, amount: float = 1, *, note: str | None = None) -> int:
    return len(order)


assert_type(refund("o-1", 2.5, note="n"), int)
refund(7)  # type: ignore[arg-type]
refund("o-1", nothing=1)  # type: ignore[call-arg]


@governed_fn("payments.refund")
async def refund_later(order: str) -> int:
    return len(order)


@governed_fn("payments.list")
def each(count: int) -> Iterator[int]:
    yield count


@governed_fn("payments.list")
async def each_later(count: int) -> AsyncIterator[int]:
    yield count


class Shop:
    @governed_fn("payments.refund")
    def refund(self, order: str) -> int:
        return len(order)


assert_type(Shop().refund("o-1"), int)
assert_type(each(1), Iterator[int])
assert_type(govern_call("mail.send", {"to": "a"}, agent_id="a", fn=refund), int)


@governed(agent_id="agent-1")
def run(__gov_ctx__: GovernedContext, question: str) -> Allow:
    return __gov_ctx__.execute("search.web", {"query": question})


@governed(agent_id="agent-1")
async def run_later(__gov_ctx__: AsyncGovernedContext, question: str) -> Allow:
    return await __gov_ctx__.execute("search.web", {"query": question})


assert_type(run("why"), Allow)
run()  # type: ignore[call-arg]


async def main(client: AsyncClient) -> None:
    assert_type(await refund_later("o-1"), int)
    assert_type(await run_later("why"), Allow)
    assert_type(await client.execute("shell.exec", {}, "agent-1"), Allow)
    assert_type(await govern_call("mail.send", {}, agent_id="a", fn=refund_later), int)
    async for value in each_later(1):
        assert_type(value, int)


def read(verdict: Verdict, client: Client) -> str | None:
    assert_type(client.execute("shell.exec", {}, "agent-1"), Allow)
    if verdict.decision == "allow":
        assert_type(verdict, Allow)
        return None
    if isinstance(verdict, Pause):
        return verdict.approval_url
    assert_type(verdict, Deny)
    return verdict.reason
