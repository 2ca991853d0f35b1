"""What is sent at the end of the process, within bounded time. None of it raises or prints."""

from __future__ import annotations

import atexit
import os
import sys
import time
from typing import Protocol
from weakref import WeakSet


class SettlesAtExit(Protocol):
    exit_limit_s: float
    """Longest wait for it in seconds, from the beginning of the end."""

    def begin_exit(self) -> None:
        """Nothing new comes. What is left to send is sent on its own thread; this waits for nothing."""

    def settle(self, timeout_s: float) -> bool:
        """Waits until nothing is left to send. False: the time was over before."""
        ...


_settling: WeakSet[SettlesAtExit] = WeakSet()
_watched_pid = 0
_has_begun = False


def settle_at_exit(each: SettlesAtExit) -> None:
    """Settles it at the end of the process, if it lives until then."""
    _settling.add(each)


def exit_has_begun() -> bool:
    return _has_begun


def watch_exit() -> None:
    """
    Called when there is something to send. A child of `multiprocessing` ends without the functions of `atexit`, and
    forgets what its parent registered, so it is asked by its own means.
    """
    global _watched_pid
    if _watched_pid == os.getpid():
        return
    _watched_pid = os.getpid()
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None:
        return
    from multiprocessing import util

    util.Finalize(None, _end_process, exitpriority=0)


def settle_all() -> None:
    """All of it is sent at the same time, so the longest limit is that of the whole."""
    settling = list(_settling)
    began = time.monotonic()
    for each in settling:
        each.begin_exit()
    for each in settling:
        each.settle(max(0.0, began + each.exit_limit_s - time.monotonic()))


def _end_process() -> None:
    global _has_begun
    _has_begun = True
    try:
        settle_all()
    except KeyboardInterrupt:
        # A person who interrupts the end of a process does not want to wait for it.
        pass


atexit.register(_end_process)
