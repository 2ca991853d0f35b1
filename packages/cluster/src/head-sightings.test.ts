import { expect, it } from "vitest";
import { HeadSightings } from "./head-sightings.ts";

const LEASE_MS = 1_500;

function stage() {
  const clock = { ms: 1_000, nowMs: () => clock.ms };
  return { clock, sightings: new HeadSightings(clock, LEASE_MS) };
}

it("a lease is counted from when the revision was seen first", () => {
  const { clock, sightings } = stage();
  expect(sightings.leaseLeftMs(1)).toBe(LEASE_MS);
  sightings.note(4);
  for (const head of [4, 5, 5, 6]) {
    clock.ms += 100;
    sightings.note(head);
  }
  expect(sightings.leaseLeftMs(3)).toBe(1_100);
  expect(sightings.leaseLeftMs(4)).toBe(1_100);
  expect(sightings.leaseLeftMs(5)).toBe(1_300);
  expect(sightings.leaseLeftMs(6)).toBe(1_500);
  expect(sightings.leaseLeftMs(7)).toBe(1_500);
  clock.ms += 1_250;
  sightings.note(9);
  expect(sightings.leaseLeftMs(4)).toBeLessThanOrEqual(0);
  expect(sightings.leaseLeftMs(5)).toBe(50);
  clock.ms += 9_000;
  sightings.note(9);
  expect(sightings.leaseLeftMs(9)).toBeLessThanOrEqual(0);
  expect(sightings.leaseLeftMs(10)).toBe(LEASE_MS);
});

it("what was seen before the database was restored counts for nothing", () => {
  const { clock, sightings } = stage();
  sightings.note(9);
  clock.ms += 5_000;
  sightings.note(7);
  expect(sightings.leaseLeftMs(7)).toBe(LEASE_MS);
  expect(sightings.leaseLeftMs(8)).toBe(LEASE_MS);
});
