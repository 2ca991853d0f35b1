import { expect, it } from "vitest";
import { DISABLE_AFTER_MS, FAILURES_TO_SUSPEND, PROBE_MS } from "./after-failure.ts";
import { CourierWorld, settle } from "./testing/courier-world.ts";

const WEEK_MS = 7 * 24 * 3_600_000;

/** Characters of an answer that an attempt keeps. */
const ANSWER = "x".repeat(1_024);

/** Bytes that a dead endpoint may cost. */
const MAX_BYTES = 10_000_000;

/** A week in which a receiver confirms nothing. @returns what is stored of it */
async function deadWeek(eventsPerMinute: number) {
  const world = new CourierWorld();
  const courier = world.courier();
  world.answer = () => "failed";
  world.append("a", FAILURES_TO_SUSPEND + 1);
  for (let passedMs = 0; passedMs < WEEK_MS; passedMs += PROBE_MS) {
    await settle(courier);
    world.append("a", eventsPerMinute);
    world.nowMs += PROBE_MS;
  }
  const { attempts, waiting, now } = world.deliveries;
  const positions = [...now.course.positions];
  const stored = [...attempts.map((each) => ({ ...each, answer: ANSWER })), ...waiting.values(), positions];
  const bytes = stored.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
  return { disabled: world.disabled, bytes, attempts: attempts.length, waiting: waiting.size };
}

// proves HOOK-27
it("costs the same for a dead endpoint, whatever happens meanwhile, and at most 10 MB a week", async () => {
  const quiet = await deadWeek(1);
  expect(quiet.disabled).toEqual(["failed_for_too_long"]);
  expect(quiet.waiting).toBeLessThan(FAILURES_TO_SUSPEND + 8);
  expect(quiet.attempts).toBeLessThanOrEqual(quiet.waiting + DISABLE_AFTER_MS / PROBE_MS + 1);
  expect(quiet.bytes).toBeLessThan(MAX_BYTES);
  expect(await deadWeek(20)).toEqual(quiet);
});
