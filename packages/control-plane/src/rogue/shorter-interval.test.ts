import { DEFAULT_ROGUE_DETECTION, type RogueDetectionSettings } from "@svc/contract/rogue-detection";
import { expect, it } from "vitest";
import { LiveSettings } from "./live-settings.ts";
import { SupervisedWorld } from "./testing/supervised-world.ts";

const SECOND = 1_000;

function every(interval_seconds: number): RogueDetectionSettings {
  const { heartbeat, ...rest } = DEFAULT_ROGUE_DETECTION;
  return { ...rest, heartbeat: { ...heartbeat, interval_seconds } };
}

/** A namespace whose interval is 60 seconds, and a supervisor that has watched for some time. */
async function slow() {
  const world = new SupervisedWorld();
  const stored = { settings: every(60) };
  const read = async () => [{ org: "acme", namespace: "default", settings: JSON.stringify(stored.settings) }];
  const { time } = world;
  const log = { error: () => undefined };
  const live = new LiveSettings({
    namespaces: { everyRogueDetection: read },
    clock: time,
    timers: time,
    log,
  });
  await live.start();
  world.liveSettings = live;
  const lead = { isHeld: true };
  world.start(() => lead.isHeld);
  await time.advance(120 * SECOND);
  world.beat("s-1");
  await time.advance(30 * SECOND);
  return { world, stored, live, lead };
}

// proves ROGUE-20
it("a shorter interval raises nobody who is heard by the old one, and then by the new one", async () => {
  const { world, stored } = await slow();
  stored.settings = every(1);
  await world.time.advance(30 * SECOND);
  world.beat("s-1");
  for (let seconds = 0; seconds < 90; seconds += 1) {
    await world.time.advance(SECOND);
    world.beat("s-1");
  }
  expect(world.stepsOf("s-1")).toEqual([]);
  await world.time.advance(10 * SECOND);
  expect(world.severityOf("s-1")).toBe("EMERGENCY");
});

it("an agent that was told the shorter interval has no grace", async () => {
  const { world, stored, live } = await slow();
  stored.settings = every(1);
  await world.time.advance(2 * SECOND);
  world.beat("s-1");
  expect(live.graceMs("acme", "default", 30 * SECOND)).toBeGreaterThan(50 * SECOND);
  expect(live.graceMs("acme", "default", 0)).toBe(0);
  await world.time.advance(10 * SECOND);
  expect(world.severityOf("s-1")).toBe("EMERGENCY");
});

it("an agent that stays silent is raised after one old interval", async () => {
  const { world, stored, live } = await slow();
  stored.settings = every(1);
  await world.time.advance(60 * SECOND);
  expect(world.stepsOf("s-1")).toEqual([]);
  await world.time.advance(5 * SECOND);
  expect(world.severityOf("s-1")).toBe("EMERGENCY");
  expect(live.graceMs("acme", "default", 30 * SECOND)).toBe(0);
});

it("an agent that was never told the longer interval has no grace when it is taken back", async () => {
  const { world, stored, live } = await slow();
  stored.settings = every(3_600);
  await world.time.advance(3 * SECOND);
  stored.settings = every(1);
  await world.time.advance(2 * SECOND);
  expect(live.graceMs("acme", "default", 1_500)).toBeGreaterThan(3_500 * SECOND);
  expect(live.graceMs("acme", "default", 35 * SECOND)).toBeLessThanOrEqual(60 * SECOND);
  await world.time.advance(65 * SECOND);
  expect(world.severityOf("s-1")).toBe("EMERGENCY");
});

it("changes again and again keep no silent agent from being raised", async () => {
  const { world, stored } = await slow();
  for (let change = 0; change < 30; change += 1) {
    stored.settings = every(change % 2 === 0 ? 2 : 3);
    await world.time.advance(3 * SECOND);
  }
  expect(world.severityOf("s-1")).toBe("EMERGENCY");
});

it("a longer interval and a first read give no grace", async () => {
  const { world, stored, live } = await slow();
  expect(live.graceMs("acme", "default", 30 * SECOND)).toBe(0);
  stored.settings = every(90);
  await world.time.advance(4 * SECOND);
  expect(live.graceMs("acme", "default", 30 * SECOND)).toBe(0);
});

it("a change of the leader takes no grace away, though nobody watched when the agent was told", async () => {
  const { world, stored, live, lead } = await slow();
  lead.isHeld = false;
  world.beat("s-1");
  await world.time.advance(2 * SECOND);
  stored.settings = every(1);
  await world.time.advance(8 * SECOND);
  world.start();
  await world.time.advance(48 * SECOND);
  expect(world.stepsOf("s-1")).toEqual([]);
  world.beat("s-1");
  await world.time.advance(10 * SECOND);
  expect(world.severityOf("s-1")).toBe("EMERGENCY");
  expect(live.graceMs("acme", "default", 10 * SECOND)).toBe(0);
});
