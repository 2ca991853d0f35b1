"""What an adapter may do with a call: run it, refuse it, or hold it. There is nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar, Union

from ..._attempt import Attempt, current_attempt
from ..._errors import SvcApprovalRequired, SvcDenied
from ..._outcome import OutcomeStatus
from ..._verdict import Deny, Pause, NotABoolean

T = TypeVar("T")

_PENDING: tuple[type, ...] = (Awaitable, Generator, AsyncGenerator)


def _never(_: object) -> bool:
    return False


@dataclass(frozen=True)
class Permitted(NotABoolean):
    """The tool may run, with `args` and with no other arguments, through `run` or `run_async`."""

    args: dict[str, Any]
    rewritten: bool
    """Whether `args` are those of the policy."""
    decision_id: str
    begin: Callable[[], Attempt] = field(repr=False)
    give_back: Callable[[], None] = field(repr=False)
    """Tells that the tool will not run on this permission."""
    kind: Literal["permitted"] = "permitted"

    def give_back_unless(self, stands: Answer | None) -> None:
        """Gives it back when the gateway was asked again. A repeated decision is charged once, and still used."""
        if not isinstance(stands, Permitted) or stands.decision_id != self.decision_id:
            self.give_back()

    def run(
        self,
        call: Callable[[], T],
        *,
        failed: Callable[[T], bool | None] = _never,
        undecided: tuple[type[BaseException], ...] = (),
    ) -> T:
        """
        Runs the tool and reports how it ended, without waiting for the report. `failed` reads a failure out of
        a result, where the framework turns errors into results; None: the tool has not ended. After an
        exception of `undecided` it has not ended either: it will run again.
        """
        with _Running(self.begin(), undecided) as running:
            result = call()
            running.status = None if isinstance(result, _PENDING) else _status(failed(result))
        return result

    async def run_async(
        self,
        call: Callable[[], Awaitable[T]],
        *,
        failed: Callable[[T], bool | None] = _never,
        undecided: tuple[type[BaseException], ...] = (),
    ) -> T:
        """As `run`."""
        with _Running(self.begin(), undecided) as running:
            result = await call()
            running.status = _status(failed(result))
        return result


@dataclass(frozen=True)
class Refused(NotABoolean):
    """The tool must not run. `text` is for the model: what was denied, why, and whether a repeat can help."""

    tool: str
    deny: Deny
    kind: Literal["refused"] = "refused"

    @property
    def text(self) -> str:
        return str(SvcDenied(self.tool, self.deny))


@dataclass(frozen=True)
class Held(NotABoolean):
    """The tool must not run before a person has approved the call. An adapter that resumes it must ask again."""

    tool: str
    pause: Pause
    kind: Literal["held"] = "held"

    @property
    def text(self) -> str:
        return str(SvcApprovalRequired(self.tool, self.pause))

    @property
    def approval_url(self) -> str:
        return self.pause.approval_url

    @property
    def approval_id(self) -> str | None:
        return SvcApprovalRequired(self.tool, self.pause).approval_id

    @property
    def document(self) -> dict[str, Any]:
        """For a person, through the framework's own interrupt. What comes back grants nothing."""
        return {
            "type": "svc_approval_required",
            "tool": self.tool,
            "reason": self.pause.reason,
            "approval_url": self.approval_url,
            "approval_id": self.approval_id,
        }


Answer: TypeAlias = Union[Permitted, Refused, Held]


class _Running:
    """Makes the attempt known to what runs, and ends it."""

    def __init__(self, attempt: Attempt, undecided: tuple[type[BaseException], ...]) -> None:
        self._attempt = attempt
        self._undecided = undecided
        self.status: OutcomeStatus | None = "failed"

    def __enter__(self) -> _Running:
        self._before = current_attempt.get()
        current_attempt.set(self._attempt)
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        current_attempt.set(self._before)
        if error is not None and isinstance(error, self._undecided):
            return
        if self.status is not None:
            self._attempt.end(self.status)


def _status(failed: bool | None) -> OutcomeStatus | None:
    if failed is None:
        return None
    return "failed" if failed else "succeeded"
