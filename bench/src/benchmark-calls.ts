import type { JsonObject } from "@svc/text/json-value";
import { BENCH_AGENT, BENCH_TOOL } from "./benchmark-policy.ts";

/** The arguments of one call: of the size and nesting that a refund has. */
export function benchmarkArgs(at: number): JsonObject {
  return {
    amount: 100 + (at % 400),
    currency: "EUR",
    customer: { id: `cus_${1_000 + at}`, country: "DE", since: 2019 },
    items: [
      { sku: `A-${at % 97}`, quantity: 2 },
      { sku: `B-${at % 89}`, quantity: 1 },
    ],
    note: "The parcel came late and one of the items was damaged; the customer asks for half of it back.",
    notify: true,
  };
}

/** Bodies of execute requests, spread evenly over the sessions. */
export function executeBodies(count: number, sessions: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      agent_id: BENCH_AGENT,
      session_id: `session-${at % sessions}`,
      tool: BENCH_TOOL,
      args: benchmarkArgs(at),
    }),
  );
}
