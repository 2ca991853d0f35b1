import { FakeClock } from "@svc/process/testing/fake-clock";
import { expect, it } from "vitest";
import { Suspensions } from "./suspensions.ts";

const OWNER = { organization: "org_a", policyId: "pol_a", version: 1 };

it("suspends a module after five timeouts within a minute, for a minute", () => {
  const clock = new FakeClock();
  const suspensions = new Suspensions(clock);
  for (let count = 0; count < 4; count++) suspensions.noteLostThread(OWNER);
  expect(suspensions.isSuspended(OWNER)).toBe(false);
  clock.ms += 59_999;
  suspensions.noteLostThread(OWNER);
  expect(suspensions.isSuspended(OWNER)).toBe(true);
  expect(suspensions.isSuspended({ ...OWNER, policyId: "pol_b" })).toBe(false);
  expect(suspensions.isSuspended({ ...OWNER, organization: "org_b" })).toBe(false);
  clock.ms += 59_999;
  expect(suspensions.isSuspended(OWNER)).toBe(true);
  clock.ms += 1;
  expect(suspensions.isSuspended(OWNER)).toBe(false);
});

it("does not suspend a module that rarely times out", () => {
  const clock = new FakeClock();
  const suspensions = new Suspensions(clock);
  for (let count = 0; count < 20; count++) {
    suspensions.noteLostThread(OWNER);
    clock.ms += 15_001;
    expect(suspensions.isSuspended(OWNER)).toBe(false);
  }
});

it("runs the next version of a suspended module", () => {
  const suspensions = new Suspensions(new FakeClock());
  for (let count = 0; count < 5; count++) suspensions.noteLostThread(OWNER);
  expect(suspensions.isSuspended({ ...OWNER, version: 2 })).toBe(false);
  expect(suspensions.isSuspended(OWNER)).toBe(true);
});
