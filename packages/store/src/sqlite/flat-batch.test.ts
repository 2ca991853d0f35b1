import { expect, it } from "vitest";
import { NO_CLAIMS } from "../ports/claims.ts";
import { counters, entry, keyClaim } from "../testing/records.ts";
import { entriesOf, flatBatch } from "./flat-batch.ts";

const session = { org: "org", agentId: "agent-1", sessionId: "session-1" };

it("reaches the writer's thread with the same rows and the same claims in the same order", () => {
  const entries = [
    entry('{"n":0}'),
    entry('{"n":1}', { counters: counters(session) }),
    { row: '{"n":2}', claims: NO_CLAIMS },
    entry('{"n":3}', { idempotency: keyClaim("org"), counters: counters(session) }),
  ];
  const sent = structuredClone(flatBatch(entries));
  expect([...sent.claims.keys()]).toEqual([1, 3]);
  expect(entriesOf(sent)).toEqual(entries);
});

it("sends every kind of claim", () => {
  for (const kind of Object.keys(NO_CLAIMS) as (keyof typeof NO_CLAIMS)[]) {
    const claims = { ...NO_CLAIMS, [kind]: { of: kind } };
    expect(flatBatch([{ row: "{}", claims }]).claims.get(0)).toBe(claims);
  }
});
