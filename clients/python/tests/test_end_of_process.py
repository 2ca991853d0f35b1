"""What a process sends for its sessions when it ends, in every way that a process can end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from support.gateways import ScriptedGateway, eventually
from svc_client._heartbeats import CLOSE_S

SOURCE = Path(__file__).parent.parent / "src"

MARGIN_S = 10.0
"""Seconds that a busy machine may take to end an interpreter."""

BEGIN = """
import asyncio, atexit, multiprocessing, os, signal, sys, threading, time
from svc_client import AsyncClient, Client, governed, governed_fn, session
url = sys.argv[1]

def call(client, name="s-1"):
    client.execute("pay", {}, "agent-1", name)

def child(url):
    call(Client(url, environment={}, heartbeats=True), "in-child")

def main(client):
"""

END = """
if __name__ == "__main__":
    main(Client(url, environment={}, heartbeats=True))
"""


def start(folder: Path, url: str, body: str) -> subprocess.Popen[str]:
    script = folder / "script.py"
    script.write_text(BEGIN + textwrap.indent(textwrap.dedent(body), "    ") + END)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        # Python warns of every fork of a process that has threads.
        [sys.executable, "-W", "ignore::DeprecationWarning", str(script), url],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ends(gateway: ScriptedGateway) -> set[str]:
    return {each.document["session_id"] for each in gateway.beats if each.document.get("ended") is True}


def ended_well(process: subprocess.Popen[str], code: int = 0, complaint: str = "") -> None:
    _, errors = process.communicate(timeout=30)
    assert process.returncode == code, errors
    assert complaint in errors if complaint else errors == ""


IN_GOOD_ORDER: dict[str, tuple[str, int, str]] = {
    "the program ends": ("call(client)", 0, ""),
    "sys.exit": ("call(client); sys.exit(3)", 3, ""),
    "an exception that nobody handles": ("call(client); raise ValueError('mine')", 1, "ValueError: mine"),
    "an exception in a block": (
        """
        with session("s-1", agent_id="agent-1"):
            client.execute("pay", {})
            raise ValueError("mine")
        """,
        1,
        "ValueError: mine",
    ),
    "the call is made on a thread that goes with the process": (
        """
        thread = threading.Thread(target=call, args=[client], daemon=True)
        thread.start()
        thread.join()
        """,
        0,
        "",
    ),
    "SIGTERM, with a handler that ends the program": (
        """
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        call(client)
        os.kill(os.getpid(), signal.SIGTERM)
        """,
        0,
        "",
    ),
    "Ctrl-C": ("call(client); os.kill(os.getpid(), signal.SIGINT)", -signal.SIGINT, "KeyboardInterrupt"),
    "asyncio.run that is cancelled": (
        """
        async def run():
            asynchronous = AsyncClient(url, None, heartbeats=True)
            await asynchronous.execute("pay", {}, "agent-1", "s-1")
            asyncio.current_task().cancel()
            await asyncio.sleep(60)
        try:
            asyncio.run(run())
        except asyncio.CancelledError:
            pass
        """,
        0,
        "",
    ),
    "a forked child exits, and then its parent": (
        """
        call(client, "in-parent")
        if os.fork() == 0:
            call(client)
            sys.exit(0)
        os.wait()
        """,
        0,
        "",
    ),
    "a name of the gateway, and no connection that is open": (
        """
        import socket
        client = Client(url.replace("127.0.0.1", "localhost"), environment={}, heartbeats=True)
        call(client)
        while not client._documents._exchange._idle:
            time.sleep(0.01)
        client._documents._exchange._idle.pop().close()
        """,
        0,
        "",
    ),
}


class TestEndOfProcess:
    @pytest.mark.parametrize("how", IN_GOOD_ORDER)
    def test_ends_its_sessions(self, how: str, gateway: ScriptedGateway, tmp_path: Path) -> None:
        body, code, complaint = IN_GOOD_ORDER[how]
        ended_well(start(tmp_path, gateway.url, body), code, complaint)
        assert "s-1" in ends(gateway)
        assert all(each.document["session_id"] in ends(gateway) for each in gateway.beats)

    @pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
    def test_a_child_of_multiprocessing_ends_its_own(
        self, method: str, gateway: ScriptedGateway, tmp_path: Path
    ) -> None:
        body = f"""
        call(client)
        children = multiprocessing.get_context("{method}")
        process = children.Process(target=child, args=[url])
        process.start()
        process.join()
        """
        ended_well(start(tmp_path, gateway.url, body))
        assert ends(gateway) == {"s-1", "in-child"}

    @pytest.mark.parametrize("how", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)"])
    def test_a_process_that_is_killed_ends_none(self, how: str, gateway: ScriptedGateway, tmp_path: Path) -> None:
        start(tmp_path, gateway.url, f"call(client); {how}").communicate(timeout=30)
        assert len(gateway.seen) == 1
        assert ends(gateway) == set()

    @pytest.mark.parametrize("fault", ["closed", "silent"])
    def test_a_gateway_that_is_away_delays_the_end_by_its_limit_at_most(
        self, fault: str, gateway: ScriptedGateway, tmp_path: Path
    ) -> None:
        process = start(tmp_path, gateway.url, "call(client); call(client, 's-2'); sys.stdin.readline()")
        eventually(lambda: len(gateway.beats) >= 2, "heartbeats of both sessions")
        if fault == "closed":
            gateway.__exit__()
        else:
            gateway.beat = lambda _: None
        began = time.monotonic()
        _, errors = process.communicate("\n", timeout=60)
        # Who reads the log learns that supervision will report them.
        assert (process.returncode, "the ends of 2 sessions were not sent" in errors) == (0, True)
        assert len(errors.splitlines()) == 1
        assert time.monotonic() - began < CLOSE_S + MARGIN_S
