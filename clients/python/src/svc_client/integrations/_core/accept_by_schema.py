"""
Whether rewritten arguments fit a JSON schema, for frameworks that do not look at them again. What this reader
does not know is not accepted: a rewrite is rare, and a tool that runs with arguments of a wrong kind is worse
than a deny that says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..._canonical_json import canonical_json
from ..._json_value import JsonValue
from ..._recorded_call import CannotApply
from .gate import Accept

_MAX_DEPTH = 64
"""Levels of schema that are followed. A schema that refers to itself is deeper than any argument."""

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "number": (int, float),
    "integer": (int, float),
}

_SILENT = frozenset((
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "additionalProperties",
    "contentMediaType",
    "default",
    "definitions",
    "deprecated",
    "description",
    "discriminator",
    "example",
    "examples",
    "format",
    "propertyOrdering",
    "readOnly",
    "required",
    "strict",
    "title",
    "writeOnly",
))
"""Keywords that say nothing of a value, or that are read with another one."""


class _Unfit(Exception):
    """Says where and what, and shows no value."""


def accept_by_schema(schema: Mapping[str, Any]) -> Accept:
    """For the schema of a tool's parameters, an object."""

    def accept(args: dict[str, Any]) -> Mapping[str, Any]:
        try:
            _Reader(schema).check(schema, args, "args", 0)
        except _Unfit as unfit:
            raise CannotApply(
                "shaping_unsupported",
                f"The policy rewrites the arguments, and the tool cannot take them: {unfit}.",
            ) from None
        return args

    return accept


class _Reader:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root

    def check(self, schema: object, value: object, path: str, depth: int) -> None:
        """Raises _Unfit."""
        if depth > _MAX_DEPTH:
            raise _Unfit(f"{path} has a schema of more than {_MAX_DEPTH} levels")
        if schema is True:
            return
        if not isinstance(schema, Mapping):
            raise _Unfit(f"{path} may have no value")
        for keyword, wanted in cast("Mapping[str, Any]", schema).items():
            if keyword in _SILENT:
                continue
            reader = _READERS.get(keyword)
            if reader is None:
                raise _Unfit(f"{path} has the keyword {keyword} in its schema, which is not read here")
            reader(self, wanted, value, path, depth + 1)
        if isinstance(value, dict):
            self._members(cast("Mapping[str, Any]", schema), cast("dict[str, Any]", value), path, depth + 1)

    def fits(self, schema: object, value: object, path: str, depth: int) -> bool:
        try:
            self.check(schema, value, path, depth)
        except _Unfit:
            return False
        return True

    def _members(self, schema: Mapping[str, Any], value: dict[str, Any], path: str, depth: int) -> None:
        for name in schema.get("required", ()):
            if name not in value:
                raise _Unfit(f"{path}.{name} is missing")
        properties: Mapping[str, Any] = schema.get("properties", {})
        # At the top, a name that the schema does not know is not a parameter.
        is_known = path == "args" and "properties" in schema
        others = schema.get("additionalProperties", not is_known)
        for name, member in value.items():
            if name in properties:
                self.check(properties[name], member, f"{path}.{name}", depth)
            elif others is False:
                raise _Unfit(f"there is no parameter {path}.{name}")
            else:
                self.check(others, member, f"{path}.{name}", depth)

    def refer(self, reference: object, value: object, path: str, depth: int) -> None:
        target: Any = self._root
        steps = str(reference).split("/")
        if steps[0] != "#":
            raise _Unfit(f"{path} has a schema that is elsewhere")
        for step in steps[1:]:
            # A path that leads nowhere ends the check with an error, which is a deny.
            target = target[step.replace("~1", "/").replace("~0", "~")]
        self.check(target, value, path, depth)


def _type(_: _Reader, wanted: Any, value: object, path: str, __: int) -> None:
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    if not any(_is_of_type(str(name).lower(), value) for name in names):
        raise _Unfit(f"{path} must be of type {' or '.join(map(str, names))}")


def _is_of_type(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(name, ()))


def _properties(_: _Reader, wanted: Any, __: object, path: str, ___: int) -> None:
    if not isinstance(wanted, Mapping):
        raise _Unfit(f"{path} has a schema that cannot be read")


def _items(reader: _Reader, wanted: Any, value: object, path: str, depth: int) -> None:
    if isinstance(value, (list, tuple)):
        for at, item in enumerate(cast("Sequence[object]", value)):
            reader.check(wanted, item, f"{path}[{at}]", depth)


def _one_of(_: _Reader, wanted: Any, value: object, path: str, __: int) -> None:
    if canonical_json(cast("JsonValue", value)) not in [canonical_json(each) for each in wanted]:
        raise _Unfit(f"{path} must be one of the values that its schema lists")


def _const(reader: _Reader, wanted: Any, value: object, path: str, depth: int) -> None:
    _one_of(reader, [wanted], value, path, depth)


def _any(reader: _Reader, wanted: Any, value: object, path: str, depth: int) -> None:
    if not any(reader.fits(each, value, path, depth) for each in wanted):
        raise _Unfit(f"{path} fits none of its schemas")


def _exactly_one(reader: _Reader, wanted: Any, value: object, path: str, depth: int) -> None:
    if sum(reader.fits(each, value, path, depth) for each in wanted) != 1:
        raise _Unfit(f"{path} must fit exactly one of its schemas")


def _all(reader: _Reader, wanted: Any, value: object, path: str, depth: int) -> None:
    for each in wanted:
        reader.check(each, value, path, depth)


def _nullable(_: _Reader, __: Any, ___: object, ____: str, _____: int) -> None:
    """With a type beside it that has no null, a null stays unfit."""


def _bound(name: str, holds: Any) -> Any:
    def read(_: _Reader, wanted: Any, value: object, path: str, __: int) -> None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not holds(value, wanted):
            raise _Unfit(f"{path} is against its {name}")

    return read


def _length(name: str, kinds: tuple[type, ...], holds: Any) -> Any:
    def read(_: _Reader, wanted: Any, value: object, path: str, __: int) -> None:
        if isinstance(value, kinds) and not holds(len(cast("Sequence[object]", value)), wanted):
            raise _Unfit(f"{path} is against its {name}")

    return read


def _pattern(_: _Reader, wanted: Any, value: object, path: str, __: int) -> None:
    if isinstance(value, str) and re.search(str(wanted), value) is None:
        raise _Unfit(f"{path} is against its pattern")


def _above(value: Any, wanted: Any) -> bool:
    return bool(value > wanted)


def _below(value: Any, wanted: Any) -> bool:
    return bool(value < wanted)


def _at_least(value: Any, wanted: Any) -> bool:
    return bool(value >= wanted)


def _at_most(value: Any, wanted: Any) -> bool:
    return bool(value <= wanted)


_READERS: dict[str, Any] = {
    "$ref": _Reader.refer,
    "allOf": _all,
    "anyOf": _any,
    "const": _const,
    "enum": _one_of,
    "exclusiveMaximum": _bound("exclusiveMaximum", _below),
    "exclusiveMinimum": _bound("exclusiveMinimum", _above),
    "items": _items,
    "maximum": _bound("maximum", _at_most),
    "maxItems": _length("maxItems", (list, tuple), _at_most),
    "maxLength": _length("maxLength", (str,), _at_most),
    "minimum": _bound("minimum", _at_least),
    "minItems": _length("minItems", (list, tuple), _at_least),
    "minLength": _length("minLength", (str,), _at_least),
    "nullable": _nullable,
    "oneOf": _exactly_one,
    "pattern": _pattern,
    "properties": _properties,
    "type": _type,
}
