"""The core that every adapter asks through."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.answers import ANSWERS, APPROVAL_URL, ARGS, PAUSED, SHAPED, TOOL, UNFIT, AnswerCase
from support.gateways import ALLOW, Reply, Request, render, scripted, shaping
from support.world import World, describe
from svc_client import report_cost, session
from svc_client._recorded_call import CannotApply
from svc_client.integrations._core.accept_by_schema import accept_by_schema
from svc_client.integrations._core.answers import Answer, Held, Permitted, Refused
from svc_client.integrations._core.gate import MAX_RUNS_OF_ONE_ID, Gate, Question

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"order": {"type": "string"}, "amount": {"type": "integer"}},
    "required": ["order", "amount"],
}


def ask(world: World, gate: Gate, question: Question, *, in_loop: bool) -> Answer:
    return world.run(gate.ask_async(question)) if in_loop else gate.ask(question)


def refund(**details: Any) -> Question:
    return Question(**{"tool": TOOL, "args": ARGS, "accept": accept_by_schema(SCHEMA), **details})


WAYS = pytest.mark.parametrize("in_loop", [False, True], ids=["ask", "ask_async"])


@WAYS
@pytest.mark.parametrize("case", ANSWERS, ids=describe)
def test_only_an_allow_permits(world: World, case: AnswerCase, in_loop: bool) -> None:
    answer = ask(world, Gate("agent-1", client=world.meet(case)), refund(), in_loop=in_loop)
    if case.ran_with is not None:
        assert isinstance(answer, Permitted)
        assert answer.args == case.ran_with
    elif case.is_pause:
        assert isinstance(answer, Held)
        assert (answer.approval_url, answer.approval_id) == (APPROVAL_URL, "a-1")
        assert APPROVAL_URL in answer.text
    else:
        assert isinstance(answer, Refused)
        assert case.told is not None
        assert case.told in answer.text


@WAYS
def test_no_answer_is_a_truth_value(world: World, in_loop: bool) -> None:
    answer = ask(world, Gate("agent-1", client=world.client), refund(), in_loop=in_loop)
    with pytest.raises(TypeError, match="not a truth value"):
        bool(answer)


@pytest.mark.parametrize("args", [None, [], "text", {"a": object()}, {"a": float("nan")}, {1: 2}])
@WAYS
def test_what_cannot_be_judged_is_refused(world: World, args: Any, in_loop: bool) -> None:
    answer = ask(world, Gate("agent-1", client=world.client), refund(args=args), in_loop=in_loop)
    assert isinstance(answer, Refused)
    assert answer.deny.reason_code == "request_malformed"
    assert "will be denied again" in answer.text
    assert world.gateway.seen == []


@WAYS
def test_what_cannot_be_applied_is_reported_as_not_executed(world: World, in_loop: bool) -> None:
    answer = ask(world, Gate("agent-1", client=world.meet(UNFIT)), refund(), in_loop=in_loop)
    assert isinstance(answer, Refused)
    assert answer.deny.reason_code == "shaping_unsupported"
    assert "args.amount must be of type integer" in answer.text
    world.wait_for_outcomes("not_executed")


@WAYS
def test_what_a_framework_says_of_a_value_is_not_told(world: World, in_loop: bool) -> None:
    def accept(_: dict[str, Any]) -> Mapping[str, Any]:
        raise ValueError("secret")

    world.gateway.reply = shaping(SHAPED)
    answer = ask(world, Gate("agent-1", client=world.client), refund(accept=accept), in_loop=in_loop)
    assert isinstance(answer, Refused)
    assert "they do not fit its parameters" in answer.text
    assert "secret" not in answer.text


def test_arguments_that_change_while_they_are_judged_are_refused(world: World) -> None:
    args = {"lines": [1]}

    def change(_: Any) -> bytes:
        args["lines"].append(2)
        return render()

    world.gateway.reply = change
    answer = Gate("agent-1", client=world.client).ask(Question("refund", args))
    assert isinstance(answer, Refused)
    assert "changed while they were judged" in answer.text


def test_a_call_id_counts_in_a_session_alone(world: World) -> None:
    gate = Gate("agent-1", client=world.client)
    gate.ask(refund(call_id="call-1"))
    gate.ask(refund(call_id="call-1", session_id="thread-1"))
    gate.ask(refund(call_id="call-1", session_id="thread-2"))
    with session("thread-1"):
        gate.ask(refund(call_id="call-1"))
    gate.ask(refund(call_id=None, session_id="thread-1"))
    first, second, third, fourth, fifth = world.keys()
    assert (first, fifth) == ("", "")
    assert second == fourth
    assert len({second, third}) == 2


def repeating(*, until: int) -> Reply:
    """Knows the first keys from another run, perhaps in another process."""
    keys: list[str] = []

    def reply(request: Request) -> bytes:
        keys.append(request.headers["idempotency-key"])
        allow = {**ALLOW, "decision_id": f"gateway-1.{len(keys)}", "repeated": len(keys) < until}
        return render(json.dumps(allow).encode())

    return reply


@WAYS
def test_a_call_that_may_have_run_is_asked_about_as_another_one(world: World, in_loop: bool) -> None:
    world.gateway.reply = repeating(until=3)
    answer = ask(world, Gate("agent-1", client=world.client), refund(call_id="c", session_id="s"), in_loop=in_loop)
    assert isinstance(answer, Permitted)
    assert answer.decision_id == "gateway-1.3"
    assert len(set(world.keys())) == 3


@WAYS
def test_a_call_that_ran_too_often_is_refused(world: World, in_loop: bool) -> None:
    world.gateway.reply = repeating(until=100)
    answer = ask(world, Gate("agent-1", client=world.client), refund(call_id="c", session_id="s"), in_loop=in_loop)
    assert isinstance(answer, Refused)
    assert answer.deny.reason_code == "adapter_overloaded"
    assert len(set(world.keys())) == len(world.keys()) == MAX_RUNS_OF_ONE_ID


@WAYS
def test_an_answer_that_was_not_used_covers_the_call_that_is_judged_again(world: World, in_loop: bool) -> None:
    gate = Gate("agent-1", client=world.client)
    asked = refund(call_id="c", session_id="s")
    before = ask(world, gate, asked, in_loop=in_loop)
    assert isinstance(before, Permitted)
    world.gateway.reply = lambda _: render(json.dumps({**ALLOW, "repeated": True}).encode())
    answer = world.run(gate.ask_async(asked, before)) if in_loop else gate.ask(asked, before)
    assert isinstance(answer, Permitted)
    assert len(world.keys()) == 2
    before.give_back_unless(answer)
    answer.run(lambda: None)
    world.wait_for_outcomes("succeeded")


@pytest.mark.parametrize("given", ["e\u0301", "a *", "p\u0430y", "x" * 300, 7, "\ud800"])
def test_every_id_of_a_conversation_names_a_session(world: World, given: Any) -> None:
    Gate("agent-1", client=world.client).ask(refund(session_id=given))
    (found,) = world.sessions()
    assert found.startswith("s-")
    assert len(found) == 66


@WAYS
def test_the_cost_of_a_tool_is_reported_with_its_outcome(world: World, in_loop: bool) -> None:
    answer = ask(world, Gate("agent-1", client=world.client), refund(), in_loop=in_loop)
    assert isinstance(answer, Permitted)
    answer.run(lambda: report_cost("0.5"))
    world.wait_for_outcomes("succeeded")
    assert world.gateway.outcomes[0]["cost_usd"] == "0.5"


@pytest.mark.parametrize(
    ("undecided", "wanted"), [((), ["failed"]), ((KeyError,), [])], ids=["failed", "undecided"]
)
def test_an_exception_of_the_tool_passes(
    world: World, undecided: tuple[type[BaseException], ...], wanted: list[str]
) -> None:
    def fail() -> None:
        raise KeyError("x")

    async def fail_later() -> None:
        fail()

    gate = Gate("agent-1", client=world.client)
    first, second = gate.ask(refund()), gate.ask(refund())
    assert isinstance(first, Permitted) and isinstance(second, Permitted)
    with pytest.raises(KeyError):
        first.run(fail, undecided=undecided)
    with pytest.raises(KeyError):
        world.run(second.run_async(fail_later, undecided=undecided))
    world.wait_for_outcomes(*wanted, *wanted)


def test_a_result_may_say_that_the_tool_failed(world: World) -> None:
    answer = Gate("agent-1", client=world.client).ask(refund())
    assert isinstance(answer, Permitted)
    assert answer.run(lambda: "error", failed=lambda result: result == "error") == "error"
    world.wait_for_outcomes("failed")


def test_what_waits_for_a_person_says_so(world: World) -> None:
    answer = Gate("agent-1", client=world.meet(PAUSED)).ask(refund())
    assert isinstance(answer, Held)
    assert answer.document == {
        "type": "svc_approval_required",
        "tool": TOOL,
        "reason": "Ask.",
        "approval_url": APPROVAL_URL,
        "approval_id": "a-1",
    }


@pytest.mark.parametrize(("retryable", "advice"), [
    (False, "denied again"),
    (True, "allowed later"),
    (..., "denied again"),
])
def test_a_model_is_told_that_a_repeat_is_useless_only_where_it_is(
    world: World, retryable: Any, advice: str
) -> None:
    told = "" if retryable is ... else f',"retryable":{str(retryable).lower()}'
    deny = f'{{"decision":"deny","decision_id":"d-1","reason":"No.","reason_code":"rule"{told}}}'
    world.gateway.reply = lambda _: render(deny.encode())
    answer = Gate("agent-1", client=world.client).ask(refund())
    assert isinstance(answer, Refused)
    assert answer.text.endswith(f"{advice}.")


FITS: list[tuple[Any, Any]] = [
    ({"type": "string"}, "a"),
    ({"type": ["string", "null"]}, None),
    ({"type": "STRING", "nullable": True}, "a"),
    ({"type": "number", "minimum": 1, "exclusiveMaximum": 3}, 2.5),
    ({"type": "integer"}, 2.0),
    ({"enum": ["a", 1]}, 1),
    ({"const": {"a": 1}}, {"a": 1}),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, None),
    ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, "a"),
    ({"allOf": [{"type": "string"}, {"minLength": 1, "maxLength": 2, "pattern": "^a"}]}, "ab"),
    ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, [1, 2]),
    ({"$ref": "#/$defs/order"}, {"id": "a", "more": 1}),
    (True, object),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, {"a": 1}),
]

UNFITS: list[tuple[Any, Any]] = [
    ({"type": "string"}, 1),
    ({"type": "integer"}, True),
    ({"type": "integer"}, 2.5),
    ({"type": "integer"}, "zz"),
    ({"type": "boolean"}, 1),
    ({"type": "object"}, None),
    ({"type": "unheard"}, 1),
    ({"enum": ["a", 1]}, True),
    ({"minimum": 3}, 2),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "a"),
    ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 1),
    ({"allOf": [{"type": "string"}, {"maxLength": 1}]}, "ab"),
    ({"pattern": "^a$"}, "b"),
    ({"items": {"type": "integer"}}, ["a"]),
    ({"maxItems": 1}, [1, 2]),
    ({"$ref": "#/$defs/order"}, {}),
    ({"$ref": "#/$defs/nothing"}, {}),
    ({"$ref": "#/$defs/itself"}, {}),
    ({"$ref": "https://example.com/schema"}, {}),
    ({"properties": {"a": {"type": "integer"}}}, {"a": "b"}),
    ({"additionalProperties": False}, {"a": 1}),
    ({"not": {"type": "integer"}}, "a"),
    (False, 1),
    ("nonsense", 1),
]


def accepted(schema: Any, value: Any) -> Callable[[], Any]:
    defs = {
        "order": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "itself": {"$ref": "#/$defs/itself"},
    }
    accept = accept_by_schema({"type": "object", "properties": {"x": schema}, "$defs": defs})
    return lambda: accept({"x": value})


@pytest.mark.parametrize(("schema", "value"), FITS)
def test_a_rewrite_that_fits_is_accepted(schema: Any, value: Any) -> None:
    assert accepted(schema, value)() == {"x": value}


@pytest.mark.parametrize(("schema", "value"), UNFITS)
def test_a_rewrite_that_does_not_fit_is_not(schema: Any, value: Any) -> None:
    with pytest.raises((CannotApply, LookupError)):
        accepted(schema, value)()


ADAPTERS = sorted(
    path.stem
    for path in (Path(__file__).parents[2] / "src" / "svc_client" / "integrations").glob("[a-z]*.py")
)

BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        # Nothing but this package and the standard library.
        if name.partition(".")[0] not in sys.stdlib_module_names | {"svc_client"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
for name in sys.argv[1:]:
    try:
        __import__(f"svc_client.integrations.{name}")
    except ImportError as error:
        print(error)
"""


def test_an_adapter_without_its_framework_says_what_to_install() -> None:
    source = str(Path(__file__).parents[2] / "src")
    told = subprocess.run(
        [sys.executable, "-c", BLOCKED, *ADAPTERS],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert [line.rpartition(": ")[2] for line in told] == [
        f"pip install './clients/python[{name.replace('_', '-')}]'" for name in ADAPTERS
    ]


def test_the_package_has_an_extra_for_every_adapter() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    for name in ADAPTERS:
        assert f"\n{name.replace('_', '-')} = [" in project


def test_the_gateway_here_allows_by_itself(world: World) -> None:
    """What every test of a refusal rests on: nothing but the scripted answer keeps the tool from running."""
    world.gateway.reply = scripted
    assert isinstance(Gate("agent-1", client=world.client).ask(refund()), Permitted)


def test_a_misspelled_tool_in_names_is_refused_where_the_tools_are_known(world: World) -> None:
    gate = Gate("agent-1", client=world.client, names={"refnd": "payments.refund", "other": "mail.send"})
    with pytest.raises(TypeError, match="names: expected the name of a tool; got 'refnd'. Did you mean 'refund'?"):
        gate.require_names(["search", "refund"])
    gate.require_names(["search"])
    Gate("agent-1", client=world.client, names={"refund": "payments.refund"}).require_names(["refund", "refunds"])
