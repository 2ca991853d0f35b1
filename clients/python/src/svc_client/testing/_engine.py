"""The engine of the gateway: one script, run by V8 in this process."""

from __future__ import annotations

import atexit
import ctypes
import importlib
import json
import os
import sys
import threading
from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from .._forget_in_child import forget_in_child
from .._install_line import install_line

_SCRIPT = "policy_gateway.js"

_LONGEST_S = 30.0
"""Seconds for one step of the engine, which is many times what the longest policy takes: no fault hangs."""


class PolicyGatewayError(Exception):
    """The test gateway cannot be opened, or cannot do what was asked. No call was allowed by it."""


class Engine:
    """
    For any number of threads, one at a time. Its memory is that of the process that made it: a process that
    was forked gets an error for every command.
    """

    def __init__(self) -> None:
        script = _read_script()
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._forgotten: deque[int] = deque()
        self._context: Any = _new_context()
        # Its thread ends with the process, and closing it later would wait for that thread for ever.
        atexit.register(self._close)
        forget_in_child(self)
        try:
            self._context.eval(script, timeout_sec=_LONGEST_S)
        except Exception as error:
            raise PolicyGatewayError(f"the engine of the test gateway does not start: {error}") from error

    def forget_parent(self) -> None:
        """A child has no thread of the engine. Nothing may close it there, so it is never collected."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._context))
        self._lock = threading.Lock()

    def _close(self) -> None:
        if os.getpid() == self._pid:
            with self._lock:
                self._context.close()

    def open(self, settings: Mapping[str, object]) -> Any:
        """Raises PolicyGatewayError."""
        forgotten = [self._forgotten.popleft() for _ in range(len(self._forgotten))]
        return self.run(do="open", settings=settings, forget=forgotten)

    def forget(self, gateway: int) -> None:
        """Called by the collector of garbage, at any moment of any thread: it must not wait for a lock."""
        self._forgotten.append(gateway)

    def run(self, **command: object) -> Any:
        """Raises PolicyGatewayError."""
        if os.getpid() != self._pid:
            raise PolicyGatewayError("a test gateway answers in the process that opened it, and in no child")
        # The text of a text: every character of it is ASCII, and none of it can end the literal.
        literal = json.dumps(json.dumps(command))
        with self._lock:
            try:
                memory = self._context.eval(f"svcTestGateway.begin({literal})", timeout_sec=_LONGEST_S)
                reply = _text_in(memory) or self._context.eval("svcTestGateway.take()", timeout_sec=_LONGEST_S)
            except Exception as error:
                raise PolicyGatewayError(f"the engine of the test gateway failed: {error}") from error
        answer = json.loads(reply) if isinstance(reply, str) else {"kind": "failed", "message": "no reply"}
        if answer.get("kind") != "done":
            raise PolicyGatewayError(str(answer.get("message")))
        return answer.get("value")


def _text_in(memory: memoryview) -> str:
    """The reply that the engine left: its length, and then its units of UTF-16. Empty when it is elsewhere."""
    length = int.from_bytes(memory[:2], sys.byteorder)
    return bytes(memory[2 : 2 + 2 * length]).decode(f"utf-16-{sys.byteorder[0]}e")


_making = threading.Lock()


def engine() -> Engine:
    """One for all gateways of the process: it takes longer to start than a test takes."""
    with _making:
        return _engine_of(os.getpid())


@lru_cache(maxsize=1)
def _engine_of(pid: int) -> Engine:
    return Engine()


def _read_script() -> str:
    try:
        return resources.files(__package__ or "").joinpath(_SCRIPT).read_text("utf-8")
    except FileNotFoundError:
        raise PolicyGatewayError(
            f"{_SCRIPT} is missing, because `npm run build` had not run when this svc-client was installed. "
            f"Run it in a clone of the repository. {install_line('testing')}"
        ) from None


def _new_context() -> Any:
    try:
        module = importlib.import_module("py_mini_racer")
    except ImportError:
        raise PolicyGatewayError(
            f"the test gateway needs mini-racer. {install_line('testing')}"
        ) from None
    return module.MiniRacer()
