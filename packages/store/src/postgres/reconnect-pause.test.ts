import { expect, it } from "vitest";
import { ReconnectPause } from "./reconnect-pause.ts";

it("a pause grows with each failed attempt, ends by itself and begins anew after a success", () => {
  let nowMs = 0;
  const pause = new ReconnectPause(() => nowMs);
  expect(pause.fault).toBeNull();
  for (const expectedMs of [50, 100, 200, 400, 800, 1_000, 1_000]) {
    const fault = new Error(`refused at ${String(nowMs)}`);
    pause.begin(fault);
    nowMs += expectedMs - 1;
    expect(pause.fault).toBe(fault);
    nowMs += 1;
    expect(pause.fault).toBeNull();
  }
  pause.reset();
  pause.begin(new Error("again"));
  nowMs += 50;
  expect(pause.fault).toBeNull();
});
