import type { Verdict } from "@svc/contract/verdict";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { expect, it } from "vitest";
import { ReplayCache } from "./replay-cache.ts";

const named = (key: string, agentId = "agent-1") => ({
  org: "default",
  agentId,
  namespace: "default",
  key,
  bodyDigest: "d1",
});

function allow(id: string, shaped = ""): Verdict {
  return {
    decision: "allow",
    decision_id: id,
    args_constrained: true,
    shaped_args: { text: shaped },
  };
}

// proves EXEC-28
it("forgets the oldest verdicts beyond the bound of bytes, and keeps the newest", async () => {
  const cache = new ReplayCache(new FakeClock(), 1024 * 1024);
  const large = "x".repeat(100 * 1024);
  for (let index = 0; index < 100; index += 1) {
    await cache.remember(named(`k${String(index)}`), Promise.resolve(allow(`gw.${String(index)}`, large)));
  }
  expect(cache.size).toBeLessThanOrEqual(10);
  expect(cache.find(named("k0"))).toBeNull();
  expect(cache.find(named("k99"))).not.toBeNull();
});

it("keeps bytes of what was decided, not objects", async () => {
  const cache = new ReplayCache(new FakeClock());
  const verdict = allow("gw.1");
  await cache.remember(named("k"), Promise.resolve(verdict));
  const answer = cache.find(named("k"))?.answer;
  expect(Buffer.isBuffer(answer) && JSON.parse(answer.toString())).toEqual(verdict);
});

it("counts the bytes of a verdict that is replaced or forgotten once", async () => {
  const cache = new ReplayCache(new FakeClock(), 20 * 1024);
  for (let round = 0; round < 100; round += 1) {
    await cache.remember(named("same"), Promise.resolve(allow("gw.1", "x".repeat(8 * 1024))));
  }
  await cache.remember(named("other"), Promise.resolve(allow("gw.2", "x".repeat(8 * 1024))));
  expect(cache.size).toBe(2);
});

it("an outcome of another organization's decision of the same id changes nothing", async () => {
  const cache = new ReplayCache(new FakeClock());
  await cache.remember(named("k"), Promise.resolve(allow("gw.1")));
  await cache.spend({ org: "foreign", decisionId: "gw.1" }, async () => ({ kind: "recorded" }));
  expect(cache.find(named("k"))).not.toBeNull();
});

// proves EXEC-28
it("an agent that fills the room loses its own verdicts, not those of others", async () => {
  const cache = new ReplayCache(new FakeClock(), 1024 * 1024);
  await cache.remember(named("quiet", "agent-2"), Promise.resolve(allow("gw.0")));
  const large = "x".repeat(100 * 1024);
  for (let index = 1; index <= 100; index += 1) {
    await cache.remember(named(`k${String(index)}`), Promise.resolve(allow(`gw.${String(index)}`, large)));
  }
  expect(cache.find(named("quiet", "agent-2"))).not.toBeNull();
  expect(cache.find(named("k100"))).not.toBeNull();
  expect(cache.size).toBeLessThanOrEqual(11);
});

it("a verdict that alone exceeds the room is not kept", async () => {
  const cache = new ReplayCache(new FakeClock(), 1024);
  await cache.remember(named("k"), Promise.resolve(allow("gw.0", "x".repeat(10_000))));
  expect(cache.size).toBe(0);
});

// proves EXEC-24
it("a verdict that loses its room while its outcome is recorded is spent all the same", async () => {
  const cache = new ReplayCache(new FakeClock(), 20 * 1024);
  await cache.remember(named("k"), Promise.resolve(allow("gw.0")));
  const waitedFor = cache.find(named("k"));
  const recorded = Promise.withResolvers<{ readonly kind: "recorded" }>();
  const spending = cache.spend({ org: "default", decisionId: "gw.0" }, () => recorded.promise);
  await cache.remember(named("other"), Promise.resolve(allow("gw.1", "x".repeat(18 * 1024))));
  expect(cache.find(named("k"))).toBeNull();
  recorded.resolve({ kind: "recorded" });
  await spending;
  expect(waitedFor?.spent).toBe(true);
});
