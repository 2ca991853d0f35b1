import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BatchWorld } from "../testing/batch-world.ts";

const FAILED = { kind: "failed", fault: "down", status: 503 } as const;

describe("BatchCourier", () => {
  // proves INTG-01, INTG-06
  it("sends the rows of a log in order, and one batch again until it goes through", async () => {
    const world = new BatchWorld();
    world.append("gw", 3, false);
    const ids = world.append("gw", 1_200);
    const courier = world.courier();
    world.answer = () => FAILED;
    await world.drain(courier);
    await world.drain(courier);
    expect(world.sent).toHaveLength(1);
    expect(world.stored?.course).toMatchObject({
      failures: 1,
      lastError: "down",
      retryAtMs: world.nowMs + 1_000,
    });
    expect(courier.behindSinceMs).toBe(world.nowMs);

    world.nowMs += 1_000;
    await world.drain(courier);
    expect(world.stored?.course).toMatchObject({ failures: 2, retryAtMs: world.nowMs + 2_000 });
    world.nowMs += 2_000;
    world.answer = () => ({});
    await world.drain(courier);
    expect(world.sent[1]).toEqual(world.sent[0]);
    expect(world.sent.slice(2).flat()).toEqual(ids);
    expect(courier.behindSinceMs).toBeNull();
    expect(world.stored?.course).toMatchObject({ failures: 0, failingSinceMs: null, rowsSent: 1_200 });
  });

  // proves INTG-06
  it("waits as long as the receiver asks, but not longer than ten minutes", async () => {
    const world = new BatchWorld();
    world.append("gw", 1);
    world.answer = () => ({ ...FAILED, retryAfterMs: 3_600_000 });
    await world.drain(world.courier());
    expect(world.stored?.course.retryAtMs).toBe(world.nowMs + 600_000);
  });

  // proves INTG-06
  it("sends smaller batches to a receiver that takes no large one", async () => {
    const world = new BatchWorld();
    const ids = world.append("gw", 500);
    world.answer = (sent) => (sent.length > 60 ? { kind: "too_large", fault: "413" } : {});
    const courier = world.courier();
    for (let at = 0; at < 100 && world.stored?.course.rowsSent !== 500; at += 1) await world.drain(courier);
    expect(world.sent.filter(({ length }) => length <= 60).flat()).toEqual(ids);
  });

  // proves INTG-06
  it("tries at once when its settings were changed, and sends nothing while it is disabled", async () => {
    const world = new BatchWorld();
    world.append("gw", 1);
    const courier = world.courier();
    world.answer = () => FAILED;
    await world.drain(courier);
    world.revision = null;
    world.nowMs += 60_000;
    await world.drain(courier);
    expect(world.sent).toHaveLength(1);
    world.nowMs -= 60_000;
    world.revision = "2";
    world.answer = () => ({});
    await world.drain(courier);
    expect(world.sent).toHaveLength(2);
  });

  // proves INTG-03
  it("counts rows that the receiver refused by themselves, and goes on behind them", async () => {
    const world = new BatchWorld();
    world.append("gw", 4);
    world.answer = () => ({ refused: 1, fault: "the collector refused 1 records" });
    await world.drain(world.courier());
    const counted = { rowsSent: 3, rowsLost: 1, lastError: "the collector refused 1 records", failures: 0 };
    expect(world.stored?.course).toMatchObject(counted);
  });

  // proves INTG-01
  it("loses nothing and mixes nothing up, however often processes crash and take over", async () => {
    const event = fc.oneof(
      fc.record({
        append: fc.integer({ min: 1, max: 40 }),
        log: fc.constantFrom("a", "b"),
        own: fc.boolean(),
      }),
      fc.constantFrom("fail", "crash", "second"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const world = new BatchWorld();
        const own: string[] = [];
        let couriers = [world.courier(), world.courier()];
        for (const each of events) {
          world.answer = () => (each === "fail" ? FAILED : {});
          if (typeof each === "object") {
            const ids = world.append(each.log, each.append, each.own);
            if (each.own) own.push(...ids);
          }
          if (each === "crash") {
            world.beforeStore = () => {
              throw new Error("killed");
            };
            const step = couriers[0]?.step(new AbortController().signal) ?? Promise.resolve(false);
            await step.catch(() => undefined);
            world.beforeStore = () => undefined;
            couriers = [world.courier(), world.courier()];
          }
          world.nowMs += 120_000;
          for (const courier of couriers.slice(each === "second" ? 1 : 0)) await world.drain(courier);
        }
        world.answer = () => ({});
        world.nowMs += 120_000;
        for (const courier of [world.courier()]) for (let at = 0; at < 3; at += 1) await world.drain(courier);
        for (const log of ["a", "b"]) {
          const wanted = own.filter((id) => id.startsWith(`${log}.`));
          const seen = [...new Set(world.sent.flat().filter((id) => id.startsWith(`${log}.`)))];
          expect(seen).toEqual(wanted);
        }
      }),
      { numRuns: runs(40, 400) },
    );
  });
});
