import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventPositions, parseEventId, resumeAt } from "./event-id.ts";
import { MAX_NAMED_LOGS } from "./limits.ts";

const logs = (count: number, rows: number): [string, number][] =>
  Array.from({ length: count }, (_, at) => [`gw_${String(at)}`, rows]);

const read = (text: string) => parseEventId(text) ?? expect.unreachable(`${text} was not read`);

describe("the id of an event", () => {
  it("names the next row of each log, the one that grew last at the end", () => {
    const positions = new EventPositions(
      new Map([
        ["gw_a", 3],
        ["gw_b", 7],
      ]),
    );
    positions.set("gw_a", 4);
    expect(positions.toString()).toBe("gw_b=7,gw_a=4");
    expect(
      resumeAt(
        read("gw_b=7,gw_a=4"),
        new Map([
          ["gw_a", 9],
          ["gw_b", 7],
        ]),
      ),
    ).toEqual({
      from: new Map([
        ["gw_b", 7],
        ["gw_a", 4],
      ]),
      isExact: true,
    });
  });

  it("goes on exactly where it was, for any number of logs and any order of rows", () => {
    const steps = fc.array(fc.nat({ max: 2 * MAX_NAMED_LOGS }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.nat({ max: 2 * MAX_NAMED_LOGS }), steps, (count, moved) => {
        const sizes = new Map(logs(count, 5));
        const positions = new EventPositions(sizes);
        for (const at of moved) {
          const logId = `gw_${String(at)}`;
          sizes.set(logId, (sizes.get(logId) ?? 0) + 1);
          positions.set(logId, sizes.get(logId) ?? 0);
        }
        const { from, isExact } = resumeAt(read(positions.toString()), sizes);
        expect(isExact).toBe(true);
        for (const [logId, size] of sizes) expect(from.get(logId)).toBe(size);
      }),
    );
  });

  it("reads a log from its start that is new since", () => {
    const { from, isExact } = resumeAt(
      read("gw_a=4"),
      new Map([
        ["gw_a", 4],
        ["gw_new", 2],
      ]),
    );
    expect([from.get("gw_new"), isExact]).toEqual([0, true]);
  });

  it("says when it cannot tell what came since", () => {
    expect(resumeAt(read("gw_a=4"), new Map([["gw_a", 3]])).isExact).toBe(false);
    expect(resumeAt(read("gw_lost=1"), new Map()).isExact).toBe(false);
    const text = new EventPositions(new Map(logs(MAX_NAMED_LOGS + 2, 5))).toString();
    expect(text).toMatch(/\+10$/);
    expect(resumeAt(read(text), new Map(logs(MAX_NAMED_LOGS + 2, 6))).isExact).toBe(false);
  });

  it.each([
    "x",
    "gw=",
    "gw=-1",
    "gw=1,gw=2",
    "gw=1,,b=2",
    "gw=01",
    "gw=1+x",
    "g w=1",
    "=1",
    "a".repeat(9_000),
  ])("refuses %s", (text) => expect(parseEventId(text)).toBeNull());

  it("never reads a text that it would write differently, and never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseEventId(text)));
  });
});
