import { expect, it } from "vitest";
import { LoginAttempts } from "./login-attempts.ts";

const TO = { provider: 0, to: "/approvals" };

// proves PEO-05
it("an attempt counts once, for its browser, its provider and ten minutes", () => {
  let nowMs = 0;
  const attempts = new LoginAttempts({ nowMs: () => nowMs });
  const begin = () => attempts.begin("browser", TO).state;
  const once = begin();
  expect(attempts.take(once, "browser", 0)).toMatchObject(TO);
  expect(attempts.take(once, "browser", 0)).toBeNull();
  expect(attempts.take(begin(), "other", 0)).toBeNull();
  expect(attempts.take(begin(), null, 0)).toBeNull();
  expect(attempts.take(begin(), "browser", 1)).toBeNull();
  const late = begin();
  nowMs = 10 * 60 * 1_000;
  expect(attempts.take(late, "browser", 0)).toBeNull();
});

it("the oldest attempt gives way", () => {
  const attempts = new LoginAttempts({ nowMs: () => 0 });
  const first = attempts.begin("b", TO).state;
  const second = attempts.begin("b", TO).state;
  for (let at = 0; at < 9_999; at += 1) attempts.begin("b", TO);
  expect(attempts.take(first, "b", 0)).toBeNull();
  expect(attempts.take(second, "b", 0)).not.toBeNull();
});
