"""Properties of the parsers and of what is recorded, over generated input."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from svc_client import Allow, canonical_json
from svc_client._answer import Answer
from svc_client._answer_reader import AnswerReader
from svc_client._execute_call import MalformedCall, make_call, render_body
from svc_client._fair_share import FairShare
from svc_client._parse_verdict import NotAVerdict, parse_verdict
from svc_client._read_verdict import read_verdict
from svc_client._recorded_call import ArgumentRecorder, CannotApply
from svc_client._settings import make_settings
from svc_client._strict_json import NotStrictJson, parse_strict_json
from svc_client._transport_fault import TransportFault
from support.gateways import ALLOW_BODY, render

# A busy machine must not fail a property: time is measured elsewhere.
settings.register_profile("svc", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("svc")

MAX_BYTES = 1024 * 1024
SETTINGS = make_settings("http://localhost", None)

_integers = st.integers(-(2**53) + 1, 2**53 - 1)
_floats = st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda each: not (each.is_integer() and abs(each) > 2**53 - 1) and math.copysign(1, each) * each >= 0
)
_scalars = st.none() | st.booleans() | _integers | _floats | st.text()
_keys = st.text().filter(lambda key: key not in ("__proto__", "constructor", "prototype"))
_values: Any = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4), max_leaves=20
)


@given(_values)
def test_the_strict_reader_reads_what_was_written(value: Any) -> None:
    written = canonical_json(value)
    assert canonical_json(parse_strict_json(written.encode(), MAX_BYTES)) == written


@given(_values)
def test_what_is_written_is_what_python_reads(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_the_strict_reader_raises_nothing_else(data: bytes) -> None:
    try:
        parse_strict_json(data, MAX_BYTES)
    except NotStrictJson:
        pass


@given(st.dictionaries(_keys, _values, max_size=4))
def test_a_call_is_sent_as_it_was_recorded(args: dict[str, Any]) -> None:
    call = make_call("pay", args, agent_id="a")
    sent = parse_strict_json(render_body(call), MAX_BYTES)
    assert isinstance(sent, dict)
    assert canonical_json(sent["args"]) == canonical_json(args)


_fields = st.fixed_dictionaries(
    {"decision": st.sampled_from(["allow", "deny", "pause", "ALLOW", True, None])},
    optional={
        "decision_id": st.sampled_from(["gw.1", "", 1, None]),
        "args_constrained": st.sampled_from([False, True, "true", 0, None]),
        "shaped_args": st.sampled_from([{}, [], None, "x"]),
        "reason": st.sampled_from(["no", "", 1]),
        "approval_url": st.sampled_from(["https://a.example/1", "x", None]),
        "fail_closed": st.sampled_from([False, True, "false"]),
    },
)


@settings(max_examples=1_000)
@given(_fields)
def test_an_allow_is_an_allow_in_every_field(fields: dict[str, Any]) -> None:
    try:
        verdict = parse_verdict(fields)
    except NotAVerdict:
        return
    if verdict["decision"] != "allow":
        return
    assert fields["decision"] == "allow"
    assert fields["decision_id"] == "gw.1"
    assert ("shaped_args" in fields) is (fields["args_constrained"] is True)
    assert fields.get("fail_closed", False) is False
    assert "approval_url" not in fields


@settings(max_examples=500)
@given(st.binary(min_size=1, max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_the_answer_reader_raises_nothing_else_and_never_invents_an_allow(
    noise: bytes, at: int, length: int
) -> None:
    sound = render()
    data = sound[:at] + noise + sound[at + length :]
    verdict = None
    try:
        answer = AnswerReader(MAX_BYTES).feed(data)
        verdict = None if answer is None else read_verdict(answer, {}, SETTINGS)
    except TransportFault:
        pass
    if isinstance(verdict, Allow):
        # Only where the noise left an allow that says so itself.
        assert b'"allow"' in data


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40))
def test_it_does_not_matter_how_the_bytes_come(sizes: list[int]) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(
        f"{size:x}\r\n".encode() + b"x" * size + b"\r\n" for size in sizes
    )
    for data, body in ((render(), ALLOW_BODY), (chunked + b"0\r\n\r\n", b"x" * sum(sizes))):
        reader = AnswerReader(MAX_BYTES)
        answers = [reader.feed(data[at : at + 1]) for at in range(len(data))]
        assert answers[:-1] == [None] * (len(data) - 1)
        last = answers[-1]
        assert isinstance(last, Answer)
        assert last.body == body


def target(a: int, b: int = 2, /, c: int = 3, *rest: int, d: int = 4, e: int | None = None, **more: int) -> Any:
    return {"a": a, "b": b, "c": c, "rest": list(rest), "d": d, "e": e, **more}


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=6),
    st.dictionaries(st.sampled_from(["d", "e", "x", "y"]), st.integers(0, 9)),
    st.dictionaries(st.sampled_from(["a", "b", "c", "d", "e", "x", "z"]), st.integers(0, 9)),
)
def test_a_function_runs_with_what_the_policy_wrote_or_not_at_all(
    args: list[int], kwargs: dict[str, int], shaped: dict[str, int]
) -> None:
    recorded = ArgumentRecorder(target).record(tuple(args), kwargs)
    called = target(*args, **kwargs)
    seen = {name: value for name, value in called.items() if value or name not in ("e", "rest") or name in kwargs}
    assert recorded.recorded == seen
    allow = Allow("gw.1", dict(shaped), args_constrained=True)
    try:
        got = target(*recorded.arguments_for(allow)[0], **recorded.arguments_for(allow)[1])
    except CannotApply:
        return
    for name, value in shaped.items():
        assert got.pop(name) == value
    # The rest is what the function has by itself, and nothing that the policy took away.
    own: dict[str, Any] = {"b": 2, "c": 3, "d": 4, "e": None, "rest": []}
    assert all(own[name] == value and recorded.recorded.get(name) != value for name, value in got.items() if value)


@settings(max_examples=300)
@given(st.integers(1, 8), st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=60))
def test_places_are_never_given_twice_and_never_lost(places: int, steps: list[tuple[int, bool]]) -> None:
    share = FairShare(places)
    started: set[int] = set()
    leaving: dict[int, Any] = {}
    ended: set[int] = set()
    for number, (agent, is_entering) in enumerate(steps):
        if is_entering or not leaving:
            leave = share.enter(f"agent-{agent}", lambda number=number: started.add(number))  # type: ignore[misc]
            assert leave is not None
            leaving[number] = leave
        else:
            oldest = next(iter(leaving))
            ended.add(oldest)
            leave = leaving.pop(oldest)
            leave()
            leave()
        assert len(started - ended) <= places
    while leaving:
        assert started & leaving.keys(), "somebody waits, and nobody is at work"
        first = next(iter(started & leaving.keys()))
        ended.add(first)
        leaving.pop(first)()


@pytest.mark.parametrize("value", [object(), b"x", {1, 2}, 1j])
def test_what_json_cannot_say_is_malformed(value: object) -> None:
    with pytest.raises(MalformedCall):
        make_call("pay", {"value": value}, agent_id="a")
