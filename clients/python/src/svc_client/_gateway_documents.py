"""What a client asks the gateway besides decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._answer import Answer
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

    def __init__(self, status: int, what: str) -> None:
        super().__init__(f"status {status}{what}")
        self.is_temporary = status == 429 or status >= 500
        """Whether a repeat may be taken."""


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
        return _document(self._exchange.send(self._request.post(path, body), deadline, MAX_VERDICT_BYTES))

    def post_all(
        self, documents: Sequence[tuple[str, bytes]], timeout_ms: int
    ) -> list[JsonObject | Exception]:
        """As many of these at once, each with what it would raise."""
        deadline = Deadline(timeout_ms, self._monotonic)
        requests = [self._request.post(path, body) for path, body in documents]
        answers = self._exchange.send_all(requests, deadline, MAX_VERDICT_BYTES)
        return [each if isinstance(each, Exception) else _document_or_error(each) for each in answers]

    def close(self) -> None:
        self._exchange.close()


def _document_or_error(answer: Answer) -> JsonObject | Exception:
    try:
        return _document(answer)
    except Exception as error:
        return error


def _document(answer: Answer) -> JsonObject:
    if answer.status != 200 or answer.body is None:
        detail = problem_detail(answer)
        told = "" if detail is None else f": {detail}"
        raise DocumentRefused(answer.status, told)
    document = parse_strict_json(answer.body, MAX_VERDICT_BYTES)
    if not isinstance(document, dict):
        raise DocumentRefused(answer.status, " without a JSON object")
    return document
