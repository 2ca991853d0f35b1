import type { DocumentCheck } from "@svc/policy-analysis/check-document";
import { describe, expect, it } from "vitest";
import { DocumentWork } from "./document-work.ts";

const REPLY: DocumentCheck = { kind: "invalid", diagnostics: [] };
const A = { org: "a", id: "key_a" };
const A2 = { org: "a", id: "key_a2" };
const B = { org: "b", id: "key_b" };

const nextTurn = () => new Promise(setImmediate);

/** Threads whose orders run until the test ends them. A document's text says who asked. */
function slowThreads() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const order = async (who: string): Promise<never> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(who);
    ends.push(resolve);
    await promise;
    return REPLY as never;
  };
  const work = new DocumentWork({
    documents: { check: ({ source }) => order(source) },
    guardrailChecks: { readGuardrail: order, tryGuardrail: (_guardrail, text) => order(text) },
    simulations: {
      read: () => order("read"),
      simulate: () => order("simulate"),
      explain: () => order("explain"),
      diff: (before) => order(before),
    },
  });
  const check = (principal: typeof A) =>
    work.of(principal).documents.check({ source: principal.id, mediaType: "application/yaml" });
  const endFirst = async () => {
    await nextTurn();
    ends.shift()?.();
    await nextTurn();
  };
  return { begun, work, check, endFirst };
}

describe("work on policy documents", () => {
  // proves API-33
  it("is refused to a key that has sixteen orders, and to no other key", async () => {
    const { check, endFirst } = slowThreads();
    const asked = Array.from({ length: 16 }, () => check(A));
    await expect(check(A)).rejects.toThrow("the thread that reads policies has too many orders of this key");
    asked.push(check(A2), check(B));
    for (let n = 0; n < 18; n += 1) await endFirst();
    expect(await Promise.all(asked)).toEqual(Array(18).fill(REPLY));
    const again = check(A);
    await endFirst();
    expect(await again).toEqual(REPLY);
  });

  // proves API-33
  it("of one organization waits for one order of another at most, however many that one has", async () => {
    const { begun, check, endFirst } = slowThreads();
    const asked = ["k1", "k2", "k3", "k4", "k5"].flatMap((id) => [1, 2, 3].map(() => check({ ...A, id })));
    asked.push(check(B), check(B));
    await nextTurn();
    expect(begun).toEqual(["k1", "key_b"]);
    while (begun.length < asked.length) await endFirst();
    expect(begun.indexOf("key_b", 2)).toBeLessThan(4);
    await endFirst();
    await endFirst();
    await Promise.all(asked);
  });

  it("on trials does not wait for work on changes", async () => {
    const { begun, work, check, endFirst } = slowThreads();
    const changed = [check(A), check(A2)];
    const tried = work.of(A).simulations.diff("before", "after");
    await nextTurn();
    expect(begun).toEqual(["key_a", "before"]);
    for (let n = 0; n < 3; n += 1) await endFirst();
    await Promise.all([...changed, tried]);
  });
});
