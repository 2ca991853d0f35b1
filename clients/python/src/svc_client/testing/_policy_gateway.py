"""A gateway in the process of a test."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from weakref import finalize

from .._answer import Answer
from .._errors import SvcApprovalRequired
from .._in_process import put_in_process_gateway, take_in_process_gateway
from .._outcome_reports import settle_reports
from .._settings import ClientSettings
from ._decision import Decision, decision_of
from ._engine import PolicyGatewayError, engine
from ._real_gateway import addresses_of, real_gateway_of, real_gateway_of_process


class _Anything:
    def __repr__(self) -> str:
        return "ANYTHING"


ANYTHING: Final = _Anything()

_REPORTED_WITHIN_S = 2.0
"""Outcomes are reported on another thread: an expectation waits so long for one."""

_POLL_S = 0.005

_MISDIRECTED = 421
"""Status of a request that is meant for another server."""


class PolicyGateway:
    """
    Judges calls by policy files, as the service would. From its construction until it is closed, every governed
    function, every client and every framework adapter of the process asks it, whatever address they have, and no
    request leaves the process; `with` closes it. Ceilings count, approvals can be given, kill switches stop calls,
    and its clock stands still until the test moves it.

    It refuses to open where SVC_URL is set: such a process is configured to ask a real gateway. A client with an API key is
    denied unless `addresses` has its address, because it may be meant for one.

    Raises PolicyGatewayError for a policy that the service would refuse, with every fault of it, and while another
    one is open.
    """

    def __init__(
        self,
        *policies: str | os.PathLike[str],
        texts: Mapping[str, str] | None = None,
        now: datetime | None = None,
        workflows: Iterable[str] = (),
        role: str = "agent",
        addresses: Iterable[str] = (),
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """
        policies: paths of policy files. A file with `agent_id` governs that agent. One file may have none: it
        governs every other agent, in every namespace.
        texts: policies by the name that messages call them.
        now: the time at which the clock stands; the current time without it.
        workflows: approval workflows that exist.
        role: of the key that asks: `agent`, `adapter` or `admin`.
        addresses: what it answers for clients with an API key, such as `http://gateway.test`.
        """
        real = real_gateway_of_process(environment)
        if real is not None:
            raise PolicyGatewayError(real)
        self._environment = environment
        self._addresses = addresses_of(addresses)
        self._refused: str | None = None
        sources = [_read(path) for path in policies]
        sources += [{"file": name, "source": text} for name, text in (texts or {}).items()]
        moment = _epoch_ms(now) if now is not None else time.time() * 1_000
        settings = {"policies": sources, "nowMs": moment, "workflows": list(workflows), "role": role}
        self._engine = engine()
        opened = self._engine.open(settings)
        self._gateway: int = opened["gateway"]
        self.warnings: str = opened["warnings"]
        """What the service would warn of in these policies; empty when there is nothing."""
        finalize(self, self._engine.forget, self._gateway)
        try:
            put_in_process_gateway(self._answer)
        except RuntimeError as error:
            raise PolicyGatewayError(str(error)) from None
        self._is_open = True

    def __enter__(self) -> PolicyGateway:
        if not self._is_open:
            raise PolicyGatewayError("this PolicyGateway is closed: make another one")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Waits for the outcomes of calls that ended. Then the clients of the process ask the gateways of their addresses."""
        if self._is_open:
            settle_reports(_REPORTED_WITHIN_S)
            self._is_open = False
            take_in_process_gateway()

    @property
    def decisions(self) -> list[Decision]:
        """Every call that was decided, oldest first."""
        return [decision_of(each) for each in self._run("decisions")]

    def expect_decision(
        self,
        *,
        tool: str | _Anything = ANYTHING,
        args: Mapping[str, object] | _Anything = ANYTHING,
        agent_id: str | _Anything = ANYTHING,
        session_id: str | None | _Anything = ANYTHING,
        namespace: str | _Anything = ANYTHING,
        decision: str | Sequence[str] | _Anything = ANYTHING,
        rule_id: str | None | _Anything = ANYTHING,
        reason_code: str | None | _Anything = ANYTHING,
        shaped_args: Mapping[str, object] | None | _Anything = ANYTHING,
        outcome: str | None | _Anything = ANYTHING,
    ) -> Decision:
        """
        The last decision that is as described. What is not given may be anything; `args` are all arguments of
        the call. `decision` may be a list of which one is enough, or "not_allow": any with which the call does not run.

        Raises AssertionError that says what was expected, what came, and how the policy came to it.
        """
        described = {
            "tool": tool,
            "args": args,
            "agent_id": agent_id,
            "session_id": session_id,
            "namespace": namespace,
            "decision": decision,
            "rule_id": rule_id,
            "reason_code": reason_code,
            "shaped_args": shaped_args,
            "outcome": outcome,
        }
        expected = {name: value for name, value in described.items() if value is not ANYTHING}
        found = self._expect(expected)
        until = time.monotonic() + _REPORTED_WITHIN_S
        while found["kind"] != "met" and isinstance(outcome, str) and time.monotonic() < until:
            time.sleep(_POLL_S)
            found = self._expect(expected)
        if found["kind"] != "met":
            refused = "" if self._refused is None else f"\na client was refused: {self._refused}"
            raise AssertionError(f"{found['message']}{refused}")
        return decision_of(found["decision"])

    def approve(
        self, approval: str | SvcApprovalRequired | None = None, *, args: Mapping[str, object] | None = None
    ) -> str:
        """
        Approves a paused call: its repeat is allowed once. Without an approval, the one that is open. `args` take
        the place of those of the call. Returns the id of the approval.
        """
        result: str = self._run("approve", approval=_approval_id(approval), args=args)
        return result

    def deny_approval(self, approval: str | SvcApprovalRequired | None = None) -> str:
        """Ends the approval of a paused call. Its repeat asks anew."""
        result: str = self._run("deny_approval", approval=_approval_id(approval))
        return result

    def kill(
        self,
        *,
        agent: str | None = None,
        session: str | None = None,
        tool: str | None = None,
        namespace: str | None = None,
        everything: bool = False,
        reason: str = "stopped by a test",
        ttl_seconds: int | None = None,
    ) -> str:
        """Activates a kill switch on one of these. Returns its id."""
        named = {"agent": agent, "session": session, "tool": tool, "namespace": namespace}
        targets: list[tuple[str, str | None]] = [each for each in named.items() if each[1] is not None]
        if everything:
            targets.append(("global", None))
        if len(targets) != 1:
            raise PolicyGatewayError("kill: expected one of agent, session, tool, namespace or everything=True")
        [(scope, target)] = targets
        order = {"scope": scope, "target": target, "reason": reason, "ttlSeconds": ttl_seconds}
        result: str = self._run("kill", order=order)
        return result

    def end_kill(self, kill_switch_id: str) -> None:
        """Ends a kill switch."""
        self._run("end_kill", id=kill_switch_id)

    @property
    def now(self) -> datetime:
        """What the clock of this gateway shows."""
        return datetime.fromisoformat(str(self._run("now")).replace("Z", "+00:00"))

    def advance(self, duration: timedelta | float) -> None:
        """Moves the clock forward, by a duration or by seconds. Kill switches and approvals end by it."""
        seconds = duration.total_seconds() if isinstance(duration, timedelta) else duration
        self._run("advance", ms=seconds * 1_000)

    def _run(self, command: str, **rest: object) -> Any:
        return self._engine.run(do=command, gateway=self._gateway, **rest)

    def _expect(self, expected: Mapping[str, object]) -> Any:
        try:
            return self._run("expect", expected=expected)
        except (TypeError, ValueError) as error:
            raise PolicyGatewayError(f"expect_decision: expected values of JSON: {error}") from None

    def _answer(self, request: bytes, settings: ClientSettings | None) -> Answer:
        # The process again each time: a file of variables may be read after the gateway was made.
        real = real_gateway_of_process(self._environment)
        if real is None and settings is not None:
            real = real_gateway_of(settings, self._addresses)
        if real is not None:
            self._refused = real
            problem = json.dumps({"detail": real}).encode()
            return Answer(_MISDIRECTED, {"content-type": ("application/problem+json",)}, problem, 0.0)
        head, _, body = request.partition(b"\r\n\r\n")
        line, *lines = head.decode("ascii").split("\r\n")
        target = line.split(" ")[1]
        headers = {name.lower(): value for name, _, value in (each.partition(": ") for each in lines)}
        answer = self._run(
            "request",
            # The address of the client may have a path of its own.
            path=target[max(0, target.find("/api/v1/")) :],
            body=body.decode("utf-8"),
            idempotency_key=headers.get("idempotency-key"),
        )
        headers_of_answer = {"content-type": (str(answer["contentType"]),)}
        return Answer(int(answer["status"]), headers_of_answer, str(answer["body"]).encode("utf-8"), 0.0)


def _read(path: str | os.PathLike[str]) -> dict[str, str]:
    try:
        return {"file": os.fspath(path), "source": Path(path).read_text("utf-8")}
    except (OSError, ValueError) as error:
        raise PolicyGatewayError(f"{os.fspath(path)}: the policy cannot be read: {error}") from error


def _epoch_ms(now: datetime) -> float:
    return (now if now.tzinfo is not None else now.replace(tzinfo=timezone.utc)).timestamp() * 1_000


def _approval_id(approval: str | SvcApprovalRequired | None) -> str | None:
    if isinstance(approval, SvcApprovalRequired):
        return approval.approval_id
    return approval if approval is None else approval.rsplit("/", 1)[-1]


