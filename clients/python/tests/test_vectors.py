"""The vectors that readers in every language share. Outside the repository they are not there."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

import pytest
from support.vectors import VECTORS, cases, described
from svc_client import Deny, Pause, SvcApprovalRequired, SvcDenied, canonical_json, digest_of
from svc_client._answer import Answer
from svc_client._execute_call import MalformedCall, idempotency_key_of, make_call, render_body
from svc_client._identifier import is_identifier
from svc_client._name import is_name, is_surely_unmixed, name_fault
from svc_client._json_value import JsonObject
from svc_client._parse_verdict import NotAVerdict, parse_verdict
from svc_client._read_verdict import read_verdict
from svc_client._reason_codes import REPEAT
from svc_client._settings import make_settings
from svc_client._strict_json import NotStrictJson, parse_strict_json
from svc_client._transport_hint import transport_hint
from svc_client._usd import format_usd, parse_usd
from svc_client._verdict import REASON_CODES, is_retryable

MAX_BYTES = 1024 * 1024


def test_the_vectors_are_there() -> None:
    if "SVC_VECTORS" in os.environ:
        assert VECTORS.is_dir()


@pytest.mark.parametrize("case", cases("canonical-json"), ids=described)
def test_canonical_json(case: Any) -> None:
    value = parse_strict_json(case["text"].encode(), MAX_BYTES)
    assert canonical_json(value) == case["canonical"]
    assert digest_of(value) == case["digest"]


@pytest.mark.parametrize("case", cases("canonical-numbers"), ids=described)
def test_canonical_numbers(case: Any) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(case["bits"]))
    assert canonical_json(number) == case["canonical"]


@pytest.mark.parametrize("case", cases("strict-json"), ids=described)
def test_strict_json(case: Any) -> None:
    data = bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode("utf-8", "surrogatepass")
    if "canonical" in case:
        assert canonical_json(parse_strict_json(data, MAX_BYTES)) == case["canonical"]
    else:
        with pytest.raises(NotStrictJson):
            parse_strict_json(data, MAX_BYTES)


@pytest.mark.parametrize("case", cases("verdict"), ids=described)
def test_verdicts(case: Any) -> None:
    document = parse_strict_json(case["text"].encode(), MAX_BYTES)
    if "verdict" in case:
        assert parse_verdict(document) == case["verdict"]
    else:
        with pytest.raises(NotAVerdict) as refused:
            parse_verdict(document)
        named = {pointer.split("/")[1] for pointer in case["pointers"] if pointer}
        assert set(refused.value.fields) == named


@pytest.mark.parametrize("case", cases("identifiers"), ids=described)
def test_identifiers(case: Any) -> None:
    assert is_identifier(case["text"]) is case["valid"]


@pytest.mark.parametrize("case", [case for case in cases("names") if not case.get("scripts")], ids=described)
def test_names(case: Any) -> None:
    fault = name_fault(case["text"])
    assert is_name(case["text"]) is case["valid"]
    assert (fault is None) is case["valid"]
    if fault is not None:
        assert case["why"] in fault


@pytest.mark.parametrize("case", cases("names"), ids=described)
def test_a_mixed_name_is_not_taken_for_an_unmixed_one(case: Any) -> None:
    if case.get("scripts"):
        assert not is_surely_unmixed(case["text"])


@pytest.mark.parametrize("case", [case for case in cases("unseen") if "name" in case], ids=described)
def test_what_nobody_sees(case: Any) -> None:
    assert (name_fault(f"a{case['text']}b") is None) is case["name"]


@pytest.mark.parametrize("case", cases("spellings"), ids=described)
def test_spellings(case: Any) -> None:
    assert name_fault(case["text"]) is None
    assert is_surely_unmixed(case["text"])


@pytest.mark.parametrize("case", cases("money"), ids=described)
def test_money(case: Any) -> None:
    micro_usd = parse_usd(case["value"])
    assert micro_usd == case["micro_usd"]
    if micro_usd is not None:
        assert format_usd(micro_usd) == case["text"]


@pytest.mark.parametrize("case", [each for each in cases("execute-request") if "request" in each], ids=described)
def test_requests_are_written_as_they_were_read(case: Any) -> None:
    body = json.loads(case["text"])
    given = {field: body.get(field) for field in ("session_id", "namespace", "cost_usd")}
    call = make_call(body["tool"], body.get("args", {}), agent_id=body["agent_id"], **given)
    read = case["request"]
    assert [call.agent_id, call.tool, call.session_id, call.namespace, call.cost_micro_usd] == [
        read[field] for field in ("agent_id", "tool", "session_id", "namespace", "cost_micro_usd")
    ]
    written = parse_strict_json(render_body(call), MAX_BYTES)
    assert isinstance(written, dict)
    assert canonical_json(written["args"]) == canonical_json(read["args"])


@pytest.mark.parametrize("case", cases("idempotency-keys"), ids=described)
def test_idempotency_keys(case: Any) -> None:
    assert idempotency_key_of(case["session_id"], case["call_id"], case["args"]) == case["key"]
    call = make_call(
        "pay", case["args"], agent_id="a", session_id=case["session_id"], call_id=case["call_id"]
    )
    assert call.idempotency_key == case["key"]


def test_every_reason_code_of_the_contract_is_known_and_no_other() -> None:
    vectors = cases("reason-codes")
    if not vectors:
        pytest.skip("outside the repository there are no vectors")
    assert REPEAT == {case["code"]: case["repeat"] for case in vectors}
    assert {code: is_retryable(code) for code in REASON_CODES} == {
        case["code"]: case["retryable"] for case in vectors
    }


@pytest.mark.parametrize("case", cases("denials"), ids=described)
def test_denials_say_whether_repeating_helps(case: Any) -> None:
    denied = SvcDenied(case["tool"], Deny(**case["deny"]))
    assert (str(denied), denied.retryable) == (case["text"], case["retryable"])


@pytest.mark.parametrize("case", cases("pauses"), ids=described)
def test_pauses_say_what_the_call_waits_for(case: Any) -> None:
    paused = SvcApprovalRequired(case["tool"], Pause(**case["pause"]))
    assert (str(paused), paused.approval_id) == (case["text"], case["approval_id"])


@pytest.mark.parametrize("case", cases("refusals"), ids=described)
def test_refusals_say_what_to_do(case: Any) -> None:
    settings = make_settings(f"http://localhost{case['path']}", case["api_key"])
    request_id = () if case["request_id"] is None else (case["request_id"],)
    body = None if case["problem"] is None else json.dumps(case["problem"], ensure_ascii=False).encode()
    headers = {"x-request-id": request_id} if request_id else {}
    verdict = read_verdict(Answer(case["status"], headers, body, 0), {}, settings)
    assert isinstance(verdict, Deny)
    assert (verdict.reason_code, verdict.fail_closed) == ("gateway_refused", True)
    assert (verdict.reason, verdict.retryable) == (case["reason"], case["retryable"])
    assert verdict.hint == case["hint"]


@pytest.mark.parametrize("case", cases("transport-hints"), ids=described)
def test_faults_of_the_transport_say_what_to_do(case: Any) -> None:
    assert transport_hint(case["base_url"], case["code"]) == (case["hint"], case["retryable"])


def test_one_call_id_in_another_session_or_with_other_arguments_is_another_call() -> None:
    arguments: tuple[JsonObject, ...] = ({}, {"a": 1}, {"a": "1"})
    keys = {
        idempotency_key_of(session, call, args)
        for session in (None, "s-1", "s-2")
        for call in ("c-1", "c-2")
        for args in arguments
    }
    assert len(keys) == 18


def test_a_call_without_an_id_has_no_key() -> None:
    assert make_call("pay", {}, agent_id="a", session_id="s").idempotency_key is None
    with pytest.raises(MalformedCall):
        make_call("pay", {}, agent_id="a", call_id=7)
