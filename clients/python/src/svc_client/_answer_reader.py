"""Reads one HTTP/1.1 answer off bytes, without any input or output of its own."""

from __future__ import annotations

import re

from ._answer import Answer
from ._limits import (
    IDLE_CONNECTION_S,
    IDLE_MARGIN_S,
    MAX_HEAD_BYTES,
    MAX_IDLE_CONNECTION_S,
    MAX_PROBLEM_BYTES,
)
from ._transport_fault import TransportFault

_STATUS_LINE = re.compile(rb"HTTP/1\.([01]) ([1-5][0-9]{2})(?: [^\x00-\x08\x0a-\x1f\x7f]*)?")
_FIELD_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
_LENGTH = re.compile(r"[0-9]{1,15}")
_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]{1,8}")
_KEEP_ALIVE_TIMEOUT = re.compile(r"(?:^|[,;\s])timeout=([0-9]{1,6})(?:$|[,;\s])", re.IGNORECASE)

_MAX_CHUNK_LINE_BYTES = 10
"""Longest line that says the size of a chunk, its end included."""

_BEGINNING = b"HTTP/1."


class AnswerReader:
    """
    Stricter than HTTP asks for: an answer that two readers could end at different places is a fault. An
    answer must say its length, or come in chunks; one that ends with its connection could be cut anywhere.
    """

    def __init__(self, max_body_bytes: int) -> None:
        self._max_body_bytes = max_body_bytes
        self._bytes = bytearray()
        self._head_bytes = 0
        self._head: tuple[int, dict[str, tuple[str, ...]], float] | None = None
        self._reads_body = False
        self._length: int | None = None
        self._chunks = bytearray()

    def feed(self, data: bytes) -> Answer | None:
        """
        The answer, once it is whole; None while bytes are missing.

        Raises TransportFault. Empty data is the end of the connection.
        """
        if not data:
            raise TransportFault("CLOSED")
        return self._feed(data)

    def refusal(self) -> Answer | None:
        """The answer without a body, when its status is known and is not 200: the status decides alone."""
        if self._head is None or self._head[0] == 200:
            return None
        return Answer(self._head[0], self._head[1], None, 0)

    def _feed(self, data: bytes) -> Answer | None:
        self._bytes += data
        while self._head is None:
            head = self._next_head()
            if head is None:
                return None
            self._begin(head)
        status, headers, reusable_s = self._head
        if not self._reads_body:
            # Only the status decides. Such a body is worth neither a wait nor a connection.
            return Answer(status, headers, None, 0)
        if self._length is None:
            body = self._chunked_body()
        elif self._length > self._max_body_bytes:
            return Answer(status, headers, None, 0)
        else:
            body = self._counted_body(self._length)
        if body is None:
            return None
        if len(body) > self._max_body_bytes:
            return Answer(status, headers, None, 0)
        return Answer(status, headers, body, 0 if self._bytes or status != 200 else reusable_s)

    def _next_head(self) -> bytes | None:
        if not self._bytes.startswith(_BEGINNING[: len(self._bytes)]):
            raise TransportFault("NOT_HTTP")
        end = self._bytes.find(b"\r\n\r\n")
        if self._head_bytes + (len(self._bytes) if end < 0 else end) > MAX_HEAD_BYTES:
            raise TransportFault("HEAD_TOO_LARGE")
        if end < 0:
            return None
        head = bytes(self._bytes[:end])
        del self._bytes[: end + 4]
        self._head_bytes += end + 4
        return head

    def _begin(self, head: bytes) -> None:
        status_line, *field_lines = head.split(b"\r\n")
        match = _STATUS_LINE.fullmatch(status_line)
        if match is None:
            raise TransportFault("NOT_HTTP")
        status = int(match[2])
        if status in (100, 101):
            # Nothing was asked that these could answer.
            raise TransportFault("UNEXPECTED_INTERIM_ANSWER")
        if status < 200:
            return
        headers = _headers(field_lines)
        self._head = (status, headers, _reusable_s(match[1] == b"1", headers))
        if status == 200:
            self._length = _body_length(headers)
            self._reads_body = True
        elif 400 <= status <= 499 and _is_problem(headers):
            self._read_problem(headers)

    def _read_problem(self, headers: dict[str, tuple[str, ...]]) -> None:
        try:
            self._length = _body_length(headers)
        except TransportFault:
            return
        self._reads_body = True
        self._max_body_bytes = min(self._max_body_bytes, MAX_PROBLEM_BYTES)

    def _counted_body(self, length: int) -> bytes | None:
        if len(self._bytes) < length:
            return None
        body = bytes(self._bytes[:length])
        del self._bytes[:length]
        return body

    def _chunked_body(self) -> bytes | None:
        """The body after its last chunk, or what is too much of it."""
        while True:
            end = self._bytes.find(b"\r\n", 0, _MAX_CHUNK_LINE_BYTES)
            if end < 0:
                if len(self._bytes) >= _MAX_CHUNK_LINE_BYTES:
                    raise TransportFault("MALFORMED_CHUNK")
                return None
            if _CHUNK_SIZE.fullmatch(self._bytes[:end]) is None:
                raise TransportFault("MALFORMED_CHUNK")
            size = int(self._bytes[:end], 16)
            if len(self._chunks) + size > self._max_body_bytes:
                return bytes(self._max_body_bytes + 1)
            if len(self._bytes) < end + size + 4:
                return None
            if not self._bytes.startswith(b"\r\n", end + 2 + size):
                raise TransportFault("MALFORMED_CHUNK")
            self._chunks += self._bytes[end + 2 : end + 2 + size]
            del self._bytes[: end + size + 4]
            if size == 0:
                return bytes(self._chunks)


def _headers(lines: list[bytes]) -> dict[str, tuple[str, ...]]:
    headers: dict[str, tuple[str, ...]] = {}
    for line in lines:
        match = _FIELD_LINE.fullmatch(line)
        if match is None:
            raise TransportFault("MALFORMED_HEADER")
        name = match[1].decode("ascii").lower()
        headers[name] = (*headers.get(name, ()), match[2].decode("latin-1").strip(" \t"))
    return headers


def _body_length(headers: dict[str, tuple[str, ...]]) -> int | None:
    """Bytes of the body; None when it comes in chunks."""
    lengths = headers.get("content-length", ())
    codings = headers.get("transfer-encoding", ())
    if codings:
        if lengths or len(codings) != 1 or codings[0].lower() != "chunked":
            raise TransportFault("AMBIGUOUS_LENGTH")
        return None
    if len(lengths) != 1 or _LENGTH.fullmatch(lengths[0]) is None:
        raise TransportFault("AMBIGUOUS_LENGTH")
    return int(lengths[0])


def _is_problem(headers: dict[str, tuple[str, ...]]) -> bool:
    """Whether the body says why a request was refused."""
    media_types = [value.partition(";")[0].strip().lower() for value in headers.get("content-type", ())]
    return media_types == ["application/problem+json"] and "content-encoding" not in headers


def _reusable_s(is_http_1_1: bool, headers: dict[str, tuple[str, ...]]) -> float:
    if not is_http_1_1 or any("close" in value.lower() for value in headers.get("connection", ())):
        return 0
    hints = [_KEEP_ALIVE_TIMEOUT.search(value) for value in headers.get("keep-alive", ())]
    hinted = min((float(hint[1]) for hint in hints if hint is not None), default=None)
    if hinted is None:
        return IDLE_CONNECTION_S
    return max(0.0, min(hinted, MAX_IDLE_CONNECTION_S) - IDLE_MARGIN_S)
