import { expect, it } from "vitest";
import { busyShare, type CpuProfile, selfTimes } from "./self-time.ts";

const frame = (functionName: string, url = "", lineNumber = -1) => ({ functionName, url, lineNumber });

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame("(root)") },
    { id: 2, callFrame: frame("(idle)") },
    { id: 3, callFrame: frame("decide", "file:///srv/main.js", 41) },
    { id: 4, callFrame: frame("writev") },
    { id: 5, callFrame: frame("writev") },
  ],
  samples: [2, 3, 4, 5, 3],
  timeDeltas: [100, 30, 20, 30, 20],
};

it("adds up what each function ran by itself, without the idle time", () => {
  expect(selfTimes(profile)).toEqual([
    { name: "decide main.js:42", share: 0.5 },
    { name: "writev", share: 0.5 },
  ]);
});

it("says how busy the thread was", () => {
  expect(busyShare(profile)).toBe(0.5);
});
