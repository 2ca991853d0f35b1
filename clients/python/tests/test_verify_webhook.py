"""Deliveries of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from svc_client import SvcWebhookInvalid, verify_webhook

KEY = b"0123456789abcdef01234567"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
OTHER = f"whsec_{base64.b64encode(b'another key of the receiver').decode()}"
NOW = 1_700_000_000
BODY = json.dumps({"id": "evt_1", "type": "policy.decision", "data": {"decision": "deny"}}).encode()


def signature(body: bytes = BODY, timestamp: str = str(NOW), key: bytes = KEY) -> str:
    signed = b"evt_1." + timestamp.encode() + b"." + body
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"


def headers(**changes: Any) -> dict[str, str]:
    sent = {"Webhook-Id": "evt_1", "webhook-timestamp": str(NOW), "WEBHOOK-SIGNATURE": signature(), **changes}
    return {name.replace("_", "-"): value for name, value in sent.items() if value is not None}


def verify(body: bytes = BODY, secrets: Any = SECRET, now: float = NOW, **changes: Any) -> Any:
    return verify_webhook(body, headers(**changes), secrets, now=lambda: now)


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
    with pytest.raises(SvcWebhookInvalid, match="body: expected an object with a type"):
        verify_webhook(body, sent, secret, now=lambda: 1614265330)
    with pytest.raises(SvcWebhookInvalid, match="signature"):
        verify_webhook(body + b" ", sent, secret, now=lambda: 1614265330)


def test_a_delivery_of_the_service() -> None:
    event = verify()
    assert (event.id, event.type) == ("evt_1", "policy.decision")
    assert event.payload["data"] == {"decision": "deny"}


def test_secrets_rotate() -> None:
    assert verify(secrets=[OTHER, SECRET]).id == "evt_1"
    signed: dict[str, Any] = {"WEBHOOK-SIGNATURE": f"v2,x {signature(key=b'gone')} {signature()}"}
    assert verify(**signed).id == "evt_1"


@pytest.mark.parametrize("now", [NOW - 300, NOW + 300])
def test_within_the_tolerance(now: int) -> None:
    assert verify(now=now).id == "evt_1"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"body": BODY + b" "}, "webhook-signature"),
        ({"secrets": OTHER}, "webhook-signature"),
        ({"now": NOW + 301}, "webhook-timestamp"),
        ({"now": NOW - 301}, "webhook-timestamp"),
        ({"webhook_timestamp": None, "webhook-timestamp": None}, "webhook-timestamp"),
        ({"webhook-timestamp": "1e9"}, "webhook-timestamp"),
        ({"webhook-timestamp": str(NOW + 1)}, "webhook-signature"),
        ({"Webhook-Id": "evt_2"}, "webhook-signature"),
        ({"Webhook-Id": None}, "webhook-id"),
        ({"WEBHOOK-SIGNATURE": ""}, "webhook-signature"),
        ({"WEBHOOK-SIGNATURE": "v1,"}, "webhook-signature"),
        ({"WEBHOOK-SIGNATURE": signature().removeprefix("v1,")}, "webhook-signature"),
        ({"WEBHOOK-SIGNATURE": signature().replace("v1,", "v2,")}, "webhook-signature"),
        ({"WEBHOOK-SIGNATURE": "v1,é"}, "webhook-signature"),
    ],
)
def test_what_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SvcWebhookInvalid, match=told):
        verify(**given)


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"id":"evt_2","type":"a"}', b'{"id":"evt_1"}'])
def test_a_signed_body_that_is_not_an_event(body: bytes) -> None:
    with pytest.raises(SvcWebhookInvalid, match="body"):
        verify_webhook(body, headers(**{"WEBHOOK-SIGNATURE": signature(body)}), SECRET, now=lambda: NOW)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_*", "secret", SECRET.removeprefix("whsec_"), []])
def test_a_secret_that_is_not_one_is_a_mistake_of_the_receiver(secret: Any) -> None:
    with pytest.raises(ValueError, match="secrets: expected"):
        verify(secrets=secret)
