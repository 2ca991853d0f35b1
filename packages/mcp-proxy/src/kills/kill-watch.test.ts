import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ActiveSwitch } from "./kill-scopes.ts";
import { type KillWatch, startKillWatch } from "./kill-watch.ts";
import { type RunningCall, RunningCalls } from "./running-calls.ts";
import { createSwitchFeed, type SwitchChange, type SwitchFeed, type SwitchNews } from "./switch-feed.ts";

const SCOPE = { agentId: "agent-1", namespace: "ns-1", sessionId: "s-1", tool: null };
const AGENT_SWITCH: ActiveSwitch = { id: "ks_1", scope: "agent", target: "agent-1", accountWide: false };

/** A gateway with a list of changes, the first of which has revision 1. */
class FakeFeed {
  readonly asked: (number | null)[] = [];
  changes: SwitchChange[] = [];
  /** Names the history that the revisions count. */
  epoch = "one";
  /** Changes up to here are forgotten. */
  floor = 0;
  /** Null: the gateway does not tell them. */
  ended: readonly ActiveSwitch[] | null = [];
  fault: Error | null = null;
  /** Of the questions that wait. */
  readonly #waiting: (() => void)[] = [];

  put(...changes: SwitchChange[]): void {
    this.changes.push(...changes);
    this.wake();
  }

  wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #news(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  readonly switchNews = async (after: number | null): Promise<SwitchNews> => {
    this.asked.push(after);
    if (after === this.changes.length && this.fault === null) await this.#news();
    if (this.fault !== null) throw this.fault;
    const { epoch } = this;
    const revision = this.changes.length;
    if (after !== null && after >= this.floor)
      return { epoch, revision, isComplete: false, changes: this.changes.slice(after), ended: null };
    const active = new Map<string, SwitchChange>();
    for (const change of this.changes)
      if (change.isActive) active.set(change.killSwitch.id, change);
      else active.delete(change.killSwitch.id);
    return { epoch, revision, isComplete: true, changes: [...active.values()], ended: this.ended };
  };
}

interface Watched {
  readonly watch: KillWatch;
  readonly feed: FakeFeed;
  readonly running: RunningCalls;
  readonly outages: unknown[];
  nowMs: number;
}

function watchOfTest(feed = new FakeFeed()): Watched {
  const monotonicMs = (): number => watched.nowMs;
  const running = new RunningCalls({ monotonicMs, onKilled: () => {} });
  const outages: unknown[] = [];
  const watched = { feed, running, outages, nowMs: 0 };
  const watch = startKillWatch({
    feed,
    running,
    monotonicMs,
    outage: {
      failed: (error) => outages.push(error),
      lasts: () => outages.push("late"),
      ended: (calls) => outages.push(calls),
      over: () => outages.push("over"),
    },
  });
  onTestFinished(async () => {
    feed.wake();
    await watch.close();
  });
  return Object.assign(watched, { watch });
}

const begun = (killSwitch: ActiveSwitch): SwitchChange => ({ isActive: true, killSwitch });
const ended = (killSwitch: ActiveSwitch): SwitchChange => ({ isActive: false, killSwitch });

describe("startKillWatch", () => {
  // proves MCP-21
  it("M17: a new switch stops running calls at once, and is known until it ends", async () => {
    const { watch, feed, running } = watchOfTest();
    const call = running.start({ scope: SCOPE });
    await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    feed.put(begun(AGENT_SWITCH));
    await expect.poll(() => call.signal.aborted, { interval: 5 }).toBe(true);
    expect(call.stopped()).toMatchObject({ reason_code: "kill_switch", kill_switch_id: "ks_1" });
    expect(watch.stateOf(SCOPE)).toEqual({ kind: "killed", killSwitchId: "ks_1" });
    feed.put(ended(AGENT_SWITCH));
    await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
  });

  // proves MCP-26
  it("reads all switches again when the revisions are those of another history", async () => {
    const { watch, feed, running } = watchOfTest();
    feed.put(begun({ ...AGENT_SWITCH, id: "ks_0", target: "agent-0" }));
    await expect.poll(() => feed.asked.at(-1)).toBe(1);
    const call = running.start({ scope: SCOPE });
    // A backup was restored: what stands at revision 1 is another switch than the one that is known.
    feed.epoch = "two";
    feed.changes = [begun(AGENT_SWITCH)];
    feed.put(begun({ ...AGENT_SWITCH, id: "ks_2", target: "agent-2" }));
    await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "killed", killSwitchId: "ks_1" });
    expect(call.signal.aborted).toBe(true);
    expect(watch.stateOf({ ...SCOPE, agentId: "agent-0" })).toEqual({ kind: "clear" });
    await expect.poll(() => feed.asked.slice(-2)).toEqual([null, 2]);
  });

  it("asks only for changes after the first list", async () => {
    const { watch, feed } = watchOfTest();
    feed.put(begun({ ...AGENT_SWITCH, id: "ks_0", target: "agent-0" }));
    await expect.poll(() => feed.asked.at(-1)).toBe(1);
    feed.put(begun(AGENT_SWITCH));
    await expect.poll(() => watch.stateOf(SCOPE).kind).toBe("killed");
    expect(feed.asked.filter((after) => after === null)).toHaveLength(1);
  });

  it("M17: a switch that began and ended between two answers stops running calls", async () => {
    const { watch, feed, running } = watchOfTest();
    const call = running.start({ scope: SCOPE });
    const other = running.start({ scope: { ...SCOPE, agentId: "agent-2" } });
    await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    feed.put(begun(AGENT_SWITCH), ended(AGENT_SWITCH));
    await expect.poll(() => call.signal.aborted).toBe(true);
    expect([watch.stateOf(SCOPE), other.signal.aborted]).toEqual([{ kind: "clear" }, false]);
    const later = running.start({ scope: SCOPE });
    feed.put(begun({ ...AGENT_SWITCH, id: "ks_9", target: "agent-9" }));
    await expect.poll(() => feed.asked.at(-1)).toBe(3);
    expect(later.signal.aborted).toBe(false);
  });

  // proves MCP-28
  it("M17: switches that began and ended in a gap stop running calls; older ones do not", async () => {
    const feed = new FakeFeed();
    const old = { ...AGENT_SWITCH, id: "ks_old", target: "agent-2" };
    feed.ended = [old];
    const { mine, theirs } = await inGap(feed, () => {
      // A record that comes into the page from below is not new.
      feed.ended = [AGENT_SWITCH, old, { ...old, id: "ks_older" }];
    });
    await expect.poll(() => mine.signal.aborted, { timeout: 5_000 }).toBe(true);
    expect(theirs.signal.aborted).toBe(false);
  });

  // proves MCP-28
  it.each<[string, readonly ActiveSwitch[] | null]>([
    [
      "has more than it tells",
      Array.from({ length: 50 }, (_, at) => ({ ...AGENT_SWITCH, id: `k${String(at)}` })),
    ],
    ["tells none", null],
  ])("M17: a gap in which the gateway %s stops every running call", async (_, told) => {
    const feed = new FakeFeed();
    const { mine, theirs } = await inGap(feed, () => {
      feed.ended = told;
    });
    await expect.poll(() => mine.signal.aborted, { timeout: 5_000 }).toBe(true);
    expect(theirs.stopped()).toMatchObject({ reason_code: "control_state_unverified", fail_closed: true });
  });

  it("M17: a switch that a verdict names is asked for at once, and only once", async () => {
    const { watch, feed, running } = watchOfTest();
    const call = running.start({ scope: SCOPE });
    await expect.poll(() => feed.asked).toEqual([null, 0]);
    // This gateway was not woken by it: another one judged the call.
    feed.changes = [begun(AGENT_SWITCH)];
    watch.lookFor("ks_1");
    await expect.poll(() => call.signal.aborted, { timeout: 10_000 }).toBe(true);
    await expect.poll(() => feed.asked).toEqual([null, 0, 0, 1]);
    for (let count = 0; count < 100; count += 1) watch.lookFor("ks_1");
    await new Promise(setImmediate);
    expect(feed.asked).toHaveLength(4);
  });

  // proves MCP-27
  it("without news running calls end after the lease, and nothing can be resumed", async () => {
    const watched = watchOfTest();
    const { watch, feed, running } = watched;
    const call = running.start({ scope: SCOPE });
    await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    feed.fault = new Error("down");
    feed.wake();
    await expect.poll(() => watched.outages).toContainEqual(new Error("down"));
    watched.nowMs += 1_400;
    const later = running.start({ scope: SCOPE });
    watched.nowMs += 200;
    expect(watch.stateOf(SCOPE)).toEqual({ kind: "unverified" });
    await expect.poll(() => call.signal.aborted).toBe(true);
    expect(call.stopped()).toMatchObject({ reason_code: "control_state_unverified", fail_closed: true });
    // This one was judged 200 ms ago.
    expect(later.signal.aborted).toBe(false);
    watched.nowMs += 1_400;
    await expect.poll(() => later.signal.aborted).toBe(true);
    expect(watched.outages).toEqual(expect.arrayContaining(["late", 1]));
    feed.fault = null;
    feed.put(begun({ ...AGENT_SWITCH, id: "ks_9", target: "agent-9" }));
    await expect.poll(() => watch.stateOf(SCOPE), { timeout: 5_000 }).toEqual({ kind: "clear" });
    expect(watched.outages.at(-1)).toBe("over");
  });

  // proves MCP-27
  it("a gateway that takes the question and stays silent is an outage, too", async () => {
    const watched = watchOfTest();
    const { watch, running } = watched;
    const call = running.start({ scope: SCOPE });
    await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    watched.nowMs += 1_501;
    await expect.poll(() => call.signal.aborted).toBe(true);
  });

  // proves MCP-28
  it("a call that an outage ended can still be found by a switch that was missed", async () => {
    const watched = watchOfTest();
    const { watch, feed, running } = watched;
    const barred: string[] = [];
    const call = running.start({ scope: SCOPE, onBarred: () => barred.push("result") });
    await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    watched.nowMs += 1_501;
    await expect.poll(() => call.signal.aborted).toBe(true);
    call.release();
    expect(barred).toEqual([]);
    feed.put(begun(AGENT_SWITCH), ended(AGENT_SWITCH));
    await expect.poll(() => barred).toEqual(["result"]);
  });
});

/** Two calls that run while their proxy misses changes. */
async function inGap(feed: FakeFeed, meanwhile: () => void) {
  const { watch, running } = watchOfTest(feed);
  const [mine, theirs] = (["agent-1", "agent-2"] as const).map((agentId) =>
    running.start({ scope: { ...SCOPE, agentId } }),
  ) as [RunningCall, RunningCall];
  await expect.poll(() => watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
  meanwhile();
  feed.changes = [begun(AGENT_SWITCH), ended(AGENT_SWITCH)];
  feed.floor = 2;
  feed.wake();
  return { mine, theirs };
}

const listOf = (item: string): string =>
  `{"epoch":"e","revision":1,"complete":true,"kill_switches":[${item}]}`;

describe("createSwitchFeed", () => {
  async function feedFor(answer: (url: string) => [number, string]): Promise<SwitchFeed> {
    const gateway = await startHttpGateway((request, response) => {
      const [status, text] = answer(request.url ?? "");
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    });
    const settings = {
      gatewayUrl: new URL(`${gateway.url}/prefix/`),
      apiKey: "k",
      orgId: "o",
      timeoutMs: 500,
    };
    const feed = createSwitchFeed(settings);
    onTestFinished(async () => {
      await feed.close();
      await gateway.close();
    });
    return feed;
  }

  const item = (id: string, status = "active") => ({
    kill_switch_id: id,
    scope: "agent",
    target_id: "a",
    account_wide: false,
    status,
  });

  it("reads the whole list once, and then the changes", async () => {
    const urls: string[] = [];
    const feed = await feedFor((url) => {
      urls.push(url);
      const kill_switches = [item("1"), item("2", "inactive")];
      return [
        200,
        JSON.stringify({ epoch: "e", revision: 7, complete: !url.includes("after"), kill_switches }),
      ];
    });
    expect(await feed.switchNews(null)).toMatchObject({ revision: 7, isComplete: true });
    const { isComplete, changes } = await feed.switchNews(7);
    expect([isComplete, changes.map(({ isActive }) => isActive)]).toEqual([false, [true, false]]);
    expect(urls).toEqual([
      "/prefix/api/v1/gateway/kill-switches",
      "/prefix/api/v1/gateway/kill-switches?after=7",
    ]);
  });

  it("reads a list as long as all switches of an organization", async () => {
    const kill_switches = Array.from({ length: 20_000 }, (_, index) => item(`ks_${String(index)}`));
    const text = JSON.stringify({ epoch: "e", revision: 7, complete: true, kill_switches });
    const feed = await feedFor(() => [200, text]);
    expect((await feed.switchNews(null)).changes).toHaveLength(20_000);
  });

  it("reads the ended switches of a complete list", async () => {
    const head = { epoch: "e", revision: 7, complete: true, kill_switches: [] };
    const over = [item("2", "inactive"), item("1", "inactive")];
    const feed = await feedFor(() => [200, JSON.stringify({ ...head, ended: over })]);
    expect((await feed.switchNews(null)).ended?.map(({ id }) => id)).toEqual(["2", "1"]);
  });

  it.each<[number, string]>([
    [403, listOf("")],
    [503, listOf("")],
    [200, "[]"],
    [200, "{}"],
    [200, '{"kill_switches":[],"epoch":"e","complete":true}'],
    [200, '{"kill_switches":[],"epoch":"e","revision":1}'],
    [200, '{"kill_switches":[],"epoch":"e","revision":"1","complete":true}'],
    [200, '{"kill_switches":[],"revision":1,"complete":true}'],
    [200, '{"kill_switches":[],"epoch":7,"revision":1,"complete":true}'],
    [200, listOf('{"kill_switch_id":"1","scope":"planet","target_id":"a","status":"active"}')],
    [200, listOf('{"scope":"agent","target_id":"a","status":"active"}')],
    [200, listOf('{"kill_switch_id":"1","scope":"agent","target_id":7,"status":"active"}')],
    [200, listOf('{"kill_switch_id":"1","scope":"agent","target_id":"a","status":"ended"}')],
    [200, listOf("7")],
    [200, '{"epoch":"e","revision":1,"complete":true,"kill_switches":[],"ended":{}}'],
    [200, '{"epoch":"e","revision":1,"complete":true,"kill_switches":[],"ended":[{}]}'],
    [200, '{"epoch":"e","revision":1,"complete":true,"kill_switches":[],"kill_switches":[]}'],
  ])("rejects status %i with %s", async (status, text) => {
    const feed = await feedFor(() => [status, text]);
    await expect(feed.switchNews(null)).rejects.toThrow(Error);
  });
});
