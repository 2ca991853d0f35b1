import { expect, it } from "vitest";
import { AtMost } from "./at-most.ts";

it("lets a number of pieces run under each name, and the next one when one has ended", () => {
  const running = new AtMost(2);
  const end = running.begin("one");
  expect(running.begin("one")).not.toBeNull();
  expect(running.begin("one")).toBeNull();
  expect(running.begin("two")).not.toBeNull();
  end?.();
  expect(running.begin("one")).not.toBeNull();
  expect(running.begin("one")).toBeNull();
});
