import type { JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { executeBodySchema } from "./execute-body-schema.ts";
import { parseExecuteRequest } from "./parse-execute-request.ts";

const identifier = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._:@/-]{0,127}$/),
  fc.constantFrom("", "a", "-a", "a b", "ä", "a".repeat(128), "a".repeat(129), "a\u0000"),
);
const cost = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000 }),
  fc.double(),
  fc.nat({ max: 10_000_000 }).map((micro) => (micro / 1_000_000).toFixed(6)),
  fc.constantFrom("1e3", "-1", "0.0000001", "1000000000", "1000000000.000001", "", " 1", ".5", "01"),
);
const anything = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const mostly = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | JsonValue> =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: anything });

const body = fc.record(
  {
    agent_id: mostly(identifier),
    tool: mostly(identifier),
    args: mostly(fc.dictionary(fc.string(), anything)),
    session_id: mostly(identifier),
    namespace: mostly(identifier),
    cost_usd: mostly(cost),
    agentid: mostly(identifier),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonValue>;

const usual = fc.record(
  { agent_id: identifier, tool: identifier, args: fc.dictionary(fc.string(), anything), cost_usd: cost },
  { requiredKeys: ["agent_id", "tool"] },
) as fc.Arbitrary<JsonValue>;

// proves OAS-07
it("accepts the bodies that the gateway's own parser accepts, and no others", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(body, { weight: 4, arbitrary: usual }, anything), (value) => {
      const parsed = parseExecuteRequest(value).ok;
      accepted += parsed ? 1 : 0;
      expect(executeBodySchema.safeParse(value).success).toBe(parsed);
    }),
    { numRuns: runs(2_000, 20_000) },
  );
  // Otherwise the property would hold for a schema that refuses everything.
  expect(accepted).toBeGreaterThan(200);
});
