import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DISABLE_AFTER_MS, FAILURES_TO_SUSPEND, PROBE_MS } from "./after-failure.ts";
import { MOST_ATTEMPTS } from "./attempt-times.ts";
import { type Answer, CourierWorld, settle } from "./testing/courier-world.ts";

const HOUR_MS = 3_600_000;

describe("an endpoint that answers", () => {
  it("gets each event of its organization once, at most eight at a time, and leaves no row", async () => {
    const world = new CourierWorld();
    const expected = [...world.append("a", 30), ...world.append("b", 5)];
    world.append("b", 3, "other");
    await settle(world.courier());
    expect(world.sent.map(({ delivery }) => delivery.event.id).toSorted()).toEqual(expected.toSorted());
    expect(world.mostAtOnce).toBe(8);
    expect(world.deliveries.waiting.size).toBe(0);
    expect(world.deliveries.attempts).toHaveLength(expected.length);
  });

  it("costs the store nothing while no event is for it", async () => {
    const world = new CourierWorld();
    world.deliveries.fault = () => expect.unreachable("nothing is to be stored");
    world.append("a", 900, "other");
    await settle(world.courier());
    expect(world.sent).toEqual([]);
  });
});

describe("a delivery that fails", () => {
  // proves HOOK-07
  it("is tried again by the schedule under the same id, and is dead after the last attempt", async () => {
    const world = new CourierWorld();
    const courier = world.courier();
    const [poison = ""] = world.append("a", 1);
    world.answer = ({ id }) => (id === poison ? "failed" : "delivered");
    for (let hours = 0; hours < 110; hours += 1) {
      await settle(courier);
      world.append("a", 1);
      world.nowMs += HOUR_MS;
    }
    const tries = world.sent.filter(({ delivery }) => delivery.event.id === poison);
    expect(tries).toHaveLength(MOST_ATTEMPTS);
    expect(new Set(tries.map(({ delivery }) => delivery.id)).size).toBe(1);
    expect([...world.deliveries.waiting.values()]).toMatchObject([{ eventId: poison, nextAtMs: null }]);
    expect(world.confirmed.size).toBe(109);
  });

  it("is forgotten when it goes through", async () => {
    const world = new CourierWorld();
    const courier = world.courier();
    const events = world.append("a", 3);
    world.answer = () => "failed";
    await settle(courier);
    expect(world.deliveries.waiting.size).toBe(3);
    world.answer = () => "delivered";
    world.nowMs += HOUR_MS;
    await settle(courier);
    expect([world.deliveries.waiting.size, world.confirmed]).toEqual([0, new Set(events)]);
  });
});

describe("an endpoint that is away", () => {
  it("is suspended, tried once a minute without a row, and gets everything when it is back", async () => {
    const world = new CourierWorld();
    const courier = world.courier();
    const events = world.append("a", 200);
    world.answer = () => "failed";
    await settle(courier);
    const waiting = new Map(world.deliveries.waiting);
    const rows = waiting.size;
    expect(rows).toBeGreaterThanOrEqual(FAILURES_TO_SUSPEND);
    expect(rows).toBeLessThan(FAILURES_TO_SUSPEND + 8);
    for (let probe = 1; probe <= 5; probe += 1) {
      world.nowMs += PROBE_MS;
      await settle(courier);
      await settle(courier);
      expect(world.sent).toHaveLength(rows + probe);
    }
    expect(world.deliveries.waiting).toEqual(waiting);
    world.answer = () => "delivered";
    world.nowMs += HOUR_MS;
    await settle(courier);
    expect([world.deliveries.waiting.size, world.confirmed.size]).toEqual([0, events.length]);
  });

  it("is disabled after five days, and begins where it was when it is enabled again", async () => {
    const world = new CourierWorld();
    const courier = world.courier();
    const events = world.append("a", 100);
    world.answer = () => "failed";
    const { endpoint } = world;
    for (let waited = 0; waited <= DISABLE_AFTER_MS + PROBE_MS; waited += PROBE_MS) {
      await settle(courier);
      world.nowMs += PROBE_MS;
    }
    expect(world.disabled).toEqual(["failed_for_too_long"]);
    world.answer = () => "delivered";
    world.endpoint = endpoint;
    await settle(courier);
    expect(world.confirmed.size).toBe(events.length);
  });

  it("is not disabled for days in which no server tried it", async () => {
    const world = new CourierWorld();
    world.append("a", 100);
    world.answer = () => "failed";
    for (let starts = 0; starts < 20; starts += 1) {
      const courier = world.courier();
      await settle(courier);
      await settle(courier);
      world.nowMs += DISABLE_AFTER_MS;
    }
    expect(world.disabled).toEqual([]);
  });

  it("is disabled at once when it is gone, and what it refused is kept", async () => {
    const world = new CourierWorld();
    const events = world.append("a", 40);
    world.answer = ({ id }) => (id === events[20] ? "gone" : "delivered");
    const { endpoint } = world;
    await settle(world.courier());
    expect(world.disabled).toEqual(["gone"]);
    expect(world.deliveries.now.course.lastFailureAtMs).toBe(world.nowMs);
    world.answer = () => "delivered";
    world.endpoint = endpoint;
    await settle(world.courier());
    expect([world.deliveries.waiting.size, world.confirmed]).toEqual([0, new Set(events)]);
  });
});

const acts = fc.array(
  fc.oneof(
    fc.record({ append: fc.constantFrom("a", "b", "c"), count: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ answers: fc.constantFrom<Answer>("delivered", "failed") }),
    fc.record({ step: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ crash: fc.constantFrom("before", "after"), of: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ waitMs: fc.constantFrom(1_000, PROBE_MS, HOUR_MS) }),
  ),
  { maxLength: 40 },
);

// Two processes that both believe to lead, and crashes around every change of the store.
it("loses no event and sends none under two ids, whatever crashes while another process sends", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const world = new CourierWorld();
      const couriers = [world.courier(), world.courier()];
      const expected: string[] = [];
      const never = new AbortController().signal;
      for (const act of all) {
        if ("append" in act) expected.push(...world.append(act.append, act.count));
        else if ("answers" in act) world.answer = () => act.answers;
        else if ("step" in act) await couriers[act.step]?.step(never);
        else if ("waitMs" in act) world.nowMs += act.waitMs;
        else {
          world.deliveries.fault = (when) => {
            if (when === act.crash) throw new Error("crashed");
          };
          await couriers[act.of]?.step(never).catch(() => undefined);
          world.deliveries.fault = () => undefined;
          couriers[act.of] = world.courier();
        }
      }
      world.answer = () => "delivered";
      for (let day = 0; day < 3; day += 1) {
        world.nowMs += 24 * HOUR_MS;
        for (const courier of couriers) await settle(courier);
      }
      const sent = world.sent.length;
      await settle(world.courier());
      expect(world.sent).toHaveLength(sent);
      expect([...world.confirmed].toSorted()).toEqual(expected.toSorted());
      const ids = new Map(world.sent.map(({ delivery }) => [delivery.event.id, delivery.id]));
      for (const { delivery } of world.sent) expect(delivery.id).toBe(ids.get(delivery.event.id));
      expect(world.deliveries.waiting.size).toBe(0);
    }),
  );
});
