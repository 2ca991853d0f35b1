"""Records the arguments of a function by the names of its parameters, and applies rewritten ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, TypeAlias, cast

from ._canonical_json import canonical_json
from ._execute_call import MalformedCall
from ._json_snapshot import Encode, NotJson, json_snapshot
from ._json_value import JsonObject, JsonValue
from ._verdict import Allow

Arguments: TypeAlias = "tuple[tuple[Any, ...], dict[str, Any]]"

_RECEIVERS = frozenset(("self", "cls"))
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_SCALARS = (type(None), bool, int, float, str)


class CannotApply(Exception):
    """The function cannot be called with what was judged. The text says why, and never shows a value."""

    def __init__(self, reason_code: str, reason: str) -> None:
        super().__init__(reason)
        self.reason_code = reason_code
        self.reason = reason


class ArgumentRecorder:
    """
    The first parameter of a function in a class is its receiver when it is named self or cls; it is not
    recorded. A default that the caller leaves in place is recorded too, so that a policy sees it; None, and one
    that JSON cannot say, are left out. What the caller passes must be recordable, or be in `omit`.
    """

    def __init__(
        self,
        fn: Callable[..., object],
        omit: Collection[str] = (),
        encode: Encode | None = None,
        *,
        is_static: bool = False,
    ) -> None:
        if _has_bound_places(fn):
            raise TypeError(
                "expected a function, or a partial one whose arguments are bound by name; got one with arguments that "
                "are bound by place, which nobody would judge. Bind them by name"
            )
        self.signature = inspect.signature(fn)
        self.encode = encode
        names = list(self.signature.parameters)
        unknown = sorted(set(omit).difference(names))
        if unknown:
            raise ValueError(f"omit: expected names of parameters; got {', '.join(unknown)}")
        self.unrecorded = frozenset(omit)
        if names and names[0] in _RECEIVERS and not is_static and _is_in_class(fn):
            self.unrecorded |= {names[0]}

    def record(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> RecordedCall:
        """Raises TypeError for a call that the function itself would refuse, and MalformedCall."""
        return RecordedCall(self, args, kwargs)


class RecordedCall:
    """One call of the function."""

    def __init__(self, recorder: ArgumentRecorder, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._recorder = recorder
        self._arguments = (args, kwargs)
        self._bound = recorder.signature.bind(*args, **kwargs)
        self.recorded = self._record()

    def arguments_for(self, allow: Allow) -> Arguments:
        """Raises CannotApply."""
        self._require_unchanged()
        if not allow.args_constrained:
            return self._arguments
        return self._rewritten(allow.args)

    def _record(self) -> JsonObject:
        recorded: JsonObject = {}
        variadic: dict[str, Any] = {}
        for name, parameter in self._recorder.signature.parameters.items():
            if name in self._recorder.unrecorded:
                continue
            if name not in self._bound.arguments:
                self._record_default(parameter, recorded)
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                variadic = self._bound.arguments[name]
            else:
                recorded[name] = self._snapshot(name, self._bound.arguments[name])
        for name, value in variadic.items():
            if name in self._recorder.signature.parameters:
                raise MalformedCall(f"args.{name}: expected each name once; it is also a parameter's")
            recorded[name] = self._snapshot(name, value)
        return recorded

    def _record_default(self, parameter: inspect.Parameter, recorded: JsonObject) -> None:
        # None as a default says that nothing was given, and a rewrite must not make something of it.
        if parameter.kind in _VARIADIC or parameter.default is None:
            return
        try:
            recorded[parameter.name] = json_snapshot(parameter.default, parameter.name)
        except NotJson:
            # The caller did not choose it, and no policy could compare it.
            return

    def _snapshot(self, name: str, value: object) -> JsonValue:
        try:
            return json_snapshot(value, f"args.{name}", self._recorder.encode)
        except NotJson as error:
            raise MalformedCall(str(error)) from error

    def _require_unchanged(self) -> None:
        """Another thread or task may have changed a list that was judged."""
        args, kwargs = self._arguments
        if all(type(value) in _SCALARS for value in (*args, *kwargs.values())):
            return
        try:
            is_same = canonical_json(self._record()) == canonical_json(self.recorded)
        # Reading them runs code of their own.
        except Exception:
            is_same = False
        if not is_same:
            raise CannotApply("request_malformed", "The arguments changed while they were judged.")

    def _rewritten(self, shaped: Mapping[str, JsonValue]) -> Arguments:
        parameters = self._recorder.signature.parameters
        arguments = dict(self._bound.arguments)
        catch_all = next((name for name, each in parameters.items() if each.kind is each.VAR_KEYWORD), None)
        extra: dict[str, Any] = {}
        for name, value in shaped.items():
            parameter = parameters.get(name)
            if parameter is None or parameter.kind is parameter.VAR_KEYWORD:
                if catch_all is None or catch_all in self._recorder.unrecorded:
                    raise unsupported(f"there is no parameter {name}")
                extra[name] = self._value(name, value)
            elif name in self._recorder.unrecorded:
                raise unsupported(f"{name} is not recorded, so it cannot be rewritten")
            else:
                arguments[name] = self._value(name, value)
                if parameter.kind is parameter.VAR_POSITIONAL:
                    arguments[name] = _as_tuple(name, arguments[name])
        for name in self.recorded.keys() - shaped.keys():
            if name in parameters:
                self._remove(parameters[name], arguments)
        if catch_all is not None and catch_all not in self._recorder.unrecorded:
            arguments[catch_all] = extra
        return self._bind(arguments)

    def _value(self, name: str, value: JsonValue) -> object:
        """The caller's own object where nothing was rewritten."""
        if name not in self.recorded:
            return value
        original = self._original(name)
        if canonical_json(value) == canonical_json(self.recorded[name]):
            return original
        try:
            json_snapshot(original, name)
        except NotJson:
            raise unsupported(f"{name} is not a JSON value, so it cannot be rewritten") from None
        return value

    def _original(self, name: str) -> object:
        if name in self._bound.arguments:
            return self._bound.arguments[name]
        parameter = self._recorder.signature.parameters.get(name)
        return self._arguments[1][name] if parameter is None else parameter.default

    def _remove(self, parameter: inspect.Parameter, arguments: dict[str, Any]) -> None:
        """Leaves an argument to its default, unless the default is what the policy took away."""
        name = parameter.name
        if parameter.kind in _VARIADIC:
            arguments.pop(name, None)
            return
        if parameter.default is parameter.empty:
            raise unsupported(f"{name} was removed, and the function needs it")
        try:
            default = canonical_json(json_snapshot(parameter.default, name))
        except NotJson:
            default = None
        if default == canonical_json(self.recorded[name]):
            raise unsupported(f"{name} was removed, and its default is the same")
        arguments.pop(name, None)

    def _bind(self, arguments: dict[str, Any]) -> Arguments:
        parameters = self._recorder.signature.parameters
        ordered = {name: arguments[name] for name in parameters if name in arguments}
        bound = inspect.BoundArguments(self._recorder.signature, ordered)
        args, kwargs = bound.args, bound.kwargs
        try:
            self._recorder.signature.bind(*args, **kwargs)
        except TypeError:
            raise unsupported("the function cannot be called with them") from None
        return args, kwargs


class NamedArguments:
    """Arguments that are given by name already, for a function that is called with them."""

    def __init__(self, args: object, encode: Encode | None = None) -> None:
        """Raises MalformedCall."""
        if not isinstance(args, Mapping):
            raise MalformedCall(f"args: expected a mapping of names to values; got {type(args).__name__}")
        self.args = dict(cast("Mapping[str, object]", args))
        self._encode = encode

    def arguments_for(self, allow: Allow) -> Arguments:
        """Raises CannotApply."""
        if allow.args_constrained:
            return (), dict(allow.args)
        if not all(type(value) in _SCALARS for value in self.args.values()):
            self._require_unchanged(allow.args)
        return (), self.args

    def _require_unchanged(self, judged: JsonObject) -> None:
        try:
            is_same = canonical_json(json_snapshot(self.args, "args", self._encode)) == canonical_json(judged)
        # Reading them runs code of their own.
        except Exception:
            is_same = False
        if not is_same:
            raise CannotApply("request_malformed", "The arguments changed while they were judged.")


def _as_tuple(name: str, value: object) -> tuple[object, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    raise unsupported(f"{name} must stay a list")


def unsupported(why: str) -> CannotApply:
    """A function that cannot take what the policy made of its arguments."""
    reason = f"The policy rewrites the arguments, and the function cannot take them: {why}."
    return CannotApply("shaping_unsupported", reason)


def _has_bound_places(fn: object) -> bool:
    return isinstance(fn, partial) and len(fn.args) > 0


def _is_in_class(fn: Callable[..., object]) -> bool:
    around, _, _ = getattr(fn, "__qualname__", "").rpartition(".")
    return around != "" and not around.endswith("<locals>")
