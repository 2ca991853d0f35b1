"""Verifies deliveries of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ._errors import SvcWebhookInvalid
from ._json_value import JsonObject
from ._strict_json import NotStrictJson, parse_strict_json

MAX_WEBHOOK_BYTES = 64 * 1024
"""Largest body of a delivery in bytes. The service sends less than 20 kB."""

DEFAULT_TOLERANCE_S = 300
"""Seconds by which the time of a delivery may differ from now. A recorded delivery works no longer."""

MAX_SIGNATURES = 8
"""Most signatures that one header may hold: two while a secret rotates, and some more."""

_WHOLE_SECONDS = re.compile(r"[0-9]{1,12}")
_PREFIX = "whsec_"


@dataclass(frozen=True)
class WebhookEvent:
    """A delivery that the service signed."""

    id: str
    """The same over retries and replays: handle each once."""
    type: str
    timestamp: str
    """When it happened, in RFC 3339."""
    org_id: str
    data: JsonObject
    payload: JsonObject
    """The whole body."""


def verify_webhook(
    body: bytes | bytearray,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance_s: int = DEFAULT_TOLERANCE_S,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """
    The event of a delivery, if one of the secrets (`whsec_...`) signed exactly these bytes lately. `body` is
    the raw body, before anything parsed it. While a secret rotates, pass both. It reads the headers of Standard
    Webhooks. `X-Svc-Signature-256` is not enough: it covers the body and no time, so a recorded delivery would
    pass.

    Raises SvcWebhookInvalid, and ValueError for a secret that is not one.
    """
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("secrets: expected at least one")
    if isinstance(body, str):
        raise TypeError("body: expected the raw bytes of the request, before anything decoded them")
    delivery_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    _require_recent(timestamp, now(), tolerance_s)
    signed = b".".join((delivery_id.encode(), timestamp.encode(), bytes(body)))
    _require_signature(_header(headers, "webhook-signature"), signed, keys)
    return _read_event(delivery_id, bytes(body))


def _key_of(secret: object) -> bytes:
    if not isinstance(secret, str):
        raise ValueError(f"secrets: expected texts, as the service showed them; got {type(secret).__name__}")
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(_PREFIX) or not key:
        raise ValueError("secrets: expected whsec_ and base64, as the service showed it")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    # Frameworks also give bytes, or a list for each name.
    given = cast("Mapping[object, object]", headers)
    found = [value for key, value in given.items() if isinstance(key, str) and key.lower() == name]
    value = found[0] if len(found) == 1 else None
    if not isinstance(value, str) or not value.isascii() or not value:
        raise SvcWebhookInvalid(f"{name}: expected this header, once, as text and in ASCII")
    return value


def _require_recent(timestamp: str, now: float, tolerance_s: int) -> None:
    if _WHOLE_SECONDS.fullmatch(timestamp) is None:
        raise SvcWebhookInvalid("webhook-timestamp: expected whole seconds since 1970")
    # Of a time that is not a number, no comparison holds.
    if not abs(now - int(timestamp)) <= tolerance_s:
        raise SvcWebhookInvalid(f"webhook-timestamp: expected a time within {tolerance_s} s of now")


def _require_signature(header: str, signed: bytes, keys: Sequence[bytes]) -> None:
    wanted = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    parts = header.split(" ")[:MAX_SIGNATURES]
    given = [part.removeprefix("v1,").encode() for part in parts if part.startswith("v1,")]
    # Every pair is compared, so the time tells nothing about the one that fits.
    matches = [hmac.compare_digest(one, other) for one in wanted for other in given]
    if not any(matches):
        raise SvcWebhookInvalid("webhook-signature: expected a signature of this body by one of the secrets")


def _read_event(delivery_id: str, body: bytes) -> WebhookEvent:
    try:
        payload = parse_strict_json(body, MAX_WEBHOOK_BYTES)
    except NotStrictJson as error:
        raise SvcWebhookInvalid(f"body: expected strict JSON: {error}") from None
    if isinstance(payload, dict):
        kind, timestamp, org_id, data = (payload.get(name) for name in ("type", "timestamp", "org_id", "data"))
        is_named = isinstance(kind, str) and isinstance(timestamp, str) and isinstance(org_id, str)
        if is_named and isinstance(data, dict) and payload.get("id") == delivery_id:
            return WebhookEvent(delivery_id, str(kind), str(timestamp), str(org_id), data, payload)
    raise SvcWebhookInvalid("body: expected the JSON of an event, with the id of the header webhook-id")
