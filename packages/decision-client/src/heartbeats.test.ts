import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "@svc/text/json-value";
import { beforeEach, describe, expect, it } from "vitest";
import type { GatewayRequest } from "./gateway-exchange.ts";
import { createHeartbeats, type Heartbeats, IDLE_SESSION_MS, MAX_CARRIED_SESSIONS } from "./heartbeats.ts";

/** Time that a test moves. */
class Time {
  nowMs = 0;
  #armed: { atMs: number; run: () => void }[] = [];

  after(delayMs: number, run: () => void): () => void {
    const one = { atMs: this.nowMs + delayMs, run };
    this.#armed.push(one);
    return () => {
      this.#armed = this.#armed.filter((other) => other !== one);
    };
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await nextTurn();
      const [next] = this.#armed.toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.#armed = this.#armed.filter((other) => other !== next);
      next.run();
    }
    this.nowMs = untilMs;
  }
}

let time: Time;
let sent: { atMs: number; path: string; body: JsonObject }[];
let faults: unknown[];
let answer: (request: GatewayRequest) => Promise<JsonObject>;
let heartbeats: Heartbeats;

beforeEach(() => {
  time = new Time();
  sent = [];
  faults = [];
  answer = () => Promise.resolve({ interval_seconds: 20 });
  heartbeats = createHeartbeats({
    gateway: {
      send: (request) => {
        sent.push({
          atMs: time.nowMs,
          path: request.path,
          body: JSON.parse(request.body ?? "") as JsonObject,
        });
        return answer(request);
      },
    },
    timers: time,
    monotonicMs: () => time.nowMs,
    onFault: (error) => faults.push(error),
  });
});

const judged = (session: string | null, decision: "allow" | "deny" | "pause" = "allow", agent = "a") =>
  heartbeats.judged({ agent_id: agent, session_id: session }, { decision });

describe("heartbeats of an adapter", () => {
  // proves HELD-10
  it("are sent for sessions with an allowed call, within the interval that the answer names", async () => {
    judged("s-1", "deny");
    judged(null);
    await time.pass(60_000);
    expect(sent).toEqual([]);
    judged("s-1");
    judged("s-1");
    await time.pass(46_000);
    expect(sent.map(({ atMs }) => atMs - 60_000)).toEqual([0, 15_000, 30_000, 45_000]);
    expect(sent[0]).toMatchObject({ path: "/api/v1/agents/a/heartbeat", body: { session_id: "s-1" } });
    expect(sent[0]?.body).not.toHaveProperty("ended");
  });

  it("name an agent in the path as one segment", async () => {
    judged("s", "allow", "team/a b");
    await time.pass(1);
    expect(sent[0]?.path).toBe("/api/v1/agents/team%2Fa%20b/heartbeat");
  });

  // proves HELD-11
  it("end with the session, and without a call for ten minutes; a later call begins them again", async () => {
    judged("s-1");
    await time.pass(1_000);
    heartbeats.ended({ agentId: "a", sessionId: "s-1" });
    heartbeats.ended({ agentId: "a", sessionId: "unknown" });
    await time.pass(60_000);
    expect(sent.map(({ body }) => body["ended"] ?? false)).toEqual([false, true]);
    judged("s-1");
    await time.pass(IDLE_SESSION_MS - 20_000);
    judged("s-1", "pause");
    sent.length = 0;
    await time.pass(IDLE_SESSION_MS + 20_000);
    expect(sent.filter(({ body }) => body["ended"] === true)).toHaveLength(1);
    expect(sent.at(-1)?.body["ended"]).toBe(true);
  });

  // proves HELD-12
  it("turn no fault into anything but a line of the log, and go on afterwards", async () => {
    answer = () => Promise.reject(new Error("gone"));
    judged("s-1");
    judged("s-2");
    await time.pass(30_000);
    expect(faults.length).toBe(sent.length);
    expect(sent.length).toBeLessThanOrEqual(30);
    answer = () => Promise.resolve({});
    sent.length = 0;
    await time.pass(15_000);
    expect(new Set(sent.map(({ body }) => body["session_id"]))).toEqual(new Set(["s-1", "s-2"]));
    await heartbeats.close();
    expect(sent.at(-1)?.body["ended"]).toBe(true);
    judged("s-3");
    await time.pass(60_000);
    expect(sent.at(-1)?.body["session_id"]).not.toBe("s-3");
  });

  it("have one request in flight and a bound of sessions", async () => {
    let inFlight = 0;
    let most = 0;
    answer = async () => {
      most = Math.max(most, (inFlight += 1));
      await nextTurn();
      inFlight -= 1;
      return { interval_seconds: 3_600 };
    };
    for (let n = 0; n <= MAX_CARRIED_SESSIONS; n += 1) judged(`s-${String(n)}`);
    expect(faults).toHaveLength(1);
    for (let n = 0; n < 40; n += 1) {
      await nextTurn();
      await time.pass(500);
    }
    expect(most).toBe(1);
    expect(sent).toHaveLength(MAX_CARRIED_SESSIONS);
  });
});
