import type { JsonValue } from "@svc/text/json-value";
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
  if (listOf(what["detectors"] ?? []).length > 0)
    return masked(args, listOf(what["detectors"] ?? []).map(textOf));
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

/** What each detector of the generated policies finds, and what is written in its place. */
const MARKERS: readonly (readonly [string, RegExp, string])[] = [
  ["pii.email", /a@b\.example/g, "[redacted]"],
  ["chk", /CHK-[0-9]+|de/g, "[redacted:chk]"],
  ["seven", /7/g, "[redacted:seven]"],
];

/** The detectors of one rule find nothing in common. */
function masked(value: JsonValue, detectors: readonly string[]): JsonValue {
  const hide = (text: string): string =>
    MARKERS.reduce(
      (now, [name, pattern, marker]) => (detectors.includes(name) ? now.replaceAll(pattern, marker) : now),
      text,
    );
  if (typeof value === "string") return hide(value);
  if (typeof value === "number") return hide(String(value)) === String(value) ? value : hide(String(value));
  if (Array.isArray(value)) return (value as JsonValue[]).map((item) => masked(item, detectors));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Node).map(([name, one]) => [hide(name), masked(one, detectors)]),
  );
}
