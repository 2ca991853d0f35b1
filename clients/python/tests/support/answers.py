"""Every answer of a gateway that an adapter must be right about, and how a call of `refund` ends with it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from .gateways import ALLOW, ALLOW_BODY, Reply, Request, render, scripted, shaping

TOOL = "refund"
ARGS: dict[str, Any] = {"order": "o-1", "amount": 5}
SHAPED: dict[str, Any] = {"order": "o-1", "amount": 3}

APPROVAL_URL = "https://svc.example/approvals/a-1"

HASTY_MS = 100
"""Decision timeout in milliseconds where the gateway hangs."""

State = Literal["answers", "hangs", "absent", "defect"]


@dataclass(frozen=True)
class AnswerCase:
    name: str
    reply: Reply = field(default=scripted, repr=False)
    ran_with: dict[str, Any] | None = None
    """What the tool runs with; None: it must not run."""
    told: str | None = None
    """What the model must read."""
    is_pause: bool = False
    state: State = "answers"
    """What the client finds: a gateway, one that hangs, none, or a defect of its own."""


def verdict(document: dict[str, Any]) -> Reply:
    body = json.dumps(document).encode()
    return lambda _: render(body)


def named(tool: str) -> Reply:
    """The answer of the scripted gateway to a tool of this name, whatever the tool."""

    def reply(request: Request) -> bytes:
        document = {**request.document, "tool": tool}
        return scripted(Request(request.path, request.headers, json.dumps(document).encode(), request.port))

    return reply


def _answer(body: bytes) -> Reply:
    return lambda _: render(body)


_UNREADABLE = "No decision could be obtained"


def _closed(name: str, body: bytes) -> AnswerCase:
    return AnswerCase(name, _answer(body), told=_UNREADABLE)


ALLOWED = AnswerCase("allow", ran_with=ARGS)
DENIED = AnswerCase("deny", named("denied"), told="Not this one")
REWRITTEN = AnswerCase("rewrite", shaping(SHAPED), ran_with=SHAPED)
PAUSED = AnswerCase("pause", named("paused"), is_pause=True)
UNFIT = AnswerCase("a rewrite of a wrong type", shaping({**ARGS, "amount": "zz"}), told="cannot take them")

ANSWERS: tuple[AnswerCase, ...] = (
    ALLOWED,
    DENIED,
    REWRITTEN,
    PAUSED,
    UNFIT,
    AnswerCase("a rewrite with an unknown name", shaping({**ARGS, "all": True}), told="cannot take them"),
    AnswerCase("a rewrite without a needed name", shaping({"order": "o-1"}), told="cannot take them"),
    AnswerCase("a client that raises", state="defect", told=_UNREADABLE),
    AnswerCase("a gateway that hangs", state="hangs", told=_UNREADABLE),
    AnswerCase("a refused connection", state="absent", told=_UNREADABLE),
    AnswerCase("status 500 with an allow", lambda _: render(status=500), told=_UNREADABLE),
    AnswerCase(
        "an HTML page",
        lambda _: render(b"<!doctype html><title>allow</title>", headers={"content-type": "text/html"}),
        told=_UNREADABLE,
    ),
    _closed("an empty body", b""),
    _closed("not an object", b'"allow"'),
    _closed("null", b"null"),
    _closed("an empty object", b"{}"),
    _closed("a decision in other case", ALLOW_BODY.replace(b'"allow"', b'"Allow"')),
    _closed("an unknown decision", ALLOW_BODY.replace(b'"allow"', b'"permit"')),
    AnswerCase("a boolean decision", verdict({**ALLOW, "decision": True}), told=_UNREADABLE),
    AnswerCase(
        "arguments that are not an object",
        verdict({**ALLOW, "args_constrained": True, "shaped_args": ["amount"]}),
        told=_UNREADABLE,
    ),
)
