import { expect, it } from "vitest";
import { ConcurrencyLimit } from "./concurrency-limit.ts";

it("lets a number of pieces run under each name, and the next one when one has ended", () => {
  const running = new ConcurrencyLimit(2);
  const end = running.begin("one");
  expect(running.begin("one")).not.toBeNull();
  expect(running.begin("one")).toBeNull();
  expect(running.begin("two")).not.toBeNull();
  end?.();
  expect(running.begin("one")).not.toBeNull();
  expect(running.begin("one")).toBeNull();
});

it("lets one at a time begin under a name, and ends each once", () => {
  const running = new ConcurrencyLimit(1);
  const end = running.begin("a");
  expect([running.begin("a"), typeof running.begin("b")]).toEqual([null, "function"]);
  end?.();
  expect(running.begin("a")).not.toBeNull();
  end?.();
  expect(running.begin("a")).toBeNull();
});
