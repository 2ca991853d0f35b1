import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGatewayApi, type GatewayApi } from "./gateway-api.ts";
import type { ActiveSwitch } from "./kill-scopes.ts";
import { type KillWatch, startKillWatch } from "./kill-watch.ts";
import { KILL_POLL_INTERVAL_MS } from "./limits.ts";
import { RunningCalls } from "./running.ts";

const SCOPE = { agentId: "agent-1", namespace: "ns-1", sessionId: "s-1", tool: null };
const AGENT_SWITCH: ActiveSwitch = { id: "ks_1", scope: "agent", target: "agent-1", accountWide: false };

interface Watched {
  readonly watch: KillWatch;
  readonly running: RunningCalls;
  readonly outages: unknown[];
  list: () => Promise<readonly ActiveSwitch[]>;
  /** The newest first. */
  ended: readonly ActiveSwitch[];
  nowMs: number;
  /** Looks that are over, as count. */
  looks: number;
}

function watchOfTest(): Watched {
  const running = new RunningCalls({ monotonicMs: () => 0, onKilled: () => {} });
  const outages: unknown[] = [];
  const watched = {
    running,
    outages,
    nowMs: 0,
    list: async (): Promise<readonly ActiveSwitch[]> => [],
    ended: [] as readonly ActiveSwitch[],
    looks: 0,
  };
  const watch = startKillWatch({
    api: {
      activeSwitches: () => watched.list(),
      endedSwitches: async () => {
        watched.looks += 1;
        return watched.ended;
      },
    },
    running,
    monotonicMs: () => watched.nowMs,
    onOutage: (error) => outages.push(error),
  });
  onTestFinished(() => watch.close());
  return Object.assign(watched, { watch });
}

describe("the watch over kill switches", () => {
  it("M17: a switch that appears in the list stops what runs, and is known from then on", async () => {
    const watched = watchOfTest();
    const running = watched.running.start({ scope: SCOPE });
    await expect.poll(() => watched.watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    watched.list = async () => [AGENT_SWITCH];
    await expect.poll(() => running.signal.aborted, { timeout: 5_000 }).toBe(true);
    expect(running.stopped()).toMatchObject({ reason_code: "kill_switch", kill_switch_id: "ks_1" });
    expect(watched.watch.stateOf(SCOPE)).toEqual({ kind: "killed", killSwitchId: "ks_1" });
    watched.list = async () => [];
    await expect.poll(() => watched.watch.stateOf(SCOPE), { timeout: 5_000 }).toEqual({ kind: "clear" });
  });

  it("M17: a switch that began and ended between two looks stops what runs; older ones do not", async () => {
    const watched = watchOfTest();
    const other = { ...AGENT_SWITCH, id: "ks_0", target: "agent-0" };
    const old = { ...AGENT_SWITCH, id: "ks_old", target: "agent-2" };
    watched.ended = [other, old];
    const [mine, theirs] = ["agent-1", "agent-2"].map((agentId) =>
      watched.running.start({ scope: { ...SCOPE, agentId } }),
    );
    await expect.poll(() => watched.looks).toBe(1);
    // A record that comes into the page from below is not new.
    watched.ended = [AGENT_SWITCH, other, old, { ...old, id: "ks_older" }];
    await expect.poll(() => mine?.signal.aborted, { timeout: 5_000 }).toBe(true);
    expect(mine?.stopped()).toMatchObject({ kill_switch_id: "ks_1" });
    const looks = watched.looks;
    const later = watched.running.start({ scope: SCOPE });
    await expect.poll(() => watched.looks, { timeout: 5_000 }).toBeGreaterThan(looks + 1);
    expect([later.signal.aborted, theirs?.signal.aborted]).toEqual([false, false]);
    expect(watched.watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
  });

  it("M17: a switch that a verdict tells of is looked for at once, and only once", async () => {
    const watched = watchOfTest();
    const running = watched.running.start({ scope: SCOPE });
    await expect.poll(() => watched.watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    let looks = 0;
    watched.list = async () => {
      looks += 1;
      return [AGENT_SWITCH];
    };
    const heardAt = performance.now();
    watched.watch.heardOf("ks_1");
    await expect.poll(() => running.signal.aborted, { interval: 5 }).toBe(true);
    expect(performance.now() - heardAt).toBeLessThan(KILL_POLL_INTERVAL_MS / 2);
    const looksByThen = looks;
    for (let count = 0; count < 100; count += 1) watched.watch.heardOf("ks_1");
    await new Promise(setImmediate);
    expect(looks).toBe(looksByThen);
  });

  it("M17: one that is heard of while the list is on its way is looked for behind it", async () => {
    const watched = watchOfTest();
    await expect.poll(() => watched.watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    const [asked, stale] = [Promise.withResolvers<void>(), Promise.withResolvers<ActiveSwitch[]>()];
    watched.list = () => {
      asked.resolve();
      return stale.promise;
    };
    watched.watch.heardOf("ks_0");
    await asked.promise;
    watched.list = async () => [AGENT_SWITCH];
    const heardAt = performance.now();
    watched.watch.heardOf("ks_1");
    stale.resolve([]);
    await expect.poll(() => watched.watch.stateOf(SCOPE).kind, { interval: 5 }).toBe("killed");
    expect(performance.now() - heardAt).toBeLessThan(KILL_POLL_INTERVAL_MS / 2);
  });

  it("without a list running calls go on, and soon nothing is known", async () => {
    const watched = watchOfTest();
    const running = watched.running.start({ scope: SCOPE });
    await expect.poll(() => watched.watch.stateOf(SCOPE)).toEqual({ kind: "clear" });
    watched.list = () => Promise.reject(new Error("down"));
    await expect.poll(() => watched.outages.length, { timeout: 5_000 }).toBe(1);
    watched.nowMs += 10_000;
    expect(watched.watch.stateOf(SCOPE)).toEqual({ kind: "unverified" });
    expect(running.signal.aborted).toBe(false);
  });
});

describe("the list of kill switches", () => {
  async function apiFor(answer: (url: string) => [number, string]): Promise<GatewayApi> {
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
    const api = createGatewayApi(settings);
    onTestFinished(async () => {
      await api.close();
      await gateway.close();
    });
    return api;
  }

  const item = (id: string) => ({ kill_switch_id: id, scope: "agent", target_id: "a", account_wide: false });

  it("is read over all its pages", async () => {
    const urls: string[] = [];
    const api = await apiFor((url) => {
      urls.push(url);
      const page = url.includes("cursor")
        ? { kill_switches: [item("2")], next_cursor: null }
        : { kill_switches: [item("1")], next_cursor: "a b" };
      return [200, JSON.stringify(page)];
    });
    expect((await api.activeSwitches()).map(({ id }) => id)).toEqual(["1", "2"]);
    expect(urls).toEqual([
      "/prefix/v1/kill-switch?status=active&limit=200",
      "/prefix/v1/kill-switch?status=active&limit=200&cursor=a%20b",
    ]);
  });

  it("of ended switches the newest are read", async () => {
    const urls: string[] = [];
    const api = await apiFor((url) => {
      urls.push(url);
      return [200, JSON.stringify({ kill_switches: [item("2"), item("1")], next_cursor: "more" })];
    });
    expect((await api.endedSwitches()).map(({ id }) => id)).toEqual(["2", "1"]);
    expect(urls).toEqual(["/prefix/v1/kill-switch?status=inactive&limit=50"]);
  });

  it.each<[number, string]>([
    [403, '{"kill_switches":[],"next_cursor":null}'],
    [200, "[]"],
    [200, "{}"],
    [200, '{"kill_switches":[{"kill_switch_id":"1","scope":"planet","target_id":"a"}]}'],
    [200, '{"kill_switches":[{"scope":"agent","target_id":"a"}]}'],
    [200, '{"kill_switches":[{"kill_switch_id":"1","scope":"agent","target_id":7}]}'],
    [200, '{"kill_switches":[],"kill_switches":[]}'],
  ])("status %i with %s is no list", async (status, text) => {
    const api = await apiFor(() => [status, text]);
    await expect(api.activeSwitches()).rejects.toThrow(Error);
  });
});
