import { describe, expect, it } from "vitest";
import { SharedTurns } from "./shared-turns.ts";

const nextTurn = () => new Promise(setImmediate);

/** Orders that run until the test ends them, and who began. */
function slowWork(turns: SharedTurns) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (org: string, key: string) =>
    turns.run({ org, key }, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(org);
      ends.push(resolve);
      await promise;
      return key;
    });
  const endFirst = async () => {
    ends.shift()?.();
    await nextTurn();
  };
  return { begun, ask, endFirst };
}

const options = { label: "the thread", turns: 1, waitMs: 60_000, most: 8, ofKey: 3 };

describe("turns at a thread that organizations share", () => {
  it("let another organization be next, however many orders of the first wait", async () => {
    const { begun, ask, endFirst } = slowWork(new SharedTurns(options));
    const asked = [ask("a", "a1"), ask("a", "a1"), ask("a", "a2"), ask("b", "b1")];
    await nextTurn();
    for (let n = 0; n < 4; n += 1) await endFirst();
    expect(await Promise.all(asked)).toEqual(["a1", "a1", "a2", "b1"]);
    expect(begun).toEqual(["a", "a", "b", "a"]);
  });

  it("are bounded by key, by organization and in all, and come back", async () => {
    const { ask, endFirst } = slowWork(new SharedTurns(options));
    const asked = ["a1", "a1", "a1"].map((key) => ask("a", key));
    await expect(ask("a", "a1")).rejects.toThrow("the thread has too many orders of this key");
    asked.push(ask("a", "a2"));
    await expect(ask("a", "a3")).rejects.toThrow("of this organization");
    asked.push(ask("b", "b1"), ask("b", "b2"), ask("c", "c1"), ask("d", "d1"));
    await expect(ask("e", "e1")).rejects.toThrow("of this process");
    await nextTurn();
    for (let n = 0; n < 8; n += 1) await endFirst();
    expect(await Promise.all(asked)).toHaveLength(8);
    const again = ask("a", "a1");
    await nextTurn();
    await endFirst();
    expect(await again).toBe("a1");
  });

  it("end when the order fails, and when no turn comes in time", async () => {
    const turns = new SharedTurns({ ...options, waitMs: 1 });
    const { ask, endFirst } = slowWork(turns);
    const first = ask("a", "a1");
    await expect(ask("b", "b1")).rejects.toThrow("no turn at the thread came within 1 ms");
    await endFirst();
    await first;
    await expect(turns.run({ org: "a", key: "a1" }, () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
    expect(await turns.run({ org: "a", key: "a1" }, () => Promise.resolve(1))).toBe(1);
  });
});
