"""One governed call."""

from __future__ import annotations

import asyncio
import pickle
import re
import threading
from functools import partial, wraps
from typing import Any

import pytest
from support.gateways import ScriptedGateway, eventually, scripted, shaping
from svc_client import Client, SvcApprovalRequired, SvcDenied, SvcError, govern_call


@pytest.fixture
def client(gateway: ScriptedGateway) -> Any:
    with Client(gateway.url, "svc_id_secret", environment={}) as opened:
        yield opened


def never(**_: Any) -> None:
    raise AssertionError("the function was invoked")


def test_an_allow_calls_the_function_and_returns_its_result_unchanged(
    client: Client, gateway: ScriptedGateway
) -> None:
    result = object()
    asked: list[dict[str, Any]] = []

    def fn(**args: Any) -> object:
        asked.append(args)
        return result

    args = {"amount": 12, "to": ["a", "b"]}
    assert govern_call("payments.refund", args, agent_id="agent-1", fn=fn, client=client) is result
    assert asked == [args]
    assert gateway.seen[0].document == {"agent_id": "agent-1", "tool": "payments.refund", "args": args}


def test_a_deny_raises_with_reason_and_rule(client: Client) -> None:
    with pytest.raises(SvcDenied) as caught:
        govern_call("denied", {}, agent_id="agent-1", fn=never, client=client)
    error = caught.value
    assert (error.reason, error.rule_id, error.reason_code) == ("Not this one.", "r-1", "rule")
    assert (error.decision_id, error.fail_closed) == ("gateway-1.8", False)
    assert str(error) == (
        "denied was denied (rule r-1): Not this one. It was not run. "
        "The same call with the same arguments will be denied again."
    )


def test_a_pause_raises_with_the_address_of_the_approval(client: Client) -> None:
    with pytest.raises(SvcApprovalRequired) as caught:
        govern_call("paused", {}, agent_id="agent-1", fn=never, client=client)
    error = caught.value
    assert error.approval_url == "https://svc.example/approvals/a-1"
    assert error.approval_id == "a-1"
    assert error.approval_url in str(error)


@pytest.mark.parametrize("tool", ["denied", "paused"])
def test_errors_survive_pickling(client: Client, tool: str) -> None:
    with pytest.raises(SvcError) as caught:
        client.execute(tool, {}, "agent-1")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy), copy.verdict) == (
        type(caught.value),
        str(caught.value),
        caught.value.verdict,  # type: ignore[attr-defined]
    )


def test_shaped_arguments_are_what_the_function_gets(client: Client, gateway: ScriptedGateway) -> None:
    gateway.reply = shaping({"amount": 5})
    got = govern_call("pay", {"amount": 12}, agent_id="a", fn=lambda **args: args, client=client)
    assert got == {"amount": 5}


# proves LIB-16
class TestClosures:
    """A function without parameters has its arguments already; those that are judged are named beside it."""

    def test_a_closure_runs_on_allow(self, client: Client, gateway: ScriptedGateway) -> None:
        assert govern_call("pay", {"amount": 12}, agent_id="a", fn=lambda: 12, client=client) == 12
        assert gateway.seen[0].document["args"] == {"amount": 12}
        eventually(lambda: len(gateway.outcomes) == 1, "an outcome")
        assert gateway.outcomes[0]["status"] == "succeeded"

    def test_a_closure_that_is_a_coroutine_function_runs_on_allow(self, client: Client) -> None:
        async def fn() -> int:
            return 12

        async def main() -> int:
            return await govern_call("pay", {"amount": 12}, agent_id="a", fn=fn, client=client)

        assert asyncio.run(main()) == 12

    @pytest.mark.parametrize(
        "fn",
        [
            lambda: [1].__len__(),
            [1].__len__,
            partial(len, [1]),
            partial(lambda amount: amount, 1),
            wraps(never)(lambda: 1),
            type("Call", (), {"__call__": lambda self: 1})(),
            type("Tool", (), {"pay": lambda self: 1})().pay,
        ],
        ids=["lambda", "builtin method", "partial", "partial of a lambda", "wraps", "object", "bound method"],
    )
    def test_every_callable_without_parameters_is_one(self, client: Client, fn: Any) -> None:
        assert govern_call("pay", {"amount": 12}, agent_id="a", fn=fn, client=client) == 1

    @pytest.mark.parametrize("args", [{"amount": 12}, {}], ids=["with arguments", "without"])
    def test_rewritten_arguments_deny_it_because_they_could_not_reach_it(
        self, client: Client, gateway: ScriptedGateway, args: dict[str, Any]
    ) -> None:
        def fn() -> None:
            raise AssertionError("the function was invoked")

        async def coroutine() -> None:
            raise AssertionError("the function was invoked")

        gateway.reply = shaping({"amount": 5})
        for function in (fn, partial(lambda amount: fn(), 12)):
            with pytest.raises(SvcDenied, match="rewrites the arguments") as caught:
                govern_call("pay", args, agent_id="a", fn=function, client=client)
            assert (caught.value.reason_code, caught.value.fail_closed) == ("shaping_unsupported", True)

        async def main() -> None:
            await govern_call("pay", args, agent_id="a", fn=coroutine, client=client)

        with pytest.raises(SvcDenied, match="rewrites the arguments"):
            asyncio.run(main())
        eventually(lambda: len(gateway.outcomes) == 3, "three outcomes")
        assert [each["status"] for each in gateway.outcomes] == ["not_executed"] * 3

    @pytest.mark.parametrize(
        ("fn", "wanted"),
        [
            (lambda total: total, "total"),
            (lambda total=1: total, "amount"),
            (lambda amount, to: amount, "to"),
            (lambda *amounts: amounts, "amount"),
            (lambda amount, /: amount, "amount"),
            (partial(lambda *, total: total, total=1), "amount"),
        ],
        ids=["name", "default", "missing", "places", "by place only", "partial"],
    )
    def test_arguments_that_a_function_cannot_take_are_a_mistake_before_the_question(
        self, client: Client, gateway: ScriptedGateway, fn: Any, wanted: str
    ) -> None:
        with pytest.raises(TypeError, match="fn: expected a function that can be called with args") as caught:
            govern_call("pay", {"amount": 12}, agent_id="a", fn=fn, client=client)
        assert wanted in str(caught.value)
        assert gateway.seen == []

    def test_rewritten_arguments_that_a_function_cannot_take_deny_it(
        self, client: Client, gateway: ScriptedGateway
    ) -> None:
        def fn(amount: int) -> None:
            raise AssertionError("the function was invoked")

        for shaped in ({"amount": 5, "note": "x"}, {}):
            gateway.reply = shaping(shaped)
            with pytest.raises(SvcDenied) as caught:
                govern_call("pay", {"amount": 12}, agent_id="a", fn=fn, client=client)
            assert caught.value.reason_code == "shaping_unsupported"

    def test_a_removed_argument_does_not_come_back_as_a_default(
        self, client: Client, gateway: ScriptedGateway
    ) -> None:
        def fn(amount: int = 1) -> int:
            return amount

        gateway.reply = shaping({})
        assert govern_call("pay", {"amount": 12}, agent_id="a", fn=fn, client=client) == 1
        for function in (partial(fn, amount=12), lambda amount=12: fn(amount)):
            with pytest.raises(SvcDenied, match="amount was removed, and its default is the same"):
                govern_call("pay", {"amount": 12}, agent_id="a", fn=function, client=client)

    def test_a_callable_that_does_not_say_its_parameters_gets_the_arguments(self, client: Client) -> None:
        class Silent:
            @property
            def __signature__(self) -> Any:
                raise ValueError("no signature")

            def __call__(self, amount: int) -> int:
                return amount

        assert govern_call("pay", {"amount": 12}, agent_id="a", fn=Silent(), client=client) == 12

    @pytest.mark.parametrize("fn", [min, dict], ids=["builtin", "type"])
    def test_a_builtin_gets_the_arguments(self, client: Client, fn: Any) -> None:
        args = {"amount": 12}
        if fn is dict:
            assert govern_call("pay", args, agent_id="a", fn=fn, client=client) == args
        else:
            with pytest.raises(TypeError):
                govern_call("pay", args, agent_id="a", fn=fn, client=client)


def test_a_coroutine_function_is_asked_about_when_it_is_awaited(
    client: Client, gateway: ScriptedGateway
) -> None:
    async def fn(amount: int) -> int:
        await asyncio.sleep(0)
        return amount

    async def main() -> int:
        calling = govern_call("pay", {"amount": 12}, agent_id="a", fn=fn, client=client)
        assert gateway.seen == []
        return await calling

    assert asyncio.run(main()) == 12
    assert len(gateway.seen) == 1


def test_arguments_that_change_while_they_are_judged_do_not_run(
    client: Client, gateway: ScriptedGateway
) -> None:
    to = ["a"]

    def reply(request: Any) -> bytes:
        to.append("b")
        return scripted(request)

    gateway.reply = reply
    with pytest.raises(SvcDenied, match="changed while they were judged"):
        govern_call("pay", {"to": to}, agent_id="a", fn=never, client=client)
    eventually(lambda: len(gateway.outcomes) > 0, "an outcome")
    assert gateway.outcomes == [{"decision_id": "gateway-1.7", "status": "not_executed"}]


def test_a_boolean_that_becomes_a_number_is_a_change(client: Client, gateway: ScriptedGateway) -> None:
    flags: list[Any] = [True]

    def reply(request: Any) -> bytes:
        flags[0] = 1
        return scripted(request)

    gateway.reply = reply
    with pytest.raises(SvcDenied):
        govern_call("pay", {"flags": flags}, agent_id="a", fn=never, client=client)


@pytest.mark.parametrize(
    ("args", "place"),
    [
        ({"when": object()}, "args.when: expected a value that JSON can say; got object"),
        ({"many": [1, {"x": b""}]}, r"args.many\[1\].x"),
        ({"n": float("nan")}, "args.n: expected a finite number"),
        ({"n": float("inf")}, "args.n"),
        ({"n": 2**53}, r"args.n: expected an integer within 2\^53 - 1"),
        ({"n": 1e300}, "args.n"),
        ({"text": "\ud800"}, "args.text: expected well-formed Unicode"),
        ({"__proto__": 1}, "__proto__"),
        ({"big": "x" * 300_000}, "262144 bytes"),
        ({1: "x"}, "expected keys that are text"),
        ("allow", "expected a mapping"),
        (None, "expected a mapping"),
    ],
)
def test_what_json_cannot_say_is_denied_and_not_sent(
    client: Client, gateway: ScriptedGateway, args: Any, place: str
) -> None:
    with pytest.raises(SvcDenied, match=place):
        client.execute("pay", args, "agent-1")
    with pytest.raises(SvcDenied):
        govern_call("pay", args, agent_id="agent-1", fn=never, client=client)
    assert gateway.seen == []


def test_a_cycle_is_denied(client: Client, gateway: ScriptedGateway) -> None:
    cycle: dict[str, Any] = {}
    cycle["self"] = cycle
    with pytest.raises(SvcDenied, match="does it contain itself"):
        client.execute("pay", cycle, "agent-1")
    assert gateway.seen == []


def test_arguments_that_raise_when_they_are_read_are_denied(client: Client, gateway: ScriptedGateway) -> None:
    class Hostile(dict[str, Any]):
        def keys(self) -> Any:
            raise RuntimeError("secret")

        def __iter__(self) -> Any:
            raise RuntimeError("secret")

        def __len__(self) -> Any:
            raise RuntimeError("secret")

    verdict = client.decide("pay", Hostile(a=1), "agent-1")
    assert verdict.decision in ("deny", "allow")
    if verdict.decision == "allow":
        # The dictionary itself was read, and not what it says of itself.
        assert gateway.seen[0].document["args"] == {"a": 1}
    assert "secret" not in str(verdict)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"agent_id": None}, "agent_id"),
        ({"agent_id": "a b "}, "agent_id"),
        ({"agent_id": "a\r\nx: y"}, "agent_id"),
        ({"tool": ""}, "tool"),
        ({"tool": 7}, "tool"),
        ({"session_id": "e\u0301"}, "session_id"),
        ({"namespace": "x" * 257}, "namespace"),
        ({"cost_usd": -1}, "cost_usd"),
        ({"cost_usd": "1e3"}, "cost_usd"),
        ({"cost_usd": True}, "cost_usd"),
        ({"idempotency_key": ""}, "idempotency_key"),
        ({"idempotency_key": "a b"}, "idempotency_key"),
        ({"idempotency_key": "a\r\nx-svc-org-id: other"}, "idempotency_key"),
        ({"idempotency_key": "é"}, "idempotency_key"),
        ({"idempotency_key": "x" * 129}, "idempotency_key"),
        ({"call_id": ""}, "call_id"),
        ({"call_id": "\ud800"}, "call_id"),
    ],
)
def test_a_malformed_call_is_denied_by_field_and_not_sent(
    client: Client, gateway: ScriptedGateway, given: dict[str, Any], place: str
) -> None:
    call: dict[str, Any] = {"tool": "pay", "args": {}, "agent_id": "agent-1", **given}
    verdict = client.decide(**call)
    assert verdict.decision == "deny"
    assert (verdict.reason_code, verdict.fail_closed) == ("request_malformed", True)
    assert f"{place}: expected" in verdict.reason
    assert gateway.seen == []


def test_subclasses_of_json_types_are_sent_as_what_they_hold(
    client: Client, gateway: ScriptedGateway
) -> None:
    from enum import Enum, IntEnum

    class Colour(str, Enum):
        RED = "red"

    class Size(IntEnum):
        BIG = 3

    client.execute("pay", {"colour": Colour.RED, "size": Size.BIG, "pair": (1, 2), "zero": -0.0}, "a")
    assert gateway.seen[0].body.endswith(b'{"colour":"red","size":3,"pair":[1,2],"zero":0.0}}')


def test_a_verdict_is_not_a_truth_value(client: Client) -> None:
    for tool in ("pay", "denied", "paused"):
        verdict = client.decide(tool, {}, "agent-1")
        with pytest.raises(TypeError, match="not a truth value"):
            bool(verdict)


class TestOutcomes:
    def test_a_result_and_an_exception_are_told(self, client: Client, gateway: ScriptedGateway) -> None:
        govern_call("pay", {}, agent_id="a", fn=lambda: 1, client=client)
        error = RuntimeError("no money")

        def failing() -> None:
            raise error

        with pytest.raises(RuntimeError) as caught:
            govern_call("pay", {}, agent_id="a", fn=failing, client=client)
        assert caught.value is error
        eventually(lambda: len(gateway.outcomes) == 2, "two outcomes")
        assert [each["status"] for each in gateway.outcomes] == ["succeeded", "failed"]
        assert all(each["duration_ms"] >= 0 for each in gateway.outcomes)

    def test_a_refusal_has_no_outcome(self, client: Client, gateway: ScriptedGateway) -> None:
        for tool in ("denied", "paused"):
            with pytest.raises(SvcError):
                govern_call(tool, {}, agent_id="a", fn=never, client=client)
        client.close()
        assert gateway.outcomes == []

    def test_no_call_waits_for_its_report(self, gateway: ScriptedGateway) -> None:
        free = threading.Event()
        talk = gateway.reply

        def reply(request: Any) -> bytes | None:
            return talk(request)

        gateway.reply = reply
        with Client(gateway.url, environment={}) as client:
            posts = client._documents.post  # pyright: ignore[reportPrivateUsage]

            def slow(*args: Any) -> Any:
                free.wait(10)
                return posts(*args)

            client._documents.post = slow  # type: ignore[method-assign, assignment] # pyright: ignore
            for _ in range(20):
                govern_call("pay", {}, agent_id="a", fn=lambda: 1, client=client)
            assert gateway.outcomes == []
            free.set()
            eventually(lambda: len(gateway.outcomes) == 20, "the outcomes")

    @pytest.mark.parametrize(
        ("status", "duration_ms", "told"),
        [
            ("done", None, "status: expected succeeded, failed or not_executed; got 'done'"),
            (None, None, "status: expected succeeded, failed or not_executed"),
            ("failed", -1, "duration_ms: expected milliseconds from 0, or None; got -1"),
            ("failed", float("nan"), "duration_ms: expected"),
            ("failed", True, "duration_ms: expected"),
        ],
    )
    def test_a_report_that_could_not_be_one_is_refused_at_the_call(
        self, client: Client, gateway: ScriptedGateway, status: Any, duration_ms: Any, told: str
    ) -> None:
        allow = client.execute("pay", {}, "agent-1")
        with pytest.raises(ValueError, match=re.escape(told)):
            client.report_outcome(allow, status, duration_ms=duration_ms)
        with pytest.raises(TypeError, match="allow: expected the Allow of the call"):
            client.report_outcome(None, "failed")  # type: ignore[arg-type] # pyright: ignore
        client.close()
        assert gateway.outcomes == []

    def test_a_result_that_is_not_there_yet_is_not_called_a_success(
        self, client: Client, gateway: ScriptedGateway
    ) -> None:
        async def later() -> int:
            return 1

        pending = govern_call("pay", {}, agent_id="a", fn=lambda: later(), client=client)
        assert asyncio.run(pending) == 1
        client.close()
        assert gateway.outcomes == []
