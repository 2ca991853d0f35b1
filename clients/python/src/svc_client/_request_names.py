"""Which answer belongs to which request: each request has a name, and the gateway repeats it in its answer."""

from __future__ import annotations

import os
import re
from itertools import count

from ._answer import Answer
from ._forget_in_child import forget_in_child
from ._transport_fault import TransportFault

_BEGINNING = "svc-q-"
"""How the names begin that the client libraries and adapters of Svc give to their requests."""

_RANDOM_BYTES = 16
"""Bytes of randomness in the names of one client."""

_REQUEST_ID = re.compile(r"req_[0-9a-f]{32}|svc-q-[0-9a-f]{32}-[0-9]{1,16}")
"""Of a request id in the gateway's log: the gateway's own, or the name that a client gave."""

_MISDIRECTED = "ANSWER_TO_ANOTHER_REQUEST"


def is_request_id(text: str) -> bool:
    """Whether a text may be repeated as a request id. Any other text in its place is not."""
    return _REQUEST_ID.fullmatch(text) is not None


class RequestNames:
    """Names each request of one client. Nobody who has not seen a request can guess its name."""

    def __init__(self) -> None:
        self.forget_parent()
        forget_in_child(self)

    def forget_parent(self) -> None:
        self._prefix = f"{_BEGINNING}{os.urandom(_RANDOM_BYTES).hex()}-"
        self._numbers = count(1)

    def next(self) -> str:
        return f"{self._prefix}{next(self._numbers)}"


def named_request(request: bytes, name: str) -> bytes:
    """The request with its name as a header, behind its first line."""
    return request.replace(b"\r\n", b"\r\nX-Request-Id: %b\r\n" % name.encode("ascii"), 1)


class AnswersOfConnection:
    """What the answers on one connection have shown of the way to the gateway."""

    def __init__(self) -> None:
        self._are_named = False

    def check(self, answer: Answer, name: str) -> None:
        """
        Raises TransportFault for an answer that is not the one to the request with this name. A proxy may remove
        the header, write its own name into it, or add its own beside it. After an answer that names its request,
        each verdict on the same connection must name its own.
        """
        found = answer.headers.get("x-request-id", ())
        if found == (name,):
            self._are_named = True
            return
        names = [each.strip() for line in found for each in line.split(",")]
        if any(each.startswith(_BEGINNING) and each != name for each in names):
            raise TransportFault(_MISDIRECTED)
        if name in names:
            self._are_named = True
        elif answer.status == 200 and self._are_named:
            # A proxy that answers by itself names no request. Its answer is not a verdict.
            raise TransportFault(_MISDIRECTED)
