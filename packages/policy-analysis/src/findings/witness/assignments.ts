import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import type { JsonPath } from "../json-path.ts";
import { ABSENT, type Example, exampleValues } from "./example-values.ts";

/** A value for one field of a call. */
export interface Assignment {
  /** As written in a condition: `args.amount`, `agent_id`. A `*` is the first element of a list. */
  readonly field: string;
  readonly value: Example;
}

/**
 * Ways to make a part of a rule's `match` hold, or fail, each a list of assignments. Not all ways: of each
 * list of conditions the first example of all, and then each further one beside them.
 */
export function waysTo(holds: boolean, match: JsonValue): readonly (readonly Assignment[])[] {
  if (!isJsonObject(match)) return [[]];
  if ("field" in match || "fields" in match) return questionWays(match, holds);
  const { condition, not, all, any } = match;
  if (condition !== undefined) return waysTo(holds, condition);
  if (not !== undefined) return waysTo(!holds, not);
  const parts = all ?? any;
  if (!Array.isArray(parts)) return [[]];
  const ways = (parts as readonly JsonValue[]).map((part) => waysTo(holds, part));
  return (all !== undefined) === holds ? together(ways) : ways.flat();
}

/** What makes a rule's decision depend on one condition alone: the conditions beside it, on the way to it. */
export function waysToHinge(match: JsonValue, path: JsonPath): readonly (readonly Assignment[])[] {
  const [key, ...rest] = path;
  if (key === undefined || !isJsonObject(match)) return [[]];
  const value = match[key] ?? null;
  if (key !== "all" && key !== "any")
    return key === "condition" || key === "not" ? waysToHinge(value, rest) : [[]];
  const [place, ...inner] = rest;
  const parts = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const beside = parts.flatMap((part, at) => (at === place ? [] : [waysTo(key === "all", part)]));
  return together([...beside, waysToHinge(parts[Number(place)] ?? null, inner)]);
}

/** Most ways that are tried for one list of conditions, as count. */
const MAX_WAYS = 4;

function together(ways: readonly (readonly (readonly Assignment[])[])[]): readonly (readonly Assignment[])[] {
  if (ways.some((some) => some.length === 0)) return [];
  const longest = Math.min(MAX_WAYS, Math.max(1, ...ways.map((some) => some.length)));
  return Array.from({ length: longest }, (_, at) =>
    ways.flatMap((some) => some[Math.min(at, some.length - 1)] ?? []),
  );
}

function questionWays(written: JsonObject, holds: boolean): readonly (readonly Assignment[])[] {
  const field = fieldOf(written);
  if (field === "time") return TIMES.map((value) => [{ field, value }]);
  const other = written["value_field"];
  if (typeof other === "string") return pairWays(field, other, written["operator"] === "!=" ? !holds : holds);
  const quantified = quantifiedWays(field, written, holds);
  if (quantified !== null) return quantified;
  return exampleValues(written, holds).map((value) => [{ field, value }]);
}

/** The field that a condition names first. */
function fieldOf({ field, fields }: JsonObject): string {
  const named = field ?? (Array.isArray(fields) ? (fields as readonly JsonValue[])[0] : "");
  return typeof named === "string" ? named : "";
}

/** Working hours, a weekend, long ago and far ahead. */
const TIMES = [
  "2026-06-01T12:00:00Z",
  "2026-06-06T23:00:00Z",
  "2020-01-01T00:00:00Z",
  "2035-01-01T00:00:00Z",
];

function pairWays(field: string, other: string, isSame: boolean): readonly (readonly Assignment[])[] {
  if (other === "agent_id" || other === "session_id")
    return [
      [
        { field, value: "same" },
        { field: other, value: isSame ? "same" : "another" },
      ],
    ];
  return [
    [
      { field, value: isSame ? "same" : "one" },
      { field: other, value: isSame ? "same" : "another" },
    ],
    [
      { field, value: 2 },
      { field: other, value: isSame ? 1 : 3 },
    ],
    [
      { field, value: 2 },
      { field: other, value: isSame ? 3 : 1 },
    ],
  ];
}

function quantifiedWays(
  field: string,
  written: JsonObject,
  holds: boolean,
): readonly (readonly Assignment[])[] | null {
  const { every, any, count } = written;
  const isList = !field.includes("*");
  if (count !== undefined && isJsonObject(count))
    return exampleValues(count, holds).map((length) => [
      { field, value: Array.from({ length: Math.min(50, Math.max(0, Number(length))) }, () => "x") },
    ]);
  const inner = every ?? any;
  if (inner === undefined || !isJsonObject(inner)) return null;
  return exampleValues(inner, holds).flatMap((value) =>
    value === ABSENT ? [] : [[{ field, value: isList ? [value] : value }]],
  );
}
