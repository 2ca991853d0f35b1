import { describe, expect, it } from "vitest";
import { FakeClock } from "./testing/fake-clock.ts";
import { TokenBuckets } from "./token-buckets.ts";

describe("a token bucket", () => {
  it("gives its burst at once, then what comes back, and never more than its burst", () => {
    const time = new FakeClock();
    const buckets = new TokenBuckets({ burst: 3, perSecond: 2 }, time, 10);
    const take = (count: number) => Array.from({ length: count }, () => buckets.take("a").kind);
    expect(take(5)).toEqual(["taken", "taken", "taken", "empty", "empty"]);
    time.ms += 499;
    expect(take(1)).toEqual(["empty"]);
    time.ms += 1;
    expect(take(2)).toEqual(["taken", "empty"]);
    time.ms += 3_600_000;
    expect(take(4)).toEqual(["taken", "taken", "taken", "empty"]);
  });

  it("says how many are left and when there is more", () => {
    const time = new FakeClock();
    const buckets = new TokenBuckets({ burst: 2, perSecond: 0.1 }, time, 10);
    expect(buckets.take("a")).toEqual({ kind: "taken", remaining: 1, resetS: 10 });
    expect(buckets.take("a")).toEqual({ kind: "taken", remaining: 0, resetS: 10 });
    time.ms += 4_000;
    expect(buckets.take("a")).toEqual({ kind: "empty", remaining: 0, resetS: 6 });
  });

  // proves API-27
  it("of one owner has nothing to do with that of another", () => {
    const buckets = new TokenBuckets({ burst: 1, perSecond: 1 }, new FakeClock(), 10);
    for (let n = 0; n < 1_000; n += 1) buckets.take("a");
    expect(buckets.take("b").kind).toBe("taken");
  });

  it("is forgotten beyond the limit of owners, the idlest first", () => {
    const buckets = new TokenBuckets({ burst: 1, perSecond: 0.001 }, new FakeClock(), 2);
    for (const owner of ["a", "b", "a", "c"]) buckets.take(owner);
    expect(["a", "b"].map((owner) => buckets.take(owner).kind)).toEqual(["empty", "taken"]);
  });

  it("takes a token back, and never has more than its burst", () => {
    const buckets = new TokenBuckets({ burst: 2, perSecond: 1 }, new FakeClock(), 10);
    for (let n = 0; n < 2; n += 1) buckets.take("a");
    for (let n = 0; n < 9; n += 1) buckets.giveBack("a");
    const kinds = Array.from({ length: 3 }, () => buckets.take("a").kind);
    expect(kinds).toEqual(["taken", "taken", "empty"]);
  });
});
