import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { describe, expect, it } from "vitest";
import { testPorts } from "../testing/test-ports.ts";
import { BEATS_PER_WRITE, type Beat, COLLECT_MS, MAX_WAITING_BEATS } from "./heartbeat-receiver.ts";

function beatOf(changes: Partial<Beat> = {}): Beat {
  const name = { org: "acme", agentId: "a-1", sessionId: "s-1", namespace: DEFAULT_NAMESPACE };
  return { ...name, parentSessionId: null, parentAgentId: null, ended: false, ...changes };
}

/** Ports whose store counts its writes of heartbeats. */
function countedPorts() {
  const ports = testPorts();
  const writes: string[] = [];
  ports.database.before = async (call) => void writes.push(call);
  return { ports, writes };
}

describe("the receiver of heartbeats", () => {
  it("answers the first heartbeat of a session when it is stored, and the next ones at once", async () => {
    const { ports, writes } = countedPorts();
    const first = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    expect(await first).toMatchObject({ kind: "recorded", session: { severity: "INFO" } });
    expect(await ports.heartbeats.note(beatOf())).toEqual({ kind: "noted", reauthenticated: false });
    expect(writes).toEqual(["recordHeartbeats"]);
    await ports.time.advance(COLLECT_MS);
    expect(writes).toHaveLength(2);
  });

  it("writes all that came within its time together, each session once, dated when it came", async () => {
    const { ports, writes } = countedPorts();
    const known = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    await known;
    const cameAtMs = ports.time.now().getTime();
    for (let count = 0; count < 50; count += 1) await ports.heartbeats.note(beatOf());
    const other = ports.heartbeats.note(beatOf({ sessionId: "s-2" }));
    expect(ports.heartbeats.waiting).toBe(2);
    await ports.time.advance(COLLECT_MS);
    expect(await other).toMatchObject({ session: { lastHeartbeatMs: cameAtMs } });
    expect(writes).toHaveLength(2);
  });

  it("writes at most so many at once, so that calls are committed between two writes", async () => {
    const { ports, writes } = countedPorts();
    const many = Array.from({ length: BEATS_PER_WRITE + 1 }, (_, index) => `s-${String(index)}`);
    const all = Promise.all(many.map(async (sessionId) => ports.heartbeats.note(beatOf({ sessionId }))));
    await ports.time.advance(COLLECT_MS);
    expect((await all).filter(({ kind }) => kind === "recorded")).toHaveLength(many.length);
    expect(writes).toHaveLength(2);
  });

  it("keeps what could not be written, and says so to who waits for it", async () => {
    const { ports } = countedPorts();
    const known = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    await known;
    ports.database.before = () => Promise.reject(new Error("the disk is full"));
    const cameAtMs = ports.time.now().getTime();
    expect(await ports.heartbeats.note(beatOf())).toEqual({ kind: "noted", reauthenticated: false });
    const noted = ports.heartbeats.note(beatOf({ sessionId: "s-2" }));
    const [refused] = await Promise.allSettled([noted, ports.time.advance(COLLECT_MS)]);
    expect(refused).toMatchObject({ status: "rejected", reason: { message: "the disk is full" } });
    expect(ports.logged).toEqual([expect.stringContaining("they are kept")]);
    ports.database.before = async () => {};
    await ports.time.advance(COLLECT_MS);
    const name = { org: "acme", agentId: "a-1" };
    expect(await ports.supervision.session({ ...name, sessionId: "s-1" })).toMatchObject({
      lastHeartbeatMs: cameAtMs,
    });
    expect(await ports.supervision.session({ ...name, sessionId: "s-2" })).not.toBeNull();
  });

  it("answers no heartbeat before it is stored while the store fails", async () => {
    const { ports } = countedPorts();
    const first = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    await first;
    ports.database.before = () => Promise.reject(new Error("the database is gone"));
    expect(await ports.heartbeats.note(beatOf())).toMatchObject({ kind: "noted" });
    await ports.time.advance(COLLECT_MS);
    const refused = ports.heartbeats.note(beatOf()).catch((error: unknown) => error);
    await ports.time.advance(COLLECT_MS);
    expect(await refused).toBeInstanceOf(Error);
    ports.database.before = () => Promise.resolve();
    const stored = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    expect(await stored).toMatchObject({ kind: "recorded" });
    expect(await ports.heartbeats.note(beatOf())).toMatchObject({ kind: "noted" });
  });

  it("stores the end of a session before it answers, and the parent that any heartbeat named", async () => {
    const { ports } = countedPorts();
    const begun = ports.heartbeats.note(beatOf({ parentSessionId: "s-0" }));
    const again = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    expect(await begun).toMatchObject({ session: { parentSessionId: "s-0" } });
    expect(await again).toMatchObject({ session: { parentSessionId: "s-0" } });
    const ended = ports.heartbeats.note(beatOf({ ended: true }));
    await ports.time.advance(COLLECT_MS);
    expect(await ended).toMatchObject({ session: { endedAtMs: expect.any(Number) } });
    const anew = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    expect(await anew).toMatchObject({ kind: "recorded", session: { endedAtMs: null } });
  });

  it("stores another parent before it answers, and refuses no other beat with a refused parent", async () => {
    const { ports } = countedPorts();
    const first = ports.heartbeats.note(beatOf({ parentSessionId: "s-0" }));
    await ports.time.advance(COLLECT_MS);
    expect(await first).toMatchObject({ kind: "recorded" });
    const same = beatOf({ parentSessionId: "s-0" });
    expect(await ports.heartbeats.note(same)).toMatchObject({ kind: "noted" });
    const circular = ports.heartbeats.note(beatOf({ parentSessionId: "s-1" }));
    const valid = ports.heartbeats.note(beatOf({ parentSessionId: "s-2" }));
    await ports.time.advance(COLLECT_MS);
    expect(await circular).toEqual({ kind: "bad_parent", why: "circular" });
    expect(await valid).toMatchObject({ kind: "recorded", session: { parentSessionId: "s-2" } });
    expect(await ports.heartbeats.note(beatOf())).toMatchObject({ kind: "noted" });
  });

  it("keeps the order of beats that could not be written", async () => {
    const { ports } = countedPorts();
    ports.database.before = () => Promise.reject(new Error("the disk is full"));
    const refused = ports.heartbeats.note(beatOf({ parentSessionId: "s-0" })).catch(() => "refused");
    await ports.time.advance(COLLECT_MS);
    expect(await refused).toBe("refused");
    const ended = ports.heartbeats.note(beatOf({ ended: true })).catch(() => "refused");
    await ports.time.advance(COLLECT_MS);
    expect(await ended).toBe("refused");
    ports.database.before = async () => {};
    await ports.time.advance(COLLECT_MS);
    const name = { org: "acme", agentId: "a-1", sessionId: "s-1" };
    expect(await ports.supervision.session(name)).toMatchObject({ endedAtMs: expect.any(Number) });
  });

  it("answers from the store when it is asked to", async () => {
    const { ports } = countedPorts();
    const first = ports.heartbeats.note(beatOf());
    await ports.time.advance(COLLECT_MS);
    await first;
    const stored = ports.heartbeats.note(beatOf(), "stored");
    await ports.time.advance(COLLECT_MS);
    expect(await stored).toMatchObject({ kind: "recorded" });
  });

  it("says that it is busy when too many heartbeats wait, and nothing of a limit", async () => {
    const { ports } = countedPorts();
    ports.database.before = () => Promise.reject(new Error("the database is gone"));
    for (let count = 0; count < MAX_WAITING_BEATS; count += 1)
      void ports.heartbeats.note(beatOf({ sessionId: `s-${String(count)}` })).catch(() => undefined);
    expect(await ports.heartbeats.note(beatOf({ org: "other" }))).toEqual({ kind: "busy" });
  });

  it("writes what it has when it stops", async () => {
    const { ports } = countedPorts();
    const first = ports.heartbeats.note(beatOf());
    await ports.heartbeats.stop();
    expect(await first).toMatchObject({ kind: "recorded" });
  });
});
