import { describe, expect, it } from "vitest";
import { nameOf, SupervisedWorld } from "./testing/supervised-world.ts";

const SECOND = 1_000;
const INTERVAL = 15 * SECOND;

/** Moves time while these sessions send heartbeats every ten seconds. */
async function live(world: SupervisedWorld, seconds: number, ...sessions: readonly string[]): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    for (const session of sessions) world.beat(session);
    await world.time.advance(10 * SECOND);
  }
}

async function family(): Promise<SupervisedWorld> {
  const world = new SupervisedWorld();
  world.start();
  await world.time.advance(2 * INTERVAL);
  world.beat("parent");
  world.beat("child", { parentSessionId: "parent" });
  await live(world, 30, "parent", "child");
  expect(world.severityOf("child")).toBe("INFO");
  return world;
}

describe("an orphan", () => {
  it("is flagged when its parent ends, and is suspended after the grace period", async () => {
    const world = await family();
    world.beat("parent", { ended: true });
    await live(world, 20, "child");
    expect(world.severityOf("child")).toBe("WARNING");
    expect(world.get("child").reason).toBe(
      "potential orphan: its parent session ended, or never sent a heartbeat",
    );
    await live(world, 60, "child");
    expect(world.severityOf("child")).toBe("CRITICAL");
    await live(world, 600, "child");
    expect(world.severityOf("child")).toBe("CRITICAL");
    await world.time.advance(8 * INTERVAL);
    expect(world.severityOf("child")).toBe("EMERGENCY");
  });

  it.each([
    ["is stopped by a kill switch", (world: SupervisedWorld) => void world.killed.add("parent")],
    ["falls silent until CRITICAL", () => undefined],
    [
      "never sent a heartbeat",
      (world: SupervisedWorld) => world.beat("child", { parentSessionId: "nobody" }),
    ],
    ["descends from it", (world: SupervisedWorld) => world.beat("parent", { parentSessionId: "child" })],
    ["is itself", (world: SupervisedWorld) => world.beat("child", { parentSessionId: "child" })],
    [
      "belongs to another agent than the registered one",
      (world: SupervisedWorld) =>
        world.beat("child", { parentSessionId: "parent", parentAgentId: "another" }),
    ],
  ])("is a session whose parent %s", async (why, happens) => {
    const world = await family();
    happens(world);
    const parents = why.includes("silent") ? [] : ["parent"];
    await live(world, 90, "child", ...parents);
    expect(world.get("child").orphanedAtMs).not.toBeNull();
    expect(world.severityOf("child")).not.toBe("INFO");
  });

  it("is none any more when it names a valid parent within the grace period", async () => {
    const world = await family();
    world.beat("parent", { ended: true });
    world.beat("other");
    await live(world, 20, "child", "other");
    expect(world.severityOf("child")).toBe("WARNING");
    world.beat("child", { parentSessionId: "other" });
    await world.time.advance(SECOND);
    expect(world.severityOf("child")).toBe("INFO");
    await live(world, 200, "child", "other");
    expect(world.severityOf("child")).toBe("INFO");
  });

  it("that is suspended needs a valid parent and an authentication", async () => {
    const world = await family();
    world.beat("parent", { ended: true });
    await live(world, 90, "child", "other");
    world.table.authenticate(nameOf("child"));
    await live(world, 30, "child", "other");
    expect(world.severityOf("child")).toBe("CRITICAL");
    world.beat("child", { parentSessionId: "other" });
    await world.time.advance(SECOND);
    expect(world.severityOf("child")).toBe("INFO");
  });

  it("is nobody where the detection is switched off", async () => {
    const world = await family();
    const { orphan_detection, ...rest } = world.settings;
    world.setSettings({ ...rest, orphan_detection: { ...orphan_detection, enabled: false } });
    world.beat("parent", { ended: true });
    await live(world, 200, "child");
    expect(world.severityOf("child")).toBe("INFO");
  });

  it("that ends and begins anew has time to find its parent again", async () => {
    const world = await family();
    world.killed.add("parent");
    await live(world, 20, "child", "parent");
    world.beat("child", { ended: true });
    world.beat("child", { parentSessionId: "parent" });
    world.killed.delete("parent");
    await world.time.advance(SECOND);
    expect(world.severityOf("child")).toBe("INFO");
    expect(world.get("child").orphanedAtMs).toBeNull();
  });
});
