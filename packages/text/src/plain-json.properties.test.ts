import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { parsePlainJson } from "./plain-json.ts";
import { parseStrictJson } from "./strict-json.ts";
import { runs } from "./testing/runs.ts";

const BODIES = runs(5_000, 1_000_000);

/** Names and values that one of the two readers could take for something else. */
const names = fc.oneof(
  fc.constantFrom("a", "b", "tool", "args", "", "0", "1", "é", "\u{1F600}"),
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length", "toJSON"),
);

const { body: bodies } = fc.letrec<{ body: string; value: string }>((tie) => ({
  body: fc.array(fc.tuple(names, tie("value")), { maxLength: 5 }).map(objectText),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("0", "-0", "-0.0", "1e400", "-1e-400", "9007199254740991", "9007199254740992", "1e16"),
    fc.constantFrom(
      "true",
      "null",
      '"x"',
      '":"',
      '"{"',
      '"é"',
      '"\u{1F600}"',
      '"\\""',
      '"\\ud800"',
      '"\\\\"',
    ),
    fc.double({ noNaN: true }).map(String),
    fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }).map((value) => JSON.stringify(value)),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(" , ")}]`),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 4 }).map(objectText),
  ),
}));

function objectText(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(",")}}`;
}

/** One change of the bytes of a body. Several in a row often make a valid body of another meaning. */
const mutations = fc.array(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom("set", "insert", "drop", "repeat"),
    byte: fc.oneof(
      fc.nat(255),
      fc.constantFrom(...Buffer.from('{}[],:"\\ -+.eE019\n\0\x7f'), 0xc3, 0xed, 0xff),
    ),
    length: fc.integer({ min: 1, max: 24 }),
  }),
  { maxLength: 3 },
);

type Mutation = ReturnType<typeof mutations.generate>["value"][number];

function mutated(text: string, changes: readonly Mutation[]): Uint8Array {
  const bytes = [...Buffer.from(text)];
  for (const { at, kind, byte, length } of changes) {
    const index = at % (bytes.length + 1);
    if (kind === "repeat") bytes.splice(index, 0, ...bytes.slice(index, index + length));
    else bytes.splice(index, kind === "insert" ? 0 : 1, ...(kind === "drop" ? [] : [byte]));
  }
  return Uint8Array.from(bytes);
}

/** Equal to the last bit, with members in the same order; prototypes do not count. */
function isSame(left: JsonValue, right: JsonValue): boolean {
  if (typeof left !== "object" || left === null) return Object.is(left, right);
  if (typeof right !== "object" || right === null || Array.isArray(left) !== Array.isArray(right))
    return false;
  const leftMembers = Object.entries(left as Readonly<Record<string, JsonValue>>);
  const rightMembers = Object.entries(right as Readonly<Record<string, JsonValue>>);
  return (
    leftMembers.length === rightMembers.length &&
    leftMembers.every(([name, value], at) => {
      const other = rightMembers[at];
      return other !== undefined && other[0] === name && isSame(value, other[1]);
    })
  );
}

/** @throws when the plain reader accepts what the strict one refuses, or reads another value. */
function expectProven(bytes: Uint8Array): "accepted" | "left" {
  const plain = parsePlainJson(bytes);
  if (plain === null) return "left";
  const strict = parseStrictJson(bytes);
  if (!strict.ok || !isSame(plain, strict.value))
    throw new Error(`not proven: ${Buffer.from(bytes).toString()}`);
  return "accepted";
}

describe("plain JSON", () => {
  // proves EXEC-12
  it("accepts no generated and mutated body that the strict reader refuses, and reads no other value", () => {
    const counts = { accepted: 0, left: 0 };
    fc.assert(
      fc.property(bodies, mutations, (body, changes) => {
        counts[expectProven(mutated(body, changes))] += 1;
      }),
      { numRuns: BODIES },
    );
    expect(Math.min(counts.accepted, counts.left)).toBeGreaterThan(BODIES / 20);
  });

  it("throws at no bytes whatever", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expectProven(bytes);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it("reads every strict object without escapes, so that ordinary bodies take the short way", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const bytes = Buffer.from(JSON.stringify(object));
        const isPlain = parseStrictJson(bytes).ok && !bytes.includes("\\");
        expect(parsePlainJson(bytes) !== null).toBe(isPlain);
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });
});
