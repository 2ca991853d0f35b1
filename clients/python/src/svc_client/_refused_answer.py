"""What is said of an answer without a verdict: what the gateway told, and what its operator can do about it."""

from __future__ import annotations

import re

from ._answer import Answer
from ._errors import sentence
from ._limits import MAX_DETAIL_LENGTH, MAX_PROBLEM_BYTES
from ._request_names import is_request_id
from ._settings import ClientSettings
from ._strict_json import NotStrictJson, parse_strict_json
from ._verdict import Deny, fail_closed_deny

_API_PREFIX = re.compile(r"(?:/api)?/v1$")
"""The prefixes of the API, which the client adds itself."""

_RETRYABLE_STATUSES = frozenset((408, 425, 429))
"""Statuses below 500 after which the same request may be answered otherwise."""

_UNSHOWN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+")
"""Line breaks and other characters without a shape, which could make a reason look like two."""


def deny_refused(answer: Answer, settings: ClientSettings) -> Deny:
    """The deny for an answer outside 2xx."""
    status = answer.status
    request_id = answer.header("x-request-id")
    request = f" (request {request_id})" if request_id and is_request_id(request_id) else ""
    detail = problem_detail(answer)
    # A server that repeats the key must not make this message a place where it is kept.
    is_told = detail is not None and (settings.api_key is None or settings.api_key not in detail)
    told = sentence(detail) if is_told and detail is not None else ""
    cause, hint = _cause(status, settings.prefix, settings.api_key is not None, told)
    reason = f"The gateway answered with status {status}{request}: {cause}"
    retryable = status >= 500 or status in _RETRYABLE_STATUSES
    return fail_closed_deny("gateway_refused", reason, retryable, hint or None)


def problem_detail(answer: Answer) -> str | None:
    """Why a request was refused, in the words of the gateway; None when it said nothing readable."""
    if answer.status == 200 or answer.body is None:
        return None
    try:
        document = parse_strict_json(answer.body, MAX_PROBLEM_BYTES)
    except NotStrictJson:
        return None
    detail = document.get("detail") if isinstance(document, dict) else None
    if not isinstance(detail, str):
        return None
    shown = _UNSHOWN.sub(" ", detail).strip()
    return (shown if len(shown) <= MAX_DETAIL_LENGTH else f"{shown[: MAX_DETAIL_LENGTH - 3]}...") or None


def _cause(status: int, path: str, has_key: bool, told: str) -> tuple[str, str]:
    """For the model; and for the operator what names settings, and what the gateway says of a key."""
    if 300 <= status <= 399:
        return "it redirects, and no redirect is followed.", "Set SVC_URL to the address of the gateway itself."
    if status == 401 and not has_key:
        return "no API key was sent.", "Set SVC_API_KEY. The key needs the role agent."
    if status == 401:
        return "it refused the API key.", told or "Check SVC_API_KEY."
    if status == 403:
        return "the API key does not permit this call." if has_key else "it refused the call.", told
    if status == 404:
        return "no gateway answers at this address.", _joined(_wrong_address(path), told)
    return _joined("no verdict.", told), ""


def _wrong_address(path: str) -> str:
    if path == "":
        return "Set SVC_URL to the address of the gateway."
    prefix = _API_PREFIX.search(path)
    if prefix is None:
        return f"SVC_URL has the path {path}. Leave it out, unless a proxy serves the gateway below it."
    return f"The client adds /api/v1 to SVC_URL itself. Leave {prefix[0]} out of SVC_URL."


def _joined(first: str, second: str) -> str:
    return f"{first} {second}" if second else first
