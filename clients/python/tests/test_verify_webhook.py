"""Deliveries of webhooks. Outside the repository the shared vectors are not there."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
from typing import Any

import pytest
from support.vectors import cases, described
from svc_client import SvcWebhookInvalid, verify_webhook

KEY = b"0123456789abcdef01234567"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
NOW = 1_700_000_000
EVENT = {"id": "evt_1", "type": "policy.decision", "timestamp": "2023-11-14T22:13:20.000Z", "org_id": "acme"}
BODY = json.dumps({**EVENT, "data": {"decision": "deny"}}).encode()


def headers(body: bytes = BODY) -> dict[str, str]:
    signed = b"evt_1.%d.%b" % (NOW, body)
    signature = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    return {"webhook-id": "evt_1", "webhook-timestamp": str(NOW), "webhook-signature": f"v1,{signature}"}


@pytest.mark.parametrize("case", cases("webhook-deliveries"), ids=described)
def test_deliveries(case: Any) -> None:
    def verify() -> Any:
        return verify_webhook(case["body"].encode(), case["headers"], case["secrets"], now=lambda: case["now_s"])

    if case["refused"] is not None:
        with pytest.raises(SvcWebhookInvalid, match=f"^{case['refused']}: expected"):
            verify()
        return
    event = verify()
    assert event.payload["schema_version"] == 1
    assert {name: getattr(event, name) for name in case["event"]} == case["event"]


def test_the_signature_of_the_specification_is_that_of_the_raw_body() -> None:
    """With the whole text of the secret as key. It covers no time, so it is not enough for a receiver."""
    for case in cases("webhook-deliveries")[:1]:
        made = hmac.new(case["secrets"][0].encode(), case["body"].encode(), hashlib.sha256).hexdigest()
        assert case["headers"]["X-Svc-Signature-256"] == f"sha256={made}"


def test_the_vector_of_the_standard() -> None:
    """From the Standard Webhooks specification."""
    body = b'{"test": 2432232314}'
    sent = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    # Its body is not an event of ours, which is found after the signature.
    with pytest.raises(SvcWebhookInvalid, match="body: expected the JSON of an event"):
        verify_webhook(body, sent, secret, now=lambda: 1614265330)
    with pytest.raises(SvcWebhookInvalid, match="signature"):
        verify_webhook(body + b" ", sent, secret, now=lambda: 1614265330)


def test_a_header_that_stands_there_twice() -> None:
    with pytest.raises(SvcWebhookInvalid, match="webhook-id: expected this header, once"):
        verify_webhook(BODY, {**headers(), "Webhook-Id": "evt_1"}, SECRET, now=lambda: NOW)


@pytest.mark.parametrize("signature", ["", "v1,", "v1,é", "v2,x"])
def test_a_signature_that_is_none(signature: str) -> None:
    sent = {**headers(), "webhook-signature": signature}
    with pytest.raises(SvcWebhookInvalid, match="webhook-signature"):
        verify_webhook(BODY, sent, SECRET, now=lambda: NOW)


@pytest.mark.parametrize("body", [b"", b"[]", BODY.ljust(70_000), BODY + b"\xff"])
def test_a_signed_body_that_is_not_an_event(body: bytes) -> None:
    with pytest.raises(SvcWebhookInvalid, match="body: expected"):
        verify_webhook(body, headers(body), SECRET, now=lambda: NOW)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_*", "secret", "whsec_YQ", []])
def test_a_secret_that_is_not_one_is_a_mistake_of_the_receiver(secret: Any) -> None:
    with pytest.raises(ValueError, match="secrets: expected"):
        verify_webhook(BODY, headers(), secret, now=lambda: NOW)


@pytest.mark.parametrize("secret", [SECRET.encode(), [SECRET, None]])
def test_a_secret_that_is_not_a_text_is_a_mistake_of_the_receiver(secret: Any) -> None:
    with pytest.raises(ValueError, match="secrets: expected texts"):
        verify_webhook(BODY, headers(), secret, now=lambda: NOW)


@pytest.mark.parametrize("write", [lambda text: [text], str.encode], ids=["list", "bytes"])
def test_headers_that_are_not_texts(write: Any) -> None:
    sent: Any = {name: write(value) for name, value in headers().items()}
    with pytest.raises(SvcWebhookInvalid, match="webhook-id: expected this header, once, as text"):
        verify_webhook(BODY, sent, SECRET, now=lambda: NOW)


@pytest.mark.parametrize("options", [{"now": lambda: math.nan}, {"tolerance_s": math.nan}], ids=["now", "tolerance"])
def test_a_time_that_is_not_a_number_is_not_recent(options: Any) -> None:
    with pytest.raises(SvcWebhookInvalid, match="webhook-timestamp: expected a time within"):
        verify_webhook(BODY, headers(), SECRET, **{"now": lambda: NOW, **options})


def test_a_text_in_place_of_the_raw_body() -> None:
    body: Any = BODY.decode()
    with pytest.raises(TypeError, match="body: expected the raw bytes"):
        verify_webhook(body, headers(), SECRET, now=lambda: NOW)
