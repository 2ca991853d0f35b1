import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { SEVERITIES } from "@svc/contract/severity";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameOf, SupervisedWorld } from "./testing/supervised-world.ts";

const SECOND = 1_000;
const INTERVAL = 15 * SECOND;

const defaults = DEFAULT_ROGUE_DETECTION;

/** Past the interval in which nothing rises after the start. */
async function watched(...sessions: readonly string[]): Promise<SupervisedWorld> {
  const world = new SupervisedWorld();
  world.start();
  await world.time.advance(2 * INTERVAL);
  for (const session of sessions) world.beat(session);
  return world;
}

describe("silence", () => {
  it("climbs the ladder one step at a time, and EMERGENCY activates the kill switch once", async () => {
    const world = await watched("s");
    await world.time.advance(INTERVAL + SECOND);
    expect(world.stepsOf("s")).toEqual(["INFO>INFO"]);
    await world.time.advance(INTERVAL);
    expect(world.severityOf("s")).toBe("WARNING");
    expect(world.contained).toEqual([]);
    await world.time.advance(2 * INTERVAL);
    expect(world.severityOf("s")).toBe("CRITICAL");
    expect(world.contained).toEqual(["suspend s"]);
    await world.time.advance(4 * INTERVAL);
    expect(world.stepsOf("s")).toEqual([
      "INFO>INFO",
      "INFO>WARNING",
      "WARNING>CRITICAL",
      "CRITICAL>EMERGENCY",
    ]);
    await world.time.advance(100 * INTERVAL);
    expect(world.contained).toEqual(["suspend s", "kill s"]);
    expect(world.get("s").contained).toBe("terminated");
  });

  it("ends in EMERGENCY after interval x emergency_after_missed, within one second", async () => {
    const anySettings = fc.record({
      interval_seconds: fc.integer({ min: 1, max: 60 }),
      warn: fc.integer({ min: 1, max: 4 }),
      critical: fc.integer({ min: 1, max: 4 }),
      emergency: fc.integer({ min: 1, max: 4 }),
      phaseMs: fc.nat(999),
    });
    await fc.assert(
      fc.asyncProperty(anySettings, async ({ interval_seconds, warn, critical, emergency, phaseMs }) => {
        const world = new SupervisedWorld();
        const heartbeat = {
          interval_seconds,
          warn_after_missed: warn,
          critical_after_missed: warn + critical,
          emergency_after_missed: warn + critical + emergency,
        };
        world.setSettings({ ...defaults, heartbeat });
        const supervisor = world.start();
        await world.time.advance(2 * interval_seconds * SECOND + phaseMs);
        world.beat("s");
        for (const severity of SEVERITIES.slice(1)) {
          const { warn_after_missed, critical_after_missed, emergency_after_missed } = heartbeat;
          const missed = { WARNING: warn_after_missed, CRITICAL: critical_after_missed }[severity as string];
          const dueMs = (missed ?? emergency_after_missed) * interval_seconds * SECOND;
          const leftMs = world.get("s").lastHeartbeatMs + dueMs - world.time.now().getTime();
          await world.time.advance(leftMs - 1);
          expect(world.severityOf("s")).not.toBe(severity);
          await world.time.advance(SECOND);
          expect(world.severityOf("s")).toBe(severity);
        }
        await supervisor.stop();
      }),
      { numRuns: runs(40, 400) },
    );
  });

  it("of an agent with a call to a sensitive tool ends after half of it", async () => {
    const world = await watched("s");
    await world.time.advance(3 * INTERVAL + SECOND);
    expect(world.severityOf("s")).toBe("WARNING");
    world.setSensitive("s");
    await world.time.advance(SECOND);
    expect(world.severityOf("s")).toBe("CRITICAL");
    expect(world.get("s").reason).toBe(
      "3 heartbeats were missed under halved thresholds: " +
        "a call of the sensitive tool payments.wire has no outcome",
    );
    await world.time.advance(INTERVAL);
    expect(world.severityOf("s")).toBe("EMERGENCY");
  });

  it("is judged by new settings at once", async () => {
    const world = await watched("s");
    world.setSettings({ ...defaults, heartbeat: { ...defaults.heartbeat, interval_seconds: 3_600 } });
    await world.time.advance(10 * INTERVAL);
    expect(world.severityOf("s")).toBe("INFO");
    world.setSettings(defaults);
    await world.time.advance(SECOND);
    expect(world.stepsOf("s")).toEqual(["INFO>WARNING", "WARNING>CRITICAL", "CRITICAL>EMERGENCY"]);
  });

  it("is judged by the settings of the namespace that its agent was moved to", async () => {
    const world = await watched();
    const slow = { ...defaults, heartbeat: { ...defaults.heartbeat, interval_seconds: 3_600 } };
    world.settingsOf.set("slow", slow);
    world.beat("s", { namespace: "slow" });
    world.beat("t");
    await world.time.advance(SECOND);
    world.beat("s");
    world.beat("t", { namespace: "slow" });
    await world.time.advance(2 * INTERVAL + SECOND);
    expect([world.severityOf("s"), world.severityOf("t")]).toEqual(["WARNING", "INFO"]);
  });
});

describe("recovery", () => {
  it("from WARNING takes a heartbeat", async () => {
    const world = await watched("s");
    await world.time.advance(2 * INTERVAL + SECOND);
    world.beat("s");
    await world.time.advance(SECOND);
    expect(world.severityOf("s")).toBe("INFO");
  });

  it("from CRITICAL takes an authentication too, and the approvals are resumed", async () => {
    const world = await watched("s");
    await world.time.advance(4 * INTERVAL + SECOND);
    world.beat("s");
    await world.time.advance(SECOND);
    expect(world.severityOf("s")).toBe("CRITICAL");
    world.table.authenticate(nameOf("s"));
    await world.time.advance(SECOND);
    expect(world.severityOf("s")).toBe("INFO");
    expect(world.contained).toEqual(["suspend s", "resume s"]);
  });

  it("from EMERGENCY is impossible for the agent", async () => {
    const world = await watched("s");
    await world.time.advance(8 * INTERVAL + SECOND);
    world.beat("s");
    world.table.authenticate(nameOf("s"));
    world.beat("s", { ended: true });
    await world.time.advance(10 * INTERVAL);
    expect(world.severityOf("s")).toBe("EMERGENCY");
    world.table.end(nameOf("s"));
    await world.time.advance(SECOND);
    world.beat("s");
    await world.time.advance(SECOND);
    expect(world.severityOf("s")).toBe("INFO");
    expect(world.contained).toEqual(["suspend s", "kill s", "resume s"]);
  });

  it("resumes approvals only when no other session of the agent is suspended", async () => {
    const world = await watched("s");
    world.beat("t", { agentId: nameOf("s").agentId });
    await world.time.advance(4 * INTERVAL + SECOND);
    expect(world.contained).toEqual(["suspend s", "suspend t"]);
    world.table.authenticate(nameOf("s"));
    await world.time.advance(SECOND);
    expect(world.severityOf("s")).toBe("INFO");
    world.table.authenticate({ ...nameOf("s"), sessionId: "t" });
    await world.time.advance(SECOND);
    expect(world.contained).toEqual(["suspend s", "suspend t", "resume t"]);
  });

  it("is not needed for a session that ended in good order", async () => {
    const world = await watched("s");
    await world.time.advance(2 * INTERVAL + SECOND);
    world.beat("s", { ended: true });
    await world.time.advance(100 * INTERVAL);
    expect(world.stepsOf("s")).toEqual(["INFO>INFO", "INFO>WARNING", "WARNING>INFO"]);
  });
});
