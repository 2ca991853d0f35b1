"""The gateway of unit tests."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import svc_client
from svc_client import AsyncClient, Client, Deny, GovernedContext, SvcApprovalRequired, SvcDenied, governed, governed_fn, session
from svc_client._in_process import in_process_gateway
from svc_client.testing import PolicyGateway, PolicyGatewayError
from svc_client.testing import _engine as engine_module

pytest_plugins = ["svc_client.testing.pytest_plugin"]

POLICY = """
id: refunds
tools: { allowed: [payments.*] }
session: { max_steps: 3 }
rules:
  - id: large
    priority: 1
    match: { condition: { field: args.amount, operator: ">", value: 1000 } }
    action: deny
  - id: medium
    priority: 2
    match: { condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
  - { id: card, priority: 3, match: { tool: payments.* }, action: redact, redact: { fields: [args.card], mask: last4 } }
"""

ran: list[tuple[float, str]] = []


@governed_fn("payments.refund", agent_id="bot")
def refund(amount: float, card: str = "4111111111111111") -> str:
    ran.append((amount, card))
    return f"refunded {amount}"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVC_URL", raising=False)
    ran.clear()


@pytest.fixture
def gateway() -> Iterator[PolicyGateway]:
    with PolicyGateway(texts={"refunds.yaml": POLICY}) as opened, session("s-1"):
        yield opened


def test_governed_functions_run_when_the_policy_allows_them(gateway: PolicyGateway) -> None:
    assert refund(10) == "refunded 10"
    with pytest.raises(SvcDenied, match="large"):
        refund(5_000)
    assert ran == [(10, "****1111")]
    allowed = gateway.expect_decision(tool="payments.refund", decision="allow", outcome="succeeded")
    assert allowed.args == {"amount": 10, "card": "4111111111111111"}
    assert allowed.shaped_args == {"amount": 10, "card": "****1111"}
    gateway.expect_decision(args={"amount": 5_000, "card": "4111111111111111"}, decision="deny", rule_id="large")
    assert [each.decision for each in gateway.decisions] == ["allow", "deny"]


def test_ceilings_count_by_session(gateway: PolicyGateway) -> None:
    for _ in range(3):
        refund(1)
    with pytest.raises(SvcDenied) as denied:
        refund(1)
    assert denied.value.reason_code == "max_steps"
    with session("s-2"):
        refund(1)


def test_an_approved_call_passes_once(gateway: PolicyGateway) -> None:
    with pytest.raises(SvcApprovalRequired) as paused:
        refund(400)
    assert gateway.approve(paused.value) == paused.value.approval_id
    assert refund(400) == "refunded 400"
    with pytest.raises(SvcApprovalRequired):
        refund(400)
    gateway.approve(args={"amount": 50, "card": "4111111111111111"})
    assert refund(400) == "refunded 50"
    with pytest.raises(SvcApprovalRequired) as again:
        refund(400)
    gateway.deny_approval(again.value.approval_url)
    with pytest.raises(PolicyGatewayError, match="no open approval"):
        gateway.approve()


def test_kill_switches_and_the_clock(gateway: PolicyGateway) -> None:
    began = gateway.now
    gateway.kill(everything=True, ttl_seconds=60)
    with pytest.raises(SvcDenied, match="kill switch"):
        refund(1)
    gateway.advance(timedelta(seconds=60))
    assert gateway.now - began == timedelta(seconds=60)
    refund(1)
    switch = gateway.kill(agent="bot", reason="loops")
    with pytest.raises(SvcDenied, match="loops"):
        refund(1)
    gateway.end_kill(switch)
    refund(1)
    with pytest.raises(PolicyGatewayError, match="expected one of"):
        gateway.kill(agent="a", tool="b")


def test_rules_about_the_time() -> None:
    hours = "{ zone: Europe/Berlin, days: [mon], from: '09:00', to: '17:00' }"
    rule = f"- {{ id: office, match: {{ condition: {{ field: time, operator: within, value: {hours} }} }}, action: allow }}"
    now = datetime(2026, 1, 5, 8, tzinfo=timezone.utc)
    with PolicyGateway(texts={"p": f"id: p\nrules:\n  {rule}\n"}, now=now) as gateway:
        refund(1)
        gateway.advance(8 * 3_600)
        with pytest.raises(SvcDenied):
            refund(1)


def test_clients_of_any_address_and_their_coroutines(gateway: PolicyGateway) -> None:
    with Client("http://gateway.invalid/prefix") as client:
        assert client.decide("payments.refund", {"amount": 1}, "bot").decision == "allow"

        async def ask() -> str:
            verdict = await client.for_coroutines().decide("shell.exec", {}, "bot")
            return verdict.decision

        assert asyncio.run(ask()) == "deny"

        @governed(agent_id="bot", client=client)
        def run(__gov_ctx__: GovernedContext, amount: int) -> str:
            return __gov_ctx__.execute("payments.refund", {"amount": amount}).decision

        assert run(amount=2) == "allow"
    assert client.decide("payments.refund", {"amount": 1}, "bot").decision == "deny"


def test_threads(gateway: PolicyGateway) -> None:
    client = Client("http://gateway.invalid")
    verdicts: list[str] = []

    def ask(number: int) -> None:
        for at in range(20):
            verdict = client.decide("payments.refund", {"amount": 1}, "bot", f"s-{number}-{at}")
            verdicts.append(verdict.decision)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == ["allow"] * 100
    assert len(gateway.decisions) == 100


def test_a_failed_expectation_explains_itself(gateway: PolicyGateway) -> None:
    refund(10)
    with pytest.raises(AssertionError) as failed:
        gateway.expect_decision(tool="payments.refund", decision="deny", rule_id="large")
    text = str(failed.value)
    for line in (
        'decision: "deny"',
        'x decision: "allow"',
        "rule large (deny) not matched",
        "args.amount > 1000: fails, found 10",
        "tools.allowed: matched by payments.*",
    ):
        assert line in text
    with pytest.raises(PolicyGatewayError, match='decision: expected one of deny, pause, allow, not_allow'):
        gateway.expect_decision(decision="alow")
    with pytest.raises(PolicyGatewayError, match="values of JSON"):
        gateway.expect_decision(args={"amount": object()})


class TestItNeverStandsInForARealGateway:
    def test_where_one_is_configured(self) -> None:
        with pytest.raises(PolicyGatewayError, match="SVC_URL is set"):
            PolicyGateway(texts={"p": POLICY}, environment={"SVC_URL": "http://gateway.example"})

    def test_where_one_is_configured_while_it_is_open(self) -> None:
        environment: dict[str, str] = {}
        with PolicyGateway(texts={"p": POLICY}, environment=environment) as gateway, session("s"):
            environment["SVC_URL"] = "http://gateway.example"
            with pytest.raises(SvcDenied, match="status 421: no verdict. SVC_URL is set"):
                refund(10)
            with pytest.raises(AssertionError, match="a client was refused: SVC_URL is set"):
                gateway.expect_decision(decision="allow")
        assert ran == []

    def test_for_a_client_with_a_key_unless_its_address_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        call: tuple[str, dict[str, object], str, str] = ("payments.refund", {"amount": 1}, "bot", "s")
        with PolicyGateway(texts={"p": POLICY}, addresses=["http://Gateway.test:80/"]) as gateway:
            assert Client("http://gateway.test", "svc_id_secret").decide(*call).decision == "allow"
            refused = Client("http://gateway.example", "svc_id_secret").decide(*call)
            assert isinstance(refused, Deny)
            assert refused.reason_code == "gateway_refused"
            assert "has an API key for http://gateway.example" in refused.reason
            assert refused.retryable is False

            async def ask() -> str:
                async with AsyncClient("http://gateway.example", "svc_id_secret") as client:
                    return (await client.decide(*call)).decision

            assert asyncio.run(ask()) == "deny"
            monkeypatch.setenv("SVC_API_KEY", "svc_id_secret")
            assert Client().decide(*call).decision == "deny"
            assert len(gateway.decisions) == 1
        with pytest.raises(PolicyGatewayError, match="addresses: base_url"):
            PolicyGateway(texts={"p": POLICY}, addresses=["gateway"])

    def test_before_it_is_open_after_it_is_closed_or_beside_another(self) -> None:
        client = Client("http://127.0.0.1:1")

        def code() -> str | None:
            verdict = client.decide("payments.refund", {"amount": 1}, "bot", "s")
            return getattr(verdict, "reason_code", None)

        assert code() == "gateway_unreachable"
        gateway = PolicyGateway(texts={"p": POLICY})
        assert code() is None
        with gateway:
            assert code() is None
            with pytest.raises(PolicyGatewayError, match="another PolicyGateway is open"):
                PolicyGateway(texts={"p": POLICY})
        assert code() == "gateway_unreachable"
        assert in_process_gateway() is None
        with pytest.raises(PolicyGatewayError, match="make another one"), gateway:
            pass

    def test_no_outcome_of_its_decisions_reaches_one(self) -> None:
        lost: list[str] = []
        with Client("http://127.0.0.1:1", on_lost_report=lambda each, _: lost.append(each.decision_id)) as client:
            with PolicyGateway(texts={"p": POLICY}) as gateway:
                early, late = (client.execute("payments.refund", {"amount": at}, "bot", "s") for at in (1, 2))
                client.report_outcome(early, "succeeded")
            assert gateway.decisions[0].outcome == "succeeded"
            with PolicyGateway(texts={"p": POLICY}) as second:
                client.execute("payments.refund", {"amount": 1}, "bot", "s")
                client.report_outcome(late, "succeeded")
            assert [each.outcome for each in second.decisions] == [None]
            client.report_outcome(late, "failed")
        assert lost == []

    def test_in_a_forked_child(self, gateway: PolicyGateway) -> None:
        child = os.fork()
        if child == 0:
            try:
                refund(1)
            except SvcDenied as denied:
                os._exit(7 if denied.fail_closed else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert ran == []


ENDS = """
import os, sys
from svc_client.testing import PolicyGateway
with PolicyGateway(texts={"p": "id: p"}) as gateway:
    child = os.fork()
    if child == 0:
        sys.exit(5)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_processes_that_opened_a_gateway_end() -> None:
    path = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"]}
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", ENDS], env=path, capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stdout.split() == ["5"]


class TestEveryFailureRaisesOrDenies:
    def test_a_policy_that_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(PolicyGatewayError, match=r"nowhere\.yaml: the policy cannot be read"):
            PolicyGateway(tmp_path / "nowhere.yaml")
        (tmp_path / "latin.yaml").write_bytes(b"id: \xff")
        with pytest.raises(PolicyGatewayError, match=r"latin\.yaml"):
            PolicyGateway(tmp_path / "latin.yaml")

    @pytest.mark.parametrize(
        ("text", "message"),
        [("id: p\nruls: []\n", "p:2:1"), ("id: p\nrego: x\n", "rego_unavailable: .* svc-cli test"), ("", "refuse this policy")],
    )
    def test_a_policy_that_the_service_would_refuse(self, text: str, message: str) -> None:
        with pytest.raises(PolicyGatewayError, match=message):
            PolicyGateway(texts={"p": text})

    def test_no_policy_and_settings_that_do_not_exist(self) -> None:
        with pytest.raises(PolicyGatewayError, match="expected a policy file"):
            PolicyGateway()
        with pytest.raises(PolicyGatewayError, match="role: expected one of"):
            PolicyGateway(texts={"p": POLICY}, role="root")

    def test_no_mini_racer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "py_mini_racer", None)
        with pytest.raises(PolicyGatewayError, match=r"pip install './clients/python\[testing\]'"):
            engine_module.Engine()

    def test_no_script(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engine_module, "_SCRIPT", "nothing.js")
        with pytest.raises(PolicyGatewayError, match="nothing.js is missing"):
            engine_module.Engine()

    @pytest.mark.parametrize("reply", [None, "null", "{}", '{"kind":"failed","message":"broken"}', "]"])
    def test_an_engine_that_fails(
        self, gateway: PolicyGateway, monkeypatch: pytest.MonkeyPatch, reply: str | None
    ) -> None:
        class Broken:
            def eval(self, code: str, timeout_sec: float) -> str | None:
                if reply == "]":
                    raise RuntimeError("broken")
                return reply

        monkeypatch.setattr(gateway._engine, "_context", Broken())
        with pytest.raises(SvcDenied) as denied:
            refund(1)
        assert denied.value.fail_closed
        assert ran == []


def test_the_fixture(open_policy_gateway: Any) -> None:
    gateway = open_policy_gateway(texts={"p": "id: p\ntools: { allowed: ['*'] }\n"})
    refund(10)
    gateway.expect_decision(tool="payments.refund", decision="allow", rule_id=None)


def test_importing_the_library_imports_no_engine() -> None:
    code = "import svc_client, sys; print('svc_client.testing' in sys.modules, 'py_mini_racer' in sys.modules)"
    path = str(Path(svc_client.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]
