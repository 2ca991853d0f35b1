"""Things that listen where a gateway should be."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import Self

ALLOW: dict[str, Any] = {"decision": "allow", "decision_id": "gateway-1.7", "args_constrained": False}
ALLOW_BODY = json.dumps(ALLOW, separators=(",", ":")).encode()

PATIENT_MS = 10_000
"""Long enough for a busy machine: nothing that should answer may time out."""

Script = Callable[["Peer"], None]


class Peer:
    """One connection, seen from the server."""

    def __init__(self, sock: socket.socket, port: int, stopping: threading.Event) -> None:
        self.socket = sock
        self.port = port
        self.stopping = stopping
        self._buffer = b""

    def read_request(self) -> Request | None:
        """A whole request; None at the end of the connection."""
        while b"\r\n\r\n" not in self._buffer:
            if not self._more():
                return None
        head, _, rest = self._buffer.partition(b"\r\n\r\n")
        request_line, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", "0"))
        self._buffer = rest
        while len(self._buffer) < length:
            if not self._more():
                return None
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        return Request(request_line.split(" ")[1], headers, body, self.port)

    def write(self, data: bytes) -> None:
        self.socket.sendall(data)

    def reset(self) -> None:
        """Closes with a reset instead of an end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def hang(self) -> None:
        self.stopping.wait()

    def _more(self) -> bool:
        data = self.socket.recv(65_536)
        self._buffer += data
        return bool(data)


@dataclass
class Request:
    path: str
    headers: Mapping[str, str]
    body: bytes
    port: int

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.body)
        return document


class Gateway:
    """Listens on a free port of this machine, each connection on a thread of its own."""

    scheme = "http"

    def __init__(self, script: Script) -> None:
        self._script = script
        self._stopping = threading.Event()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"{self.scheme}://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        # A thread that waits in accept() is not woken by a close alone.
        for each in (self._listener, *self._sockets):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                sock, (_, port) = self._listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._sockets.append(sock)
            threading.Thread(target=self._serve, args=(sock, port), daemon=True).start()

    def _serve(self, sock: socket.socket, port: int) -> None:
        try:
            self._script(Peer(sock, port, self._stopping))
        except (OSError, ValueError):
            # The client went away, which is what many tests are about.
            pass
        finally:
            if not self._stopping.is_set():
                sock.close()


class TlsGateway(Gateway):
    scheme = "https"


def raw(script: Script) -> Gateway:
    """Reads one whole request and then hands the connection to the script."""

    def after_request(peer: Peer) -> None:
        peer.read_request()
        script(peer)

    return Gateway(after_request)


def answering(answer: bytes) -> Gateway:
    return raw(lambda peer: peer.write(answer))


def render(body: bytes = ALLOW_BODY, status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """An answer with a matching Content-Length, as JSON unless its headers say otherwise."""
    lines = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Scripted\r\n{head}\r\n".encode("latin-1") + body


Reply = Callable[[Request], "bytes | None"]


@dataclass
class ScriptedGateway(Gateway):
    """Answers every request, and keeps what it saw. A reply of None leaves the request without an answer."""

    reply: Reply = field(default=lambda request: scripted(request))
    beat: Reply = field(default=lambda _: render(b'{"interval_seconds":1}'))

    def __post_init__(self) -> None:
        self.seen: list[Request] = []
        self.outcomes: list[dict[str, Any]] = []
        self.beats: list[Request] = []
        super().__init__(self._talk)

    @property
    def ports(self) -> list[int]:
        return [request.port for request in self.seen]

    def _talk(self, peer: Peer) -> None:
        while (request := peer.read_request()) is not None:
            if request.path.endswith("/outcome"):
                self.outcomes.append(request.document)
                peer.write(render(b'{"recorded":true}'))
            elif request.path.endswith("/heartbeat"):
                self.beats.append(request)
                self._answer(peer, self.beat(request))
            else:
                self.seen.append(request)
                self._answer(peer, self.reply(request))

    def _answer(self, peer: Peer, answer: bytes | None) -> None:
        if answer is None:
            peer.hang()
        else:
            peer.write(answer)


def scripted(request: Request) -> bytes:
    """Tools decide by their names."""
    tool = request.document["tool"]
    if tool == "denied":
        deny = {"decision": "deny", "decision_id": "gateway-1.8", "reason": "Not this one.", "rule_id": "r-1"}
        return render(json.dumps({**deny, "reason_code": "rule", "retryable": False}).encode())
    if tool == "paused":
        pause = {"decision": "pause", "decision_id": "gateway-1.9", "reason": "Ask."}
        return render(json.dumps({**pause, "approval_url": "https://svc.example/approvals/a-1"}).encode())
    return render()


def shaping(shaped: Mapping[str, Any]) -> Reply:
    """Allows every call with these arguments instead of its own."""
    body = json.dumps({**ALLOW, "args_constrained": True, "shaped_args": dict(shaped)}).encode()
    return lambda _: render(body)


def args_of(gateway: ScriptedGateway) -> list[Any]:
    """The arguments of each question."""
    return [request.document["args"] for request in gateway.seen]


def sessions(gateway: ScriptedGateway) -> list[tuple[str, str | None]]:
    """Agent and session of each question."""
    return [(each.document["agent_id"], each.document.get("session_id")) for each in gateway.seen]


def eventually(holds: Callable[[], bool], what: str, within_s: float = 10) -> None:
    """Polls until it holds."""
    polling = threading.Event()
    for _ in range(int(within_s / 0.01)):
        if holds():
            return
        polling.wait(0.01)
    raise AssertionError(f"not within {within_s} s: {what}")
