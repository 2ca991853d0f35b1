"""What a client asks the gateway besides decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._deadline import Deadline, Monotonic
from ._exchange import Exchange
from ._json_value import JsonObject
from ._limits import DOCUMENT_TIMEOUT_MS, MAX_VERDICT_BYTES
from ._refused_answer import problem_detail
from ._request import RequestRenderer
from ._settings import ClientSettings
from ._strict_json import parse_strict_json

if TYPE_CHECKING:
    import ssl


class DocumentRefused(Exception):
    """The gateway answered with something else than a 200 with a JSON object."""


class GatewayDocuments:
    """Its connections are its own: a question about a call never waits for one of these."""

    def __init__(
        self, settings: ClientSettings, monotonic: Monotonic, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        self._exchange = Exchange(settings, monotonic, ssl_context)
        self._request = RequestRenderer(settings)
        self._monotonic = monotonic

    def post(self, path: str, body: bytes, timeout_ms: int = DOCUMENT_TIMEOUT_MS) -> JsonObject:
        """Raises when no readable 200 comes in time."""
        deadline = Deadline(timeout_ms, self._monotonic)
        answer = self._exchange.send(self._request.post(path, body), deadline, MAX_VERDICT_BYTES)
        if answer.status != 200 or answer.body is None:
            detail = problem_detail(answer)
            told = "" if detail is None else f": {detail}"
            raise DocumentRefused(f"status {answer.status}{told}")
        document = parse_strict_json(answer.body, MAX_VERDICT_BYTES)
        if not isinstance(document, dict):
            raise DocumentRefused("status 200 without a JSON object")
        return document

    def close(self) -> None:
        self._exchange.close()
