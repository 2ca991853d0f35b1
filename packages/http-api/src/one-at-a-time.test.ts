import { expect, it } from "vitest";
import { OneAtATime } from "./one-at-a-time.ts";

it("lets one at a time begin under a name, and ends each once", () => {
  const running = new OneAtATime();
  const end = running.begin("a");
  expect([running.begin("a"), typeof running.begin("b")]).toEqual([null, "function"]);
  end?.();
  expect(running.begin("a")).not.toBeNull();
  end?.();
  expect(running.begin("a")).toBeNull();
});
