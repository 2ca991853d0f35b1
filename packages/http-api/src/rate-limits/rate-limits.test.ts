import { FakeTime } from "@svc/control-plane/testing/fake-time";
import { describe, expect, it } from "vitest";
import { RATE_BUDGETS, RateLimits } from "./rate-limits.ts";

const OWNER = { org: "default", id: "key_1" };

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
