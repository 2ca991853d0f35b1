"""Calls a function with arguments that are given by name beside it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ._canonical_json import canonical_json
from ._json_snapshot import Encode, NotJson, json_snapshot
from ._json_value import JsonObject
from ._recorded_call import Arguments, NamedArguments, unsupported
from ._verdict import Allow


class NamedCall:
    """
    One call of a function. A function without parameters has its arguments already: it is called without any,
    and not at all when the policy rewrites them.
    """

    def __init__(self, fn: Callable[..., object], args: object, encode: Encode | None = None) -> None:
        """Raises MalformedCall."""
        self._named = NamedArguments(args, encode)
        self._signature = _signature_of(fn)

    @property
    def args(self) -> dict[str, object]:
        return self._named.args

    def require_callable(self) -> None:
        """Raises TypeError for arguments that the function could not be called with, whatever the policy says."""
        if self._signature is None or self._is_closure():
            return
        try:
            self._signature.bind(**self._named.args)
        except TypeError as error:
            raise TypeError(
                f"fn: expected a function that can be called with args by name, or one without parameters: {error}"
            ) from None

    def arguments_for(self, allow: Allow) -> Arguments:
        """Raises CannotApply."""
        places, named = self._named.arguments_for(allow)
        if self._is_closure():
            if allow.args_constrained:
                raise unsupported("it has no parameters")
            return (), {}
        if allow.args_constrained and self._signature is not None:
            self._require_reached(self._signature, allow.args)
        return places, named

    def _is_closure(self) -> bool:
        return self._signature is not None and len(self._signature.parameters) == 0

    def _require_reached(self, signature: inspect.Signature, shaped: JsonObject) -> None:
        try:
            signature.bind(**shaped)
        except TypeError:
            raise unsupported("the function cannot be called with them") from None
        for name in self._named.args.keys() - shaped.keys():
            parameter = signature.parameters.get(name)
            if parameter is not None and _is_same(parameter.default, self._named.args[name]):
                raise unsupported(f"{name} was removed, and its default is the same")


def _signature_of(fn: Callable[..., object]) -> inspect.Signature | None:
    """
    Of what is called, and not of what it wraps. None: it does not say, as some callables of C. Reading it can
    run code of the callable, whose fault says as little.
    """
    try:
        return inspect.signature(fn, follow_wrapped=False)
    except Exception:
        return None


def _is_same(default: Any, given: object) -> bool:
    try:
        return canonical_json(json_snapshot(default, "default")) == canonical_json(
            json_snapshot(given, "given")
        )
    except NotJson:
        return False
