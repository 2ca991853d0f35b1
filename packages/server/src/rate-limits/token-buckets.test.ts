import { FakeTime } from "@svc/control-plane/testing/fake-time";
import { describe, expect, it } from "vitest";
import { RATE_BUDGETS, RateLimits } from "./rate-limits.ts";
import { TokenBuckets } from "./token-buckets.ts";

const OWNER = { org: "default", id: "key_1" };

describe("a token bucket", () => {
  it("gives its burst at once, then what comes back, and never more than its burst", async () => {
    const time = new FakeTime();
    const buckets = new TokenBuckets({ burst: 3, perSecond: 2 }, time, 10);
    const take = (count: number) => Array.from({ length: count }, () => buckets.take("a").kind);
    expect(take(5)).toEqual(["taken", "taken", "taken", "empty", "empty"]);
    await time.advance(499);
    expect(take(1)).toEqual(["empty"]);
    await time.advance(1);
    expect(take(2)).toEqual(["taken", "empty"]);
    await time.advance(3_600_000);
    expect(take(4)).toEqual(["taken", "taken", "taken", "empty"]);
  });

  it("says how many are left and when there is more", async () => {
    const time = new FakeTime();
    const buckets = new TokenBuckets({ burst: 2, perSecond: 0.1 }, time, 10);
    expect(buckets.take("a")).toEqual({ kind: "taken", remaining: 1, resetS: 10 });
    expect(buckets.take("a")).toEqual({ kind: "taken", remaining: 0, resetS: 10 });
    await time.advance(4_000);
    expect(buckets.take("a")).toEqual({ kind: "empty", remaining: 0, resetS: 6 });
  });

  // proves API-27
  it("of one owner has nothing to do with that of another", () => {
    const buckets = new TokenBuckets({ burst: 1, perSecond: 1 }, new FakeTime(), 10);
    for (let n = 0; n < 1_000; n += 1) buckets.take("a");
    expect(buckets.take("b").kind).toBe("taken");
  });

  it("is forgotten beyond the limit of owners, the idlest first", () => {
    const buckets = new TokenBuckets({ burst: 1, perSecond: 0.001 }, new FakeTime(), 2);
    for (const owner of ["a", "b", "a", "c"]) buckets.take(owner);
    expect(["a", "b"].map((owner) => buckets.take(owner).kind)).toEqual(["empty", "taken"]);
  });
});

describe("rate limits", () => {
  // proves API-27
  it("count each class by itself, and kill switches most generously", () => {
    const limits = new RateLimits(new FakeTime());
    const allowed = (name: keyof typeof RATE_BUDGETS, count: number) =>
      Array.from({ length: count }, () => limits.take(OWNER, name)).filter(({ kind }) => kind === "allowed");
    expect(allowed("write", 600)).toHaveLength(500);
    expect(allowed("read", 1_100)).toHaveLength(1_000);
    expect(allowed("costly", 400)).toHaveLength(300);
    expect(allowed("switch", 9_000)).toHaveLength(9_000);
  });

  it("never count tool calls", () => {
    const limits = new RateLimits(new FakeTime());
    const kinds = Array.from({ length: 100_000 }, () => limits.take(OWNER, "unlimited").kind);
    expect(new Set(kinds)).toEqual(new Set(["allowed"]));
  });

  it("tell what is left, and when to come back", () => {
    const budget = { burst: 2, perSecond: 1 };
    const limits = new RateLimits(new FakeTime(), { ...RATE_BUDGETS, write: budget });
    const policy = { "ratelimit-policy": '"write";q=2;w=2' };
    expect(limits.take(OWNER, "write")).toEqual({
      kind: "allowed",
      headers: { ...policy, ratelimit: '"write";r=1;t=1' },
    });
    limits.take(OWNER, "write");
    expect(limits.take(OWNER, "write")).toMatchObject({
      kind: "limited",
      problem: { code: "too_many_requests", status: 429 },
      headers: { ...policy, ratelimit: '"write";r=0;t=1', "retry-after": "1" },
    });
  });

  it("keep keys of one id apart by organization", () => {
    const budget = { burst: 1, perSecond: 1 };
    const limits = new RateLimits(new FakeTime(), { ...RATE_BUDGETS, write: budget });
    limits.take(OWNER, "write");
    expect(limits.take({ org: "other", id: "key_1" }, "write").kind).toBe("allowed");
  });
});
