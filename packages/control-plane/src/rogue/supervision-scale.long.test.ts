// alone: measures memory and times of 100,000 sessions
import { randomUUID } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import { describe, expect, it } from "vitest";
import { Watch } from "./watch.ts";

const SESSIONS = 100_000;

/** Bytes that one supervised session may take in the memory of a supervisor. */
const MAX_BYTES = 1_024;

/** As many heartbeats as 100,000 sessions send within one look, at an interval of 15 seconds. */
const BEATS = Math.ceil((SESSIONS * 0.25) / 15);

/** A session as the store makes one: no two share a text. */
function newSession(parent: string | null, lastHeartbeatMs: number): SupervisedSession {
  const session: SupervisedSession = {
    org: "acme",
    agentId: `agent-${randomUUID()}`,
    sessionId: `session-${randomUUID()}`,
    namespace: "payments-production",
    parentSessionId: parent,
    parentAgentId: null,
    version: 1,
    startedAtMs: 1,
    lastHeartbeatMs,
    severity: "INFO",
    severitySinceMs: 1,
    reason: "supervision began with a heartbeat",
    missedHeartbeats: 0,
    heard: true,
    reauthenticated: false,
    orphanedAtMs: null,
    endedAtMs: null,
    contained: "none",
  };
  return JSON.parse(JSON.stringify(session)) as SupervisedSession;
}

function newWatch(): Watch {
  return new Watch([], {
    stallMs: 60_000,
    settings: { of: () => DEFAULT_ROGUE_DETECTION, graceMs: () => 0, generation: 1 },
    risks: { sensitiveTool: () => null, takeChanged: () => [] },
    isKilled: () => false,
  });
}

function collectGarbage(): number {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
  return process.memoryUsage().heapUsed;
}

const msOf = (work: () => void): number => {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
};

function conclude(watch: Watch): void {
  for (const _ of watch.conclude()) continue;
}

/** Milliseconds of the longest piece of work between two stops. */
function longestPieceMs(watch: Watch): number {
  let longestMs = 0;
  let startedMs = performance.now();
  for (const _ of watch.conclude()) {
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    startedMs = performance.now();
  }
  return Math.max(longestMs, performance.now() - startedMs);
}

const tell = (watch: Watch, atMs: number): void => {
  watch.read({ storeMs: atMs, askedMs: atMs, answeredMs: atMs });
};

describe("100,000 supervised sessions", () => {
  it("take less than 1 KiB each, and a look costs what changed and what is due", () => {
    const before = collectGarbage();
    const watch = newWatch();
    tell(watch, 0);
    let parent: string | null = null;
    for (let each = 0; each < SESSIONS; each += 1) {
      const session: SupervisedSession = newSession(each % 2 === 0 ? null : parent, -(each % 15_000));
      parent = each % 2 === 0 ? session.sessionId : parent;
      watch.tell(session);
    }
    conclude(watch);
    const bytes = (collectGarbage() - before) / SESSIONS;
    expect(bytes).toBeLessThan(MAX_BYTES);

    const idleMs = msOf(() => conclude(watch));
    const beats = Array.from({ length: BEATS }, () => newSession(null, 0));
    for (const session of beats) watch.tell(session);
    conclude(watch);
    const busyMs = msOf(() => {
      tell(watch, 250);
      for (const session of beats) watch.tell({ ...session, version: 2, lastHeartbeatMs: 250 });
      conclude(watch);
    });
    for (let atMs = 5_000; atMs <= 60_000; atMs += 5_000) tell(watch, atMs);
    const allDueMs = longestPieceMs(watch);
    expect(watch.hasSteps).toBe(true);
    const figures = JSON.stringify({ bytes, idleMs, busyMs, allDueMs });
    if (process.env["SVC_TEST_FIGURES"] !== undefined) process.stdout.write(`${figures}\n`);
    expect(idleMs).toBeLessThan(50);
    expect(busyMs).toBeLessThan(250);
    expect(allDueMs).toBeLessThan(250);
  }, 120_000);
});
