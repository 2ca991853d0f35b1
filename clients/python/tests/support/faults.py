"""Every way of not getting a verdict, each with the reason code of the deny that it becomes."""

from __future__ import annotations

import contextlib
import gzip
import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from svc_client._limits import MAX_VERDICT_BYTES

from .gateways import ALLOW, ALLOW_BODY, Gateway, Peer, Request, TlsGateway, answering, raw, render

FAULT_TIMEOUT_MS = 1_500
"""Decision timeout in milliseconds to run the suite with: faults that hang take this long."""

DRIP_INTERVAL_S = 0.05
"""Pause between two bytes of a slow drip: the whole allow takes seconds, no single wait is long."""

INTERIM_INTERVAL_S = 0.02


class HasUrl(Protocol):
    url: str


@dataclass(frozen=True)
class Fault:
    name: str
    wanted: str
    start: Callable[[], AbstractContextManager[HasUrl]]


@dataclass
class Address:
    url: str


@contextmanager
def absent() -> Iterator[HasUrl]:
    """An address on which nothing listens any more."""
    with Gateway(lambda _: None) as gateway:
        url = gateway.url
    yield Address(url)


@contextmanager
def impossible_host() -> Iterator[HasUrl]:
    """A label longer than DNS knows: the resolver refuses it without asking anybody."""
    yield Address(f"http://{'x' * 64}.invalid:8080")


def refuse_handshake(peer: Peer) -> None:
    """A server without a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with contextlib.suppress(ssl.SSLError):
        context.wrap_socket(peer.socket, server_side=True)


def drip(peer: Peer) -> None:
    for at in range(len(answer := render())):
        peer.write(answer[at : at + 1])
        if peer.stopping.wait(DRIP_INTERVAL_S):
            return


def interim_without_end(peer: Peer) -> None:
    while not peer.stopping.wait(INTERIM_INTERVAL_S):
        peer.write(b"HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n")


def then_reset(data: bytes) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        peer.write(data)
        peer.reset()

    return script


def then_hang(data: bytes) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        peer.write(data)
        peer.hang()

    return script


def redirecting(status: int) -> Gateway:
    """Points at a gateway that allows."""

    def reply(request: Request) -> bytes:
        allows = request.path == "/allowing"
        return render() if allows else render(status=status, headers={"location": "/allowing"})

    def talk(peer: Peer) -> None:
        while (request := peer.read_request()) is not None:
            peer.write(reply(request))

    return Gateway(talk)


def allow_with(**changes: Any) -> bytes:
    """An allow with fields changed, added, or (when an ellipsis) left out."""
    fields = {**ALLOW, **changes}
    return json.dumps({name: value for name, value in fields.items() if value is not ...}).encode()


_CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
_ONE_CHUNK = f"{len(ALLOW_BODY):x}\r\n".encode() + ALLOW_BODY + b"\r\n"
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
_LENGTH = f"content-length: {len(ALLOW_BODY)}\r\n".encode()

_UNREACHABLE: dict[str, Callable[[], AbstractContextManager[HasUrl]]] = {
    "connection refused": absent,
    "DNS failure": impossible_host,
    "TLS failure: the handshake is refused": lambda: TlsGateway(refuse_handshake),
    "TLS failure: the peer speaks plain HTTP": lambda: TlsGateway(lambda peer: peer.write(render())),
    "closed without an answer": lambda: raw(lambda peer: peer.socket.close()),
    "an answer that is not HTTP": lambda: answering(ALLOW_BODY),
    "reset in the headers": lambda: raw(then_reset(b"HTTP/1.1 200 OK\r\ncontent-type: appl")),
    "reset mid-body, after a whole verdict": lambda: raw(
        then_reset(render(headers={"content-length": str(len(ALLOW_BODY) + 10)}))
    ),
    "end mid-body, after a whole verdict": lambda: answering(
        render(headers={"content-length": str(len(ALLOW_BODY) + 10)})
    ),
    "a chunked body that never says its end": lambda: answering(_CHUNKED + _ONE_CHUNK),
    "a chunk that is longer than it says": lambda: answering(
        _CHUNKED + _ONE_CHUNK.replace(b"\r\n", b"  \r\n", 1) + b"0\r\n\r\n"
    ),
    "100-continue flood before an allow": lambda: answering(
        b"HTTP/1.1 100 Continue\r\n\r\n" * 2_000 + render()
    ),
    "one 100-continue before an allow": lambda: answering(b"HTTP/1.1 100 Continue\r\n\r\n" + render()),
    "two lengths": lambda: answering(_HEAD + _LENGTH + b"content-length: 1\r\n\r\n" + ALLOW_BODY),
    "a length and chunks": lambda: answering(
        _HEAD + _LENGTH + b"transfer-encoding: chunked\r\n\r\n" + _ONE_CHUNK + b"0\r\n\r\n"
    ),
    "no length, ended by the connection": lambda: answering(_HEAD + b"\r\n" + ALLOW_BODY),
    "a length with a sign": lambda: answering(
        _HEAD + _LENGTH.replace(b": ", b": +") + b"\r\n" + ALLOW_BODY
    ),
    "a header that is folded": lambda: answering(_HEAD + b" json\r\n" + _LENGTH + b"\r\n" + ALLOW_BODY),
    "lines that end with a line feed alone": lambda: answering(render().replace(b"\r\n", b"\n")),
    "an answer to another request": lambda: answering(render(headers={"x-request-id": f"svc-q-{'0a' * 16}-1"})),
    "headers without end": lambda: raw(then_hang(_HEAD + b"x-filler: " + b"x" * 80_000)),
}

_LATE: dict[str, Callable[[], AbstractContextManager[HasUrl]]] = {
    "hang in the TLS handshake": lambda: TlsGateway(lambda peer: peer.hang()),
    "hang before the headers": lambda: raw(lambda peer: peer.hang()),
    "hang in the headers": lambda: raw(then_hang(_HEAD)),
    "hang in the body, after a whole verdict": lambda: raw(
        then_hang(render(headers={"content-length": str(len(ALLOW_BODY) + 1)}))
    ),
    "slow drip past the deadline": lambda: raw(drip),
    "interim answers without end": lambda: raw(interim_without_end),
}

_REFUSING = (304, 400, 401, 403, 404, 409, 413, 429, 500, 502, 503, 504)
_OTHER_SUCCESSES = (201, 202, 203, 206, 207, 299)

_BODIES: dict[str, bytes] = {
    "an empty body": b"",
    "truncated JSON": ALLOW_BODY[:-1],
    "trailing garbage": ALLOW_BODY + b"x",
    "two JSON documents": ALLOW_BODY + b"\n" + ALLOW_BODY,
    "duplicate keys, deny first": b'{"decision":"deny",' + ALLOW_BODY[1:],
    "duplicate keys, deny last": ALLOW_BODY[:-1] + b',"decision":"deny"}',
    "a key spelled twice, once escaped": b'{"\\u0064ecision":"deny",' + ALLOW_BODY[1:],
    "a byte order mark": b"\xef\xbb\xbf" + ALLOW_BODY,
    "UTF-16": ALLOW_BODY.decode().encode("utf-16-le"),
    "invalid UTF-8": ALLOW_BODY.replace(b"gateway-1.7", b"gateway-\xff.7"),
    "a comment": ALLOW_BODY + b" // fine",
    "a prototype key": b'{"__proto__":' + ALLOW_BODY + b"}",
    "JSON null": b"null",
    "JSON true": b"true",
    "NaN": b"NaN",
    "the string allow": b'"allow"',
    "an array": b"[" + ALLOW_BODY + b"]",
    "an empty object": b"{}",
    "brackets without end": b"[" * 500_000,
    "an unknown decision": allow_with(decision="permit"),
    "a decision in other case": allow_with(decision="Allow"),
    "a decision with a space": allow_with(decision="allow "),
    "a missing decision": allow_with(decision=...),
    "a decision in an array": allow_with(decision=["allow"]),
    "a boolean decision": allow_with(decision=True),
    "a boolean called allowed": b'{"allowed":true,"verdict":true,"result":"allow"}',
    "an allow without decision_id": allow_with(decision_id=...),
    "an allow with an empty decision_id": allow_with(decision_id=""),
    "an allow with a numeric decision_id": allow_with(decision_id=7),
    "args_constrained as the string false": allow_with(args_constrained="false"),
    "args_constrained as null": allow_with(args_constrained=None),
    "args_constrained as 0": allow_with(args_constrained=0),
    "shaped_args without args_constrained": allow_with(args_constrained=..., shaped_args={}),
    "shaped_args with args_constrained false": allow_with(shaped_args={"amount": 1}),
    "args_constrained without shaped_args": allow_with(args_constrained=True),
    "shaped_args that is not an object": allow_with(args_constrained=True, shaped_args=["amount"]),
    "a verdict of one mebibyte and one byte": ALLOW_BODY.ljust(MAX_VERDICT_BYTES + 1),
}

_ANSWERS: dict[str, bytes] = {
    "an HTML page with status 200": render(
        b"<!doctype html><title>allow</title>", headers={"content-type": "text/html"}
    ),
    "an allow called text/plain": render(headers={"content-type": "text/plain"}),
    "an allow called JSON lines": render(headers={"content-type": "application/jsonl"}),
    "an allow called two things": render(headers={"Content-Type": "application/json"}),
    "a gzip-encoded allow": render(gzip.compress(ALLOW_BODY), headers={"content-encoding": "gzip"}),
    "an allow called gzip that is not": render(headers={"content-encoding": "gzip"}),
    "status 204": render(b"", status=204),
}


def _faults() -> Iterator[Fault]:
    for name, start in _UNREACHABLE.items():
        yield Fault(name, "gateway_unreachable", start)
    for name, start in _LATE.items():
        yield Fault(name, "decision_timeout", start)
    for status in (301, 302, 303, 307, 308):
        yield Fault(f"status {status} to a gateway that allows", "gateway_refused", _redirect(status))
    for status in _REFUSING:
        yield Fault(f"status {status} with an allow", "gateway_refused", _answer(render(status=status)))
    for name, body in _BODIES.items():
        yield Fault(name, "verdict_unreadable", _answer(render(body)))
    for name, answer in _ANSWERS.items():
        yield Fault(name, "verdict_unreadable", _answer(answer))
    for status in _OTHER_SUCCESSES:
        yield Fault(f"status {status} with an allow", "verdict_unreadable", _answer(render(status=status)))


def _answer(answer: bytes) -> Callable[[], AbstractContextManager[HasUrl]]:
    return lambda: answering(answer)


def _redirect(status: int) -> Callable[[], AbstractContextManager[HasUrl]]:
    return lambda: redirecting(status)


FAULTS = tuple(_faults())


