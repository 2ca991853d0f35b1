"""
Answers for a moment, for a framework that asks its hooks about a call immediately before it runs it: the two are
one question, and one row of the audit log.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from ..._canonical_json import digest_of
from ..._json_snapshot import json_snapshot
from ..._session import current_session
from .answers import Answer, Permitted
from .bound_answer import FRESH_S

MAX_KEPT = 1_000
"""Answers that are kept, as count. The framework takes each one at once, or never."""

_Key = tuple[int, int, str, str, str]


class FreshAnswers:
    """An answer that nobody took within its time is given back, so that nothing is charged for it."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[_Key, int], tuple[float, Answer, object]] = OrderedDict()
        self._count = 0

    def keep(self, run: object, tool: str, call_id: str, args: object, answer: Answer) -> None:
        """`run` is an object of this run alone: ids of calls repeat from run to run."""
        session = current_session.get()
        key = _key_of(run, session, tool, call_id, args)
        if key is None:
            _give_back(answer)
            return
        with self._lock:
            self._count += 1
            self._kept[key, self._count] = (self._monotonic(), answer, (run, session))
            late = self._take_late()
        for each in late:
            _give_back(each)

    def take(self, run: object, tool: str, call_id: str, args: object) -> Answer | None:
        """The answer about exactly this call, once. None: ask again."""
        key = _key_of(run, current_session.get(), tool, call_id, args)
        with self._lock:
            late = self._take_late()
            found = next((each for each in self._kept if each[0] == key), None)
            answer = None if found is None else self._kept.pop(found)[1]
        for each in late:
            _give_back(each)
        return answer

    def _take_late(self) -> list[Answer]:
        end = self._monotonic() - FRESH_S
        late: list[Answer] = []
        while self._kept:
            oldest, (since, answer, _) = next(iter(self._kept.items()))
            if since > end and len(self._kept) <= MAX_KEPT:
                break
            del self._kept[oldest]
            late.append(answer)
        return late


def _key_of(run: object, session: object, tool: str, call_id: str, args: object) -> _Key | None:
    # What is kept holds both objects, so no other object has their identity meanwhile.
    try:
        return id(run), id(session), tool, call_id, digest_of(json_snapshot(args, "args"))
    # What cannot be written cannot be compared.
    except Exception:
        return None


def _give_back(answer: Answer) -> None:
    if isinstance(answer, Permitted):
        answer.give_back()
