"""After a fork, parent and child must not read from one connection: each could get the other's verdict."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class InheritsNothing(Protocol):
    def forget_parent(self) -> None:
        """Replaces locks, and forgets connections, threads and work, that belong to the parent process."""


_inheriting: WeakSet[InheritsNothing] = WeakSet()


def forget_in_child(inheriting: InheritsNothing) -> None:
    """Calls `forget_parent` in each child process that is forked while the object lives."""
    _inheriting.add(inheriting)


def _forget_all() -> None:
    for each in list(_inheriting):
        each.forget_parent()


# Not on every system. One that has no fork needs none of this.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
