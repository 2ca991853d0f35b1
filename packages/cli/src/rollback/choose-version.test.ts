import { describe, expect, it } from "vitest";
import type { ControlClient } from "../connection/control-client.ts";
import { chooseVersion } from "./roll-back.ts";

/** A client over these versions, newest first: hour of its start, and the version that it restored. */
function history(...versions: readonly (readonly [hour: number, restored: number | null])[]) {
  const entries = versions.map(([hour, rolled_back_to], at) => ({
    version: versions.length - at,
    created_at: new Date(hour * 3_600_000).toISOString(),
    rolled_back_to,
  }));
  const [first, ...rest] = entries;
  const pages = [
    { versions: [first], next_cursor: "2" },
    { versions: rest, next_cursor: null },
  ];
  const ask = async (_route: unknown, { query }: { query: { cursor?: string } }) => ({
    body: query.cursor === undefined ? pages[0] : pages[1],
  });
  return { ask: ask as unknown as ControlClient["ask"] };
}

const unasked = { ask: () => expect.unreachable() } as unknown as Pick<ControlClient, "ask">;
const p = (version: number) => ({ id: "p", version });

describe("chooseVersion", () => {
  // proves CLI-44
  it("takes the version that is named, or the one before the latest", async () => {
    expect(await chooseVersion(unasked, p(7), { to: 3, lastGood: false })).toBe(3);
    expect(await chooseVersion(unasked, p(7), { lastGood: false })).toBe(6);
  });

  // proves CLI-44
  it.each<[string, readonly (readonly [number, number | null])[], number]>([
    [
      "the one before",
      [
        [9, null],
        [5, null],
        [1, null],
      ],
      2,
    ],
    [
      "not one of some minutes",
      [
        [9.2, null],
        [9.1, null],
        [9, null],
        [1, null],
      ],
      1,
    ],
    [
      "not one that was rolled back",
      [
        [9, null],
        [8.5, 1],
        [3, null],
        [1, null],
      ],
      1,
    ],
    [
      "one that a rollback made",
      [
        [9, null],
        [5, 1],
        [4, null],
        [1, null],
      ],
      3,
    ],
  ])("finds the last good version: %s", async (_name, versions, wanted) => {
    expect(await chooseVersion(history(...versions), p(versions.length), { lastGood: true })).toBe(wanted);
  });

  // proves CLI-44
  it.each([
    ["both", 7, { to: 3, lastGood: true }, 2],
    ["the latest version", 7, { to: 7, lastGood: false }, 1],
    ["a version that is still to come", 7, { to: 8, lastGood: false }, 1],
    ["a first version", 1, { lastGood: false }, 1],
  ])("refuses %s", async (_name, version, choice, exitCode) => {
    await expect(chooseVersion(unasked, p(version), choice)).rejects.toMatchObject({ exitCode });
  });

  // proves CLI-44
  it("names how to go on when no version was good", async () => {
    const young = history([9.1, null], [9, null]);
    await expect(chooseVersion(young, p(2), { lastGood: true })).rejects.toThrow("name one with --to");
  });
});
