"""What a client must know, checked once. Nothing here reads an environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ._identifier import excerpt, require_identifier
from ._limits import DEFAULT_DECISION_TIMEOUT_MS, MAX_DECISION_TIMEOUT_MS, MIN_DECISION_TIMEOUT_MS

DEFAULT_URL = "http://localhost:8080"

_API_KEY = re.compile(r"[\x21-\x7e]{1,512}")
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]")
_PATH = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]*)*")
_WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, repr=False)
class ClientSettings:
    """Its text never shows the key."""

    base_url: str
    is_tls: bool
    host: str
    port: int
    authority: str
    """As the Host header has it."""
    prefix: str
    """The path below which the gateway is, without a slash at its end."""
    api_key: str | None
    org_id: str | None
    timeout_ms: int


def make_settings(
    base_url: object, api_key: object, org_id: object = None, timeout_ms: object = None
) -> ClientSettings:
    """Raises ValueError that names the setting, what was expected, what came and the fix."""
    if timeout_ms is None:
        timeout_ms = DEFAULT_DECISION_TIMEOUT_MS
    if api_key is not None and not (isinstance(api_key, str) and _API_KEY.fullmatch(api_key)):
        raise ValueError("api_key: expected 1 to 512 visible ASCII characters. Is there a line break in it?")
    if org_id is not None:
        require_identifier("org_id", org_id)
    is_tls, host, port, authority, prefix = _read_url(base_url)
    return ClientSettings(
        base_url=str(base_url),
        is_tls=is_tls,
        host=host,
        port=port,
        authority=authority,
        prefix=prefix,
        api_key=api_key,
        org_id=org_id if isinstance(org_id, str) else None,
        timeout_ms=_read_timeout(timeout_ms),
    )


def settings_from_environment(
    environment: Mapping[str, str],
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    org_id: str | None = None,
    timeout_ms: int | None = None,
) -> ClientSettings:
    """What is not given is read from SVC_URL, SVC_API_KEY, SVC_ORG_ID and SVC_DECISION_TIMEOUT_MS."""

    def read(name: str) -> str | None:
        # A variable that is set to nothing counts as not set, as it does for the adapters.
        return environment.get(name) or None

    timeout: object = timeout_ms
    if timeout is None:
        text = read("SVC_DECISION_TIMEOUT_MS")
        timeout = int(text) if text is not None and _WHOLE_NUMBER.fullmatch(text) else text
    try:
        return make_settings(
            base_url or read("SVC_URL") or DEFAULT_URL,
            api_key or read("SVC_API_KEY"),
            org_id or read("SVC_ORG_ID"),
            timeout,
        )
    except ValueError as error:
        names = "base_url: SVC_URL, api_key: SVC_API_KEY, org_id: SVC_ORG_ID, timeout_ms: SVC_DECISION_TIMEOUT_MS"
        raise ValueError(f"{error} (not given, these are read: {names})") from None


def _read_timeout(value: object) -> int:
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and MIN_DECISION_TIMEOUT_MS <= value <= MAX_DECISION_TIMEOUT_MS
    ):
        return value
    expected = f"whole milliseconds from {MIN_DECISION_TIMEOUT_MS} to {MAX_DECISION_TIMEOUT_MS}"
    raise ValueError(f"timeout_ms: expected {expected}; got {value!r}")


def _read_url(value: object) -> tuple[bool, str, int, str, str]:
    expected = "base_url: expected an address such as https://gateway.example:8080"
    if not isinstance(value, str):
        raise ValueError(f"{expected}; got {excerpt(value)}")
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        raise ValueError(f"{expected}; it cannot be read as an address") from None
    if parts.scheme not in ("http", "https"):
        raise ValueError(f"{expected}; it must begin with http:// or https://")
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"{expected}, without a user or password; pass the key as api_key")
    if parts.query or parts.fragment or "?" in value or "#" in value:
        raise ValueError(f"{expected}, without a query or fragment")
    authority = parts.netloc
    host_text = authority[: -len(f":{port}")] if port is not None else authority.removesuffix(":")
    if not _HOST.fullmatch(host_text):
        raise ValueError(f"{expected}; write a host outside ASCII in its xn-- form")
    if not _PATH.fullmatch(parts.path):
        raise ValueError(f"{expected}; its path holds a character that must be percent-encoded")
    is_tls = parts.scheme == "https"
    if port == 0:
        raise ValueError(f"{expected}; the port must be from 1 to 65535")
    number = port or (443 if is_tls else 80)
    return is_tls, host_text.strip("[]"), number, authority.removesuffix(":"), parts.path.rstrip("/")
