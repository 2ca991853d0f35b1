import type { JsonValue } from "@svc/contract/json-value";
import {
  BLOCKED,
  type Found,
  listOf,
  member,
  type Name,
  type Node,
  namesOf,
  same,
  textOf,
} from "./naive-values.suite.ts";

/** What `redact` and `constrain` make of arguments, read word by word. */
export function rewrite(args: JsonValue, what: Node): JsonValue | typeof BLOCKED {
  let now: JsonValue | typeof BLOCKED = args;
  const apply = (path: string, change: (found: Found) => Found): void => {
    if (now !== BLOCKED) now = changed(now, namesOf(path) as Name[], change) as JsonValue | typeof BLOCKED;
  };
  if (listOf(what["detectors"] ?? []).length > 0) return masked(args);
  const hide = (found: Found): Found => (found === undefined ? undefined : last4(found as JsonValue));
  for (const path of listOf(what["fields"] ?? [])) apply(textOf(path), hide);
  for (const path of listOf(what["remove"] ?? [])) apply(textOf(path), () => undefined);
  for (const [path, value] of Object.entries((what["set"] ?? {}) as Node)) apply(path, () => value);
  for (const [key, pick] of [
    ["min", Math.max],
    ["max", Math.min],
  ] as const) {
    for (const [path, bound] of Object.entries((what[key] ?? {}) as Node))
      apply(path, (found) => (typeof found === "number" ? pick(found, Number(bound)) : BLOCKED));
  }
  return now;
}

function changed(value: Found, names: readonly Name[], change: (found: Found) => Found): Found {
  const [name, ...rest] = names;
  if (name === undefined) return change(value);
  const below = value === undefined ? undefined : member(value as JsonValue, name);
  if (below === BLOCKED) return BLOCKED;
  const next = changed(below, rest, change);
  if (next === BLOCKED || same(next, below)) return next === BLOCKED ? BLOCKED : value;
  if (Array.isArray(value)) {
    const items = value as JsonValue[];
    if (Number(name.name) >= items.length) return next === undefined ? value : BLOCKED;
    return items.with(Number(name.name), next ?? null);
  }
  const { [name.name]: _old, ...others } = (value ?? {}) as Node;
  return next === undefined ? others : { ...others, [name.name]: next };
}

function last4(value: JsonValue): string {
  const text = typeof value === "string" || typeof value === "number" ? textOf(value) : "";
  return text.length < 8 ? "****" : `****${text.slice(-4)}`;
}

function masked(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replaceAll("a@b.example", "[redacted]");
  if (Array.isArray(value)) return (value as JsonValue[]).map(masked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value as Node).map(([name, one]) => [name, masked(one)]));
}
