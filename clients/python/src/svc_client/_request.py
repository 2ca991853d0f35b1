"""The bytes of one request to the gateway."""

from __future__ import annotations

from ._settings import ClientSettings

EXECUTE_PATH = "/api/v1/gateway/execute"
OUTCOME_PATH = "/api/v1/gateway/outcome"

_AGENT = "svc-client-python/0.1.0"


class RequestRenderer:
    """Every value was checked before: none of them can end a line."""

    def __init__(self, settings: ClientSettings) -> None:
        self._prefix = settings.prefix
        lines = [
            f"Host: {settings.authority}",
            f"User-Agent: {_AGENT}",
            "Content-Type: application/json",
            "Accept: application/json",
            "Accept-Encoding: identity",
        ]
        if settings.api_key is not None:
            lines.append(f"Authorization: Bearer {settings.api_key}")
        if settings.org_id is not None:
            lines.append(f"X-Svc-Org-Id: {settings.org_id}")
        self._fixed = "".join(f"{line}\r\n" for line in lines)

    def post(self, path: str, body: bytes, idempotency_key: str | None = None) -> bytes:
        key = "" if idempotency_key is None else f"Idempotency-Key: {idempotency_key}\r\n"
        head = f"POST {self._prefix}{path} HTTP/1.1\r\n{self._fixed}{key}Content-Length: {len(body)}\r\n\r\n"
        return head.encode("ascii") + body
