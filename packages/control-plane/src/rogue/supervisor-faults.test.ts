import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import type { SessionName, SupervisionStore } from "@svc/store/ports/supervision-store";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomOf } from "./testing/agent-day.ts";
import { nameOf, SupervisedWorld } from "./testing/supervised-world.ts";

const SECOND = 1_000;
const INTERVAL = 15 * SECOND;

const SHORT = { interval_seconds: 1, warn_after_missed: 2, critical_after_missed: 3 };

const LADDER = ["INFO>INFO", "INFO>WARNING", "WARNING>CRITICAL", "CRITICAL>EMERGENCY"];

async function fallSilent(world: SupervisedWorld): Promise<void> {
  await world.time.advance(2 * INTERVAL);
  world.beat("s");
}

describe("a store that fails", () => {
  it("loses no step, and repeats what follows from one until it is stored", async () => {
    const world = new SupervisedWorld();
    world.start();
    await fallSilent(world);
    await world.time.advance(7 * INTERVAL);
    let failures = 6;
    world.beforeContainment = () => {
      failures -= 1;
      if (failures === 4) throw new Error("connection lost");
      return failures > 0 ? "again" : "done";
    };
    await world.time.advance(INTERVAL + SECOND);
    expect(world.severityOf("s")).toBe("EMERGENCY");
    expect(world.contained).toEqual(["suspend s"]);
    await world.time.advance(60 * SECOND);
    expect(world.contained).toEqual(["suspend s", "kill s"]);
    expect(failures).toBe(0);
  });

  it("leaves no approvals suspended that it suspended without saying so", async () => {
    const world = new SupervisedWorld();
    world.start();
    await fallSilent(world);
    world.beforeContainment = (what) => (what === "suspend" ? "again" : "done");
    await world.time.advance(4 * INTERVAL + SECOND);
    expect(world.severityOf("s")).toBe("CRITICAL");
    world.beat("s");
    world.table.authenticate(nameOf("s"));
    await world.time.advance(2 * SECOND);
    expect(world.severityOf("s")).toBe("INFO");
    expect(world.contained).toEqual(["resume s"]);
    expect(world.get("s").contained).toBe("none");
  });

  it("for longer than five seconds costs one interval, and none of it counts as silence", async () => {
    const world = new SupervisedWorld();
    world.start();
    await fallSilent(world);
    await world.time.advance(INTERVAL);
    world.table.before = () => Promise.reject(new Error("the database is gone"));
    await world.time.advance(100 * INTERVAL);
    world.table.before = () => undefined;
    await world.time.advance(INTERVAL - SECOND);
    expect(world.severityOf("s")).toBe("INFO");
    await world.time.advance(2 * SECOND);
    expect(world.stepsOf("s")).toEqual(["INFO>INFO", "INFO>WARNING"]);
    expect(world.logged).toContain("heartbeats are not supervised: the store did not answer");
  });

  it.each([
    { name: "answers nothing", lost: ["news", "saveWatchSpans", "changeSeverities"] },
    { name: "can be read alone", lost: ["saveWatchSpans", "changeSeverities"] },
  ])("and $name for four seconds invents no missed heartbeat of a short interval", async ({ lost }) => {
    const world = new SupervisedWorld();
    const heartbeat = { ...SHORT, emergency_after_missed: 5 };
    world.setSettings({ ...DEFAULT_ROGUE_DETECTION, heartbeat });
    world.start();
    for (let beats = 0; beats < 20; beats += 1) {
      world.beat("s");
      await world.time.advance(300);
    }
    world.table.before = (call) =>
      lost.includes(call) ? Promise.reject(new Error("the database is gone")) : undefined;
    await world.time.advance(4 * SECOND);
    world.table.before = () => undefined;
    // The receivers of heartbeats write theirs a little later than the supervisor reads.
    await world.time.advance(800);
    world.beat("s");
    await world.time.advance(SECOND);
    expect(world.stepsOf("s")).toEqual([]);
    await world.time.advance(6 * SECOND);
    expect(world.stepsOf("s")).toEqual(LADDER);
  });

  it("that cannot take the step of one session takes those of the others", async () => {
    const world = new SupervisedWorld();
    world.start();
    await world.time.advance(2 * INTERVAL);
    const sessions = Array.from({ length: 40 }, (_, each) => `s${String(each)}`);
    for (const session of sessions) world.beat(session);
    const change = world.table.changeSeverities.bind(world.table);
    world.table.changeSeverities = async (changes) => {
      if (changes.some(({ sessionId }) => sessionId === "s7")) throw new Error("this row is broken");
      return change(changes);
    };
    await world.time.advance(2 * INTERVAL + 60 * SECOND);
    const left = sessions.filter((session) => world.severityOf(session) === "INFO");
    expect(left).toEqual(["s7"]);
  });
});

describe("another leader", () => {
  it("goes on after one interval with the silence that was known, and does what is left", async () => {
    const world = new SupervisedWorld();
    const lead = { first: true };
    world.start(() => lead.first);
    world.start(() => !lead.first);
    await fallSilent(world);
    world.beforeContainment = () => "again";
    await world.time.advance(7 * INTERVAL);
    expect(world.severityOf("s")).toBe("CRITICAL");
    lead.first = false;
    world.beforeContainment = () => "done";
    await world.time.advance(SECOND);
    expect(world.contained).toEqual(["suspend s"]);
    await world.time.advance(INTERVAL - 2 * SECOND);
    expect(world.severityOf("s")).toBe("CRITICAL");
    await world.time.advance(3 * SECOND);
    expect(world.stepsOf("s")).toEqual(LADDER);
    expect(world.contained).toEqual(["suspend s", "kill s"]);
  });

  it("never takes a step beside the one before, although both believe to lead", async () => {
    const world = new SupervisedWorld();
    world.start();
    world.start();
    await fallSilent(world);
    await world.time.advance(9 * INTERVAL);
    expect(world.stepsOf("s")).toEqual(LADDER);
  });

  it("that was paused for minutes writes nothing of what it had concluded before", async () => {
    const world = new SupervisedWorld();
    world.start();
    await fallSilent(world);
    const held = Promise.withResolvers<void>();
    world.table.before = (call) => (call === "changeSeverities" ? held.promise : undefined);
    await world.time.advance(2 * INTERVAL + SECOND);
    world.beat("s");
    world.table.before = () => undefined;
    held.resolve();
    await world.time.advance(2 * SECOND);
    expect(world.stepsOf("s")).toEqual([]);
  });
});

const FAULTY: readonly (keyof SupervisionStore)[] = [
  "changeSeverities",
  "noteContainment",
  "news",
  "watched",
  "watchSpans",
  "saveWatchSpans",
];

/** Loses questions and answers of the store, and lets any supervisor believe to lead at any time. */
function disturb(world: SupervisedWorld, random: () => number): void {
  const loses = (call: keyof SupervisionStore): void => {
    if (FAULTY.includes(call) && random() < 0.2) throw new Error("connection lost");
  };
  world.table.before = loses;
  world.table.after = loses;
  world.beforeContainment = () => {
    if (random() < 0.3) throw new Error("connection lost");
    return random() < 0.3 ? "again" : "done";
  };
}

describe("under any faults, with two supervisors that both may believe to lead", () => {
  it("each session takes the steps of the ladder, and in the end is where it belongs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = randomOf(seed);
        const world = new SupervisedWorld();
        const lead = { flutters: true };
        const supervisors = [0, 1].map(() => world.start(() => !lead.flutters || random() < 0.97));
        disturb(world, random);
        const sessions = ["a", "b", "c", "d"];
        for (let round = 0; round < 40; round += 1) {
          for (const session of sessions) act(world, nameOf(session), random);
          await world.time.advance(random() * 10 * SECOND);
        }
        lead.flutters = false;
        world.table.before = () => undefined;
        world.table.after = () => undefined;
        world.beforeContainment = () => "done";
        await world.time.advance(20 * INTERVAL);
        for (const session of sessions) expectLadder(world, session);
        await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
      }),
      { numRuns: runs(20, 200) },
    );
  });
});

function act(world: SupervisedWorld, name: SessionName, random: () => number): void {
  if (random() < 0.15) world.beat(name.sessionId);
  if (random() < 0.05) world.table.authenticate(name);
}

function expectLadder(world: SupervisedWorld, session: string): void {
  const allowed = [...LADDER, "WARNING>INFO", "CRITICAL>INFO"];
  const steps = world.stepsOf(session);
  for (const step of steps) expect(allowed).toContain(step);
  for (const [index, step] of steps.entries()) {
    const [before] = step.split(">");
    expect((steps[index - 1] ?? "INFO>INFO").split(">")[1]).toBe(before);
  }
  if (world.table.get(nameOf(session)) === null) return;
  expect(world.get(session)).toMatchObject({ severity: "EMERGENCY", contained: "terminated" });
}
