import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { OwnAnswer, ProcessReport } from "@svc/store/ports/cluster";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Membership } from "./membership.ts";

const FACTS = { host: "host", version: "1", role: "gateway", startedAt: "2026-01-01T00:00:00.000Z" } as const;

/** A database that takes signs of life until it is told to fail, and remembers what was said. */
function stage() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const startMs = Date.now();
  const clock: MonotonicClock & WallClock = { nowMs: () => Date.now() - startMs, now: () => new Date() };
  const said = {
    joins: 0,
    left: 0,
    acknowledged: [] as number[],
    answers: [] as string[],
    reports: [] as ProcessReport[],
  };
  const faults = { isAway: false, isForgotten: false };
  const inReach = (): Promise<void> =>
    faults.isAway ? Promise.reject(new Error("away")) : Promise.resolve();
  const cluster = {
    join: async () => {
      await inReach();
      said.joins += 1;
      faults.isForgotten = false;
    },
    beat: async (report: ProcessReport) => {
      await inReach();
      said.reports.push(report);
      return !faults.isForgotten;
    },
    acknowledge: async (applied: number, answers: readonly OwnAnswer[]) => {
      await inReach();
      said.acknowledged.push(applied);
      said.answers.push(...answers.map(({ text }) => `${String(applied)}: ${text}`));
    },
    leave: async () => {
      await inReach();
      said.left += 1;
    },
  };
  const lines: string[] = [];
  const say = (_: object, text: string): void => void lines.push(text);
  const log = { error: say, warn: say, info: say };
  const membership = new Membership({ cluster, facts: FACTS, clock, log, decisions: { perSecond: 7 } });
  onTestFinished(() => membership.close());
  const follower = { expire: vi.fn<() => void>(), startOver: vi.fn<() => void>() };
  const followed = { appliedRevision: 0 as number | null, ageMs: 20 };
  return { membership, said, faults, follower, followed, lines };
}

async function joined() {
  const made = stage();
  await made.membership.join();
  made.membership.track({ follower: made.follower, followed: [made.followed] });
  return made;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("the membership of a process", () => {
  it("is current only after it has joined, and ends when it leaves", async () => {
    const { membership, said } = stage();
    expect(membership.isCurrent).toBe(false);
    await membership.join();
    expect(membership.isCurrent).toBe(true);
    await pass(60_000);
    expect(membership.isCurrent).toBe(true);
    await membership.close();
    expect(membership.isCurrent).toBe(false);
    expect(said).toMatchObject({ joins: 1, left: 1 });
  });

  it("S7: ends five seconds after the last sign of life, with what was read before", async () => {
    const { membership, faults, follower, lines } = await joined();
    faults.isAway = true;
    await pass(4_900);
    expect(membership.isCurrent).toBe(true);
    await pass(600);
    expect(membership.isCurrent).toBe(false);
    expect(lines).toHaveLength(1);
    faults.isAway = false;
    await pass(500);
    expect(membership.isCurrent).toBe(true);
    expect(follower.expire).toHaveBeenCalledOnce();
    expect(lines).toHaveLength(2);
  });

  it("survives a short fault without a pause", async () => {
    const { membership, faults, follower } = await joined();
    faults.isAway = true;
    await pass(3_000);
    faults.isAway = false;
    await pass(500);
    expect(membership.isCurrent).toBe(true);
    expect(follower.expire).not.toHaveBeenCalled();
  });

  it("is made anew when the database has forgotten it", async () => {
    const { membership, faults, follower, said } = await joined();
    faults.isForgotten = true;
    await pass(500);
    expect(membership.isCurrent).toBe(true);
    expect(follower.startOver).toHaveBeenCalledOnce();
    expect(said.joins).toBe(2);
  });

  it("answers with the acknowledgement, and leaves out an answer whose statement failed", async () => {
    const { membership, follower, followed, said, faults } = await joined();
    const answersUpTo = (revision: number): OwnAnswer[] => [
      { questionId: "q", text: `up to ${String(revision)}` },
    ];
    followed.appliedRevision = 3;
    membership.track({ follower, followed: [followed], answersUpTo });
    await pass(0);
    faults.isAway = true;
    followed.appliedRevision = 4;
    membership.noteRead();
    await pass(0);
    faults.isAway = false;
    followed.appliedRevision = 5;
    membership.noteRead();
    await pass(0);
    expect(said.answers).toEqual(["3: up to 3", "5: up to 5"]);
  });

  it("acknowledges the least revision of its parts, and 0 while a part lacks a snapshot", async () => {
    const { membership, followed, said, faults } = await joined();
    followed.appliedRevision = 3;
    membership.noteRead();
    membership.noteRead();
    await pass(0);
    followed.appliedRevision = 5;
    membership.noteRead();
    followed.appliedRevision = 6;
    membership.noteRead();
    await pass(0);
    expect(said.acknowledged).toEqual([3, 5, 6]);
    followed.appliedRevision = null;
    membership.noteRead();
    await pass(0);
    expect(said.acknowledged).toEqual([3, 5, 6, 0]);
    followed.appliedRevision = 8;
    faults.isAway = true;
    membership.noteRead();
    await pass(0);
    faults.isAway = false;
    await pass(500);
    expect(said.reports.at(-1)).toEqual({ applied: 8, controlAgeMs: 20, decisionsPerSecond: 7 });
  });
});
