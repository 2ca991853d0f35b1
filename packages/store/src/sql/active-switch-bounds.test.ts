import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ActiveSwitchBounds } from "./active-switch-bounds.ts";

const LIMIT = 5;

describe("the bound on active switches", () => {
  // proves KILL-29
  it("says full exactly when a count would, whatever was activated, ended or changed", async () => {
    const change = fc.constantFrom("activate", "end", "other");
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
        const bounds = new ActiveSwitchBounds();
        let [active, revision] = [0, 0];
        for (const each of changes) {
          if (each === "activate") {
            const isFull = await bounds.isFull({ org: "acme", limit: LIMIT, revision }, async () => active);
            expect(isFull).toBe(active >= LIMIT);
            if (isFull) continue;
            active += 1;
          }
          if (each === "end") active = Math.max(0, active - 1);
          revision += 1;
        }
      }),
    );
  });

  it("counts once for as many changes as there is room, and again when revisions went back", async () => {
    const bounds = new ActiveSwitchBounds();
    let counted = 0;
    const isFull = (revision: number) =>
      bounds.isFull({ org: "acme", limit: LIMIT, revision }, async () => {
        counted += 1;
        return 0;
      });
    for (let revision = 7; revision < 7 + LIMIT; revision += 1) expect(await isFull(revision)).toBe(false);
    expect(counted).toBe(1);
    expect(await isFull(7 + LIMIT)).toBe(false);
    expect(counted).toBe(2);
    expect(await isFull(3)).toBe(false);
    expect(counted).toBe(3);
  });
});
