import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonValue } from "@svc/text/json-value";
import { parsePlainJson } from "@svc/text/plain-json";
import { parseStrictJson } from "@svc/text/strict-json";
import { executeBodies } from "../benchmark-calls.ts";
import { type Figure, figure } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";
import { timeBatch } from "../time-batch.ts";

/** Documents of one turn, as count. */
const DOCUMENTS = 20_000;

const BODIES = 500;

export const json: Scenario = {
  name: "json",
  title: "Strict and canonical JSON beside the built-in functions",
  run: async ({ rounds }) => {
    const bodies = executeBodies(BODIES, BODIES).map((body) => Buffer.from(body));
    const values = bodies.map((body) => JSON.parse(body.toString("utf8")) as JsonValue);
    const body = (at: number): Buffer => bodies[at % BODIES] ?? Buffer.alloc(0);
    const value = (at: number): JsonValue => values[at % BODIES] ?? null;
    const figures = [
      ...(await compare(rounds, "strict parse to JSON.parse", {
        builtIn: (at): unknown => JSON.parse(body(at).toString("utf8")),
        ours: (at) => parseStrictJson(body(at)),
      })),
      ...(await compare(rounds, "proven parse to JSON.parse", {
        builtIn: (at): unknown => JSON.parse(body(at).toString("utf8")),
        ours: (at) => parsePlainJson(body(at)),
      })),
      ...(await compare(rounds, "canonical text to JSON.stringify", {
        builtIn: (at) => JSON.stringify(value(at)),
        ours: (at) => canonicalJson(value(at)),
      })),
    ];
    return { kind: "measured", figures, notes: [`an execute request of ${body(0).byteLength} bytes`] };
  },
};

interface Contenders {
  readonly builtIn: (at: number) => unknown;
  readonly ours: (at: number) => unknown;
}

async function compare(rounds: number, name: string, { builtIn, ours }: Contenders): Promise<Figure[]> {
  for (const work of [builtIn, ours]) timeBatch(DOCUMENTS, work);
  const sides = [builtIn, ours].map((work) => () => Promise.resolve(timeBatch(DOCUMENTS, work)));
  const [builtInNs = [], oursNs = []] = await takeTurns(rounds, sides);
  return [
    figure(name, "ratio", ratios(oursNs, builtInNs)),
    figure(`${name}: built in`, "ns", builtInNs),
    figure(`${name}: ours`, "ns", oursNs),
  ];
}
