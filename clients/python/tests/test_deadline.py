"""When a client gives up. Each case runs for both clients."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest
from support.asker import Make
from support.faults import FAULT_TIMEOUT_MS
from support.gateways import PATIENT_MS, Gateway, Peer, ScriptedGateway, eventually, render
from svc_client import Deny


class TestDeadline:
    def test_an_answer_that_comes_too_late_is_not_taken_for_that_of_the_next_call(self, make: Make) -> None:
        late = threading.Event()
        calls: list[int] = []

        def script(peer: Peer) -> None:
            while peer.read_request() is not None:
                calls.append(1)
                if len(calls) == 1:
                    late.wait(10)
                    peer.write(render())
                else:
                    peer.write(render(b'{"decision":"unreadable"}'))

        with Gateway(script) as gateway:
            asker = make(gateway.url, timeout_ms=FAULT_TIMEOUT_MS)
            first = asker.decide()
            late.set()
            second = asker.decide()
        assert isinstance(first, Deny)
        assert isinstance(second, Deny)
        assert [first.reason_code, second.reason_code] == ["decision_timeout", "verdict_unreadable"]

    def test_an_allow_that_was_read_after_the_deadline_is_a_deny(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        """Even when no timer fired, as on a machine that slept."""
        begin = time.monotonic()

        def monotonic() -> float:
            return begin + (PATIENT_MS if gateway.seen else 0)

        verdict = make(gateway.url, monotonic=monotonic).decide()
        assert isinstance(verdict, Deny)
        assert verdict.reason_code == "decision_timeout"
        assert len(gateway.seen) == 1

    @pytest.mark.parametrize("jump_s", [-86_400.0, 86_400.0])
    def test_a_change_of_the_clock_on_the_wall_moves_nothing(
        self, make: Make, gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch, jump_s: float
    ) -> None:
        asker = make(gateway.url)
        wall = time.time
        gateway.reply = lambda _: [monkeypatch.setattr(time, "time", lambda: wall() + jump_s), render()][1]
        assert [asker.decide().decision for _ in range(3)] == ["allow"] * 3

    def test_a_clock_that_fails_does_not_leave_the_caller_waiting(
        self, make: Make, gateway: ScriptedGateway
    ) -> None:
        def monotonic() -> float:
            if gateway.seen:
                raise OSError("no clock")
            return 0.0

        verdict = make(gateway.url, monotonic=monotonic).decide()
        assert isinstance(verdict, Deny)
        assert verdict.fail_closed

    def test_a_resolver_that_hangs_is_a_deny_in_time(
        self, make: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        free = threading.Event()
        look_up = socket.getaddrinfo

        def hang(host: str, *args: Any, **options: Any) -> Any:
            if host != "slow.invalid" or options.get("flags", 0):
                return look_up(host, *args, **options)
            free.wait(30)
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")

        monkeypatch.setattr(socket, "getaddrinfo", hang)
        asker = make("http://slow.invalid:8080", timeout_ms=200)
        begin = time.monotonic()
        verdicts = [asker.decide() for _ in range(3)]
        assert time.monotonic() - begin < 10
        assert [each.reason_code for each in verdicts if isinstance(each, Deny)] == ["decision_timeout"] * 3
        # The questions share one lookup, and one thread.
        assert sum(each.name == "svc-client-resolver" for each in threading.enumerate()) == 1
        free.set()
        eventually(
            lambda: all(each.name != "svc-client-resolver" for each in threading.enumerate()), "the thread"
        )
