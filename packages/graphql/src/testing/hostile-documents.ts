import { MAX_SELECTIONS } from "../limits.ts";

/** A generator of the same numbers from 0 to 1 each time (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const times = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_one, at) => text(at)).join(" ");

const fragment = (at: number, fields: string, type = "Query"): string =>
  `fragment f${String(at)} on ${type} { ${fields} }`;

const digit = (pick: () => number): string => String(Math.floor(pick() * 9));

/** Kinds of documents that cost a careless server much. `size` grows without end. */
const KINDS: Readonly<Record<string, (size: number, pick: () => number) => string>> = {
  "deep fields": (size) => `{ policies { nodes ${"{ agent ".repeat(size)} ${"}".repeat(size)} } }`,
  "deep lists of values": (size) =>
    `{ policies(q: ${"[".repeat(size)}${"]".repeat(size)}) { nodes { id } } }`,
  "one field often": (size) => `{ ${"whoami { role } ".repeat(size)} }`,
  "one key often": (size) => `{ ${times(size, () => "a: whoami { role }")} }`,
  "many aliases": (size) => `{ whoami { ${times(size, (at) => `a${String(at)}: role`)} } }`,
  "aliases of lists": (size) =>
    `{ ${times(size, (at) => `a${String(at)}: events(first: 200) { nodes { id row } }`)} }`,
  "a long introspection": (size) =>
    `{ __schema { types { fields { ${times(size, (at) => `a${String(at)}: name`)} } } } }`,
  "introspection of introspection": (size) =>
    `{ __schema { types ${"{ fields { type ".repeat(size)} { name } ${"} }".repeat(size)} } }`,
  "aliases of introspection": (size) =>
    `{ ${times(size, (at) => `a${String(at)}: __schema { types { name fields { name args { name } } } }`)} }`,
  "a bomb of fragments": (size) =>
    `{ ...f0 } ${times(size, (at) => fragment(at, `...f${String(at + 1)} ...f${String(at + 1)}`))} ` +
    `fragment f${String(size)} on Query { whoami { role } }`,
  "a cycle of fragments": (size) =>
    `{ ...f0 } ${times(size, (at) => `fragment f${String(at)} on Query { ...f${String((at + 1) % size)} }`)}`,
  "fields that overlap": (size, pick) =>
    `{ policies { nodes { ${times(size, () => `... on PolicyItem { k${digit(pick)}: id }`)} } } }`,
  "fragments that overlap": (size) =>
    `{ policies { nodes { ${times(size, (at) => `...f${String(at)}`)} } } } ` +
    times(size, (at) => fragment(at, `id name version ...f${String((at + 1) % size)}`, "PolicyItem")),
  directives: (size) => `{ whoami ${"@include(if: true) ".repeat(size)} { role } }`,
  "unknown directives": (size) => `{ whoami ${times(size, (at) => `@d${String(at)}`)} { role } }`,
  "unknown fields": (size) => `{ ${times(size, (at) => `polcies${String(at)} { nodes }`)} }`,
  variables: (size) =>
    `query(${times(size, (at) => `$v${String(at)}: Int`)}) { policies(first: $v0) { nodes { id } } }`,
  operations: (size) => times(size, (at) => `query q${String(at)} { whoami { role } }`),
  "a long text": (size) => `{ policies(q: "${"x".repeat(size * MAX_SELECTIONS)}") { nodes { id } } }`,
  "a long comment": (size) => `# ${"x".repeat(size * MAX_SELECTIONS)}\n{ whoami { role } }`,
  "a block of text": (size) => `{ policies(q: """${"\n  x".repeat(size * 10)}""") { nodes { id } } }`,
  "half a document": (size) => `{ ${"a(b: {c: [".repeat(size)}`,
  "odd characters": (size, pick) => times(size, () => String.fromCodePoint(33 + Math.floor(pick() * 1_000))),
};

export interface HostileDocument {
  readonly kind: string;
  readonly query: string;
}

/** The same documents each time, of every kind in turn. */
export function hostileDocuments(count: number): readonly HostileDocument[] {
  const pick = numbers(36);
  const kinds = Object.entries(KINDS);
  return Array.from({ length: count }, (_one, at) => {
    const [kind, make] = kinds[at % kinds.length] as (typeof kinds)[number];
    // Sizes around the limits, and some far beyond them.
    const size = Math.ceil(10 ** (pick() * 3.3));
    return { kind, query: make(size, pick) };
  });
}
