import { describe, expect, it } from "vitest";
import { CourierWorld, settle } from "./testing/courier-world.ts";

const MINUTE_MS = 60_000;

/** A receiver that is told about one condition. */
function storm(): CourierWorld {
  const world = new CourierWorld();
  world.conditionOf = ({ org_id }) => ({ about: org_id, state: null });
  return world;
}

const counts = ({ sent }: CourierWorld) => sent.map(({ count, atMs }) => [count, atMs]);

// proves CHAN-05
describe("one message for each condition and minute", () => {
  it("stands for all events of the minute, and loses none", async () => {
    const world = storm();
    const start = world.nowMs;
    const courier = world.courier();
    world.append("gw_a", 1);
    await settle(courier);
    for (let second = 1; second < 60; second += 1) {
      world.nowMs += 1_000;
      world.append("gw_a", 5);
      await settle(courier);
    }
    expect(counts(world)).toEqual([[1, start]]);
    expect(world.deliveries.waiting.size).toBe(295);
    world.nowMs += 1_000;
    await settle(courier);
    expect(counts(world).slice(1)).toEqual([[295, start + MINUTE_MS]]);
    expect(world.sent.at(-1)?.delivery.event.id).toBe("evt_gw_a-295");
    expect(world.deliveries.waiting.size).toBe(0);
  });

  it("tells at once of another condition", async () => {
    const world = storm();
    let about = "first";
    world.conditionOf = () => ({ about, state: null });
    const courier = world.courier();
    world.append("gw_a", 3);
    await settle(courier);
    about = "another";
    world.append("gw_a", 1);
    await settle(courier);
    expect(counts(world)).toEqual([
      [3, world.nowMs],
      [1, world.nowMs],
    ]);
  });

  it("loses nothing when the sender is killed in a storm", async () => {
    const world = storm();
    world.append("gw_a", 1);
    await settle(world.courier());
    for (let kill = 0; kill < 20; kill += 1) {
      world.append("gw_a", 7);
      const courier = world.courier();
      world.deliveries.fault = (when) => {
        if (when === (kill % 2 === 0 ? "before" : "after")) throw new Error("killed");
      };
      await expect(settle(courier)).rejects.toThrow("killed");
      world.deliveries.fault = () => undefined;
      world.nowMs += MINUTE_MS;
    }
    await settle(world.courier());
    const counted = new Map(world.sent.map(({ delivery, count }) => [delivery.id, count]));
    const stored = world.deliveries.attempts.map(({ deliveryId }) => counted.get(deliveryId) ?? 0);
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(141);
    expect(world.deliveries.waiting.size).toBe(0);
    expect(world.deliveries.now.course.positions.get("gw_a")).toBe(141);
  });

  it("tries a message that failed again with everything that it stands for", async () => {
    const world = storm();
    const courier = world.courier();
    world.answer = () => "failed";
    world.append("gw_a", 4);
    await settle(courier);
    world.answer = () => "delivered";
    world.nowMs += 5_000;
    await settle(courier);
    expect(world.sent.map(({ count, answer }) => [count, answer])).toEqual([
      [4, "failed"],
      [4, "delivered"],
    ]);
    expect(world.sent[0]?.delivery.id).toBe(world.sent[1]?.delivery.id);
  });

  it("says at once that a condition has ended, and never afterwards that it began", async () => {
    const world = storm();
    const courier = world.courier();
    let state = "raised";
    world.conditionOf = () => ({ about: "incident", state });
    world.answer = () => "failed";
    world.append("gw_a", 1);
    await settle(courier);
    state = "ended";
    world.answer = () => "delivered";
    world.append("gw_a", 1);
    await settle(courier);
    // The delivery that failed is due, and is about an earlier event.
    state = "raised";
    world.nowMs += MINUTE_MS;
    await settle(courier);
    expect(world.sent.map(({ answer }) => answer)).toEqual(["failed", "delivered"]);
    expect(world.deliveries.waiting.size).toBe(0);
  });
});
