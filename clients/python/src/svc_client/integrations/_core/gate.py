"""Asks about the calls of one agent, for every adapter: the only place where an adapter gets a permission."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, TypeAlias

from ..._attempt import Attempt
from ..._client import Client
from ..._client_core import ClientCore
from ..._default_client import default_client
from ..._execute_call import ExecuteCall, MalformedCall
from ..._name import is_name, is_surely_unmixed, require_name
from ..._json_snapshot import Encode
from ..._outcome import Outcome
from ..._recorded_call import CannotApply, NamedArguments
from ..._session import current_session
from ..._verdict import Allow, Deny, Pause, Verdict, fail_closed_deny
from .answers import Answer, Held, Permitted, Refused

Accept: TypeAlias = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Turns rewritten arguments into those that the tool takes. Raises when it cannot take them."""

MAX_RUNS_OF_ONE_ID = 8
"""Most runs of one call of a session, with the same id and arguments, for which the gateway remembers decisions."""

_LIKE = 0.8
"""How alike two names are when one is a misspelling of the other, from 0 to 1: one letter of five."""


@dataclass(frozen=True)
class Question:
    """What a framework knows of one call."""

    tool: str
    args: object
    """A mapping of names to values; anything else is a deny."""
    call_id: object = None
    """The framework's id of the call, if it has one."""
    session_id: object = None
    """The framework's id of the conversation, if it has one. Else the session around counts."""
    accept: Accept | None = None
    """Checks rewritten arguments. None: the framework does it before the tool runs."""
    encode: Encode | None = None
    """Writes arguments that are not JSON any more, because the framework has parsed them."""


class Gate:
    """
    Every fault is a refusal, and no Exception leaves it. A task that is cancelled while it asks is cancelled.

    Raises ValueError for a text that is not a name, and for an environment that is not usable.
    """

    def __init__(
        self,
        agent_id: str,
        *,
        client: Client | None = None,
        namespace: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """`names` says how policies name a tool, where that is not the framework's name for it."""
        require_name("agent_id", agent_id)
        if namespace is not None:
            require_name("namespace", namespace)
        self._names = dict(names or {})
        for name in self._names.values():
            require_name("names", name)
        chosen = default_client() if client is None else client
        if not isinstance(chosen, Client):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"client: expected a Client; got {type(chosen).__name__}")
        self._client = chosen
        self._agent_id = agent_id
        self._namespace = namespace

    def require_names(self, tools: Iterable[str]) -> None:
        """
        Raises TypeError where `names` has a misspelled tool: it would be judged by another name. A name that is like
        none of these tools may be that of another agent's tool.
        """
        known = set(tools)
        for unknown in self._names.keys() - known:
            meant = get_close_matches(unknown, known - self._names.keys(), 1, _LIKE)
            if meant:
                raise TypeError(f"names: expected the name of a tool; got {unknown!r}. Did you mean {meant[0]!r}?")

    def ask(self, question: Question, again: Permitted | None = None) -> Answer:
        """`again` is what this call was permitted before, where it has not run and is judged once more."""
        try:
            for run in range(MAX_RUNS_OF_ONE_ID):
                asked = self._asked(self._client, question, run)
                verdict = asked.deny if asked.call is None else self._client.ask(asked.call)
                answer = asked.answer(verdict, again)
                if answer is not None:
                    return answer
            return _too_many_runs(question)
        # The last place where a fault can end: an adapter must not depend on what its framework does with it.
        except Exception:
            return _defect(question)

    async def ask_async(self, question: Question, again: Permitted | None = None) -> Answer:
        """As `ask`."""
        try:
            client = self._client.for_coroutines()
            for run in range(MAX_RUNS_OF_ONE_ID):
                asked = self._asked(client, question, run)
                verdict = asked.deny if asked.call is None else await client.ask(asked.call)
                answer = asked.answer(verdict, again)
                if answer is not None:
                    return answer
            return _too_many_runs(question)
        except Exception:
            return _defect(question)

    def _asked(self, client: ClientCore, question: Question, run: int) -> _Asked:
        tool = self._names.get(question.tool, question.tool)
        session_id = _session_id(question.session_id)
        try:
            named = NamedArguments(question.args, question.encode)
        except MalformedCall as error:
            return _Asked(client, question, None, None, client.malformed(error))
        call = client.call_or_deny(
            partial(
                client.make_call,
                tool,
                named.args,
                agent_id=self._agent_id,
                session_id=session_id,
                namespace=self._namespace,
                call_id=_call_id(question.call_id, session_id, run),
                encode=question.encode,
            )
        )
        if isinstance(call, Deny):
            return _Asked(client, question, named, None, call)
        return _Asked(client, question, named, call, _UNASKED)


_UNASKED = fail_closed_deny("internal_error", "The call was not asked about.")


@dataclass(frozen=True)
class _Asked:
    client: ClientCore
    question: Question
    named: NamedArguments | None
    call: ExecuteCall | None
    deny: Deny
    """Where there is no call."""

    def answer(self, verdict: Verdict, again: Permitted | None) -> Answer | None:
        """None: the call was allowed for a run that may have begun, and this would be another one."""
        if self.call is None or self.named is None:
            return Refused(self.question.tool, self.deny)
        if isinstance(verdict, Allow):
            if verdict.repeated and (again is None or again.decision_id != verdict.decision_id):
                return None
            return self._permitted(self.call, self.named, verdict)
        if isinstance(verdict, Pause):
            return Held(self.question.tool, verdict)
        return Refused(self.question.tool, verdict)

    def _permitted(self, call: ExecuteCall, named: NamedArguments, allow: Allow) -> Answer:
        try:
            _, args = named.arguments_for(allow)
            if allow.args_constrained and self.question.accept is not None:
                args = dict(_accepted(self.question.accept, args))
        except CannotApply as error:
            self.client.report(Outcome(allow.decision_id, "not_executed"))
            return Refused(self.question.tool, fail_closed_deny(error.reason_code, error.reason))
        not_run = Outcome(allow.decision_id, "not_executed")
        begin = partial(Attempt, self.client, call, allow)
        give_back = partial(self.client.report, not_run)
        return Permitted(args, allow.args_constrained, allow.decision_id, begin, give_back)


def _accepted(accept: Accept, args: dict[str, Any]) -> Mapping[str, Any]:
    try:
        return accept(args)
    except CannotApply:
        raise
    # What a framework says of a value may show the value.
    except Exception:
        raise CannotApply(
            "shaping_unsupported",
            "The policy rewrites the arguments, and the tool cannot take them: they do not fit its parameters.",
        ) from None


def _session_id(given: object) -> str | None:
    """Ids of frameworks are any text. One that is surely not a name for the gateway becomes its digest."""
    if given is None or given == "":
        return None
    if isinstance(given, str) and is_name(given) and is_surely_unmixed(given):
        return given
    text = given if isinstance(given, str) else repr(given)
    return f"s-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _call_id(given: object, session_id: str | None, run: int) -> str | None:
    """Call ids repeat from conversation to conversation, so without a session they name nothing."""
    if session_id is None and current_session.get() is None:
        return None
    if not isinstance(given, str) or given == "":
        return None
    return given if run == 0 else f"{given}#{run}"


def _too_many_runs(question: Question) -> Refused:
    reason = f"{MAX_RUNS_OF_ONE_ID} runs of this call with the same id have begun."
    return Refused(question.tool, fail_closed_deny("adapter_overloaded", reason))


def _defect(question: Question) -> Refused:
    deny = fail_closed_deny("internal_error", "The adapter failed before a verdict was obtained.")
    return Refused(str(question.tool), deny)
