import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import fc from "fast-check";
import { keysOf, PLACES, type PlaceName } from "../validate/places.ts";

/** Documents with some members replaced, added, renamed, removed or wrapped, by parts of other documents. */
export function mutated(documents: readonly JsonObject[]): fc.Arbitrary<JsonValue> {
  const parts = documents.flatMap(partsOf);
  const value = fc.oneof(fc.constantFrom(...ODD_VALUES, ...ODD_TEXTS.split(" ")), {
    weight: 2,
    arbitrary: fc.nat().map((at) => parts[at % parts.length] ?? null),
  });
  const change = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom(...CHANGES),
    key: fc.constantFrom(...KEYS),
    value,
  });
  const document = fc.nat().map((at): JsonValue => documents[at % documents.length] ?? null);
  return fc
    .tuple(document, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([from, changes]) => changes.reduce(changed, from));
}

const CHANGES = ["replace", "add", "rename", "remove", "wrap", "unwrap"] as const;

interface Change {
  readonly at: number;
  readonly kind: (typeof CHANGES)[number];
  readonly key: string;
  readonly value: JsonValue;
}

const KEYS = [
  ...new Set(Object.keys(PLACES).flatMap((place) => keysOf(place as PlaceName))),
  "x",
  "args.x",
  "*",
];

const ODD_TEXTS =
  " x 5 allow deny redact args args.x args.* args.**.x time agent_id session.steps session.cost_usd " +
  "exists /srv ./x 2026-01-01T00:00:00Z 09:00 UTC mon-fri *.example.com 10.0.0.0/8";
const ODD_VALUES: readonly JsonValue[] = [null, true, false, 0, 1, -1, 0.5, 1e9, 2 ** 53, [], {}, ["x", 1]];

function partsOf(value: JsonValue): readonly JsonValue[] {
  if (typeof value !== "object" || value === null) return [value];
  return [value, ...Object.values(value).flatMap((member: JsonValue) => partsOf(member))];
}

/** The value with one of its parts changed: the `at`-th, counted as often as it takes. */
function changed(value: JsonValue, change: Change): JsonValue {
  const count = partsOf(value).length;
  let left = change.at % count;
  const visit = (part: JsonValue): JsonValue => {
    left -= 1;
    if (left === -1) return applied(part, change);
    if (Array.isArray(part)) return (part as readonly JsonValue[]).map(visit);
    if (!isJsonObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, visit(member)]));
  };
  return visit(value);
}

function applied(part: JsonValue, { kind, key, value, at }: Change): JsonValue {
  if (kind === "wrap") return [part];
  if (kind === "unwrap") return partsOf(part)[1] ?? part;
  if (Array.isArray(part)) {
    if (kind === "add") return [...(part as readonly JsonValue[]), value];
    return kind === "remove" ? (part as readonly JsonValue[]).slice(1) : value;
  }
  if (!isJsonObject(part) || kind === "replace") return value;
  const entries = Object.entries(part);
  const [chosen = ""] = entries[at % Math.max(1, entries.length)] ?? [];
  if (kind === "add") return { ...part, [key]: value };
  const kept = entries.filter(([name]) => name !== chosen);
  return Object.fromEntries(kind === "remove" ? kept : [...kept, [key, part[chosen] ?? null]]);
}
