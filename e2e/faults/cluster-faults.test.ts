// peers: postgres
// long: it pauses, kills and cuts off servers and their PostgreSQL
import { setTimeout as delay } from "node:timers/promises";
import { startDatabaseLink } from "@svc/store/testing/database-link";
import { describeOwnPostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it, onTestFinished } from "vitest";
import { createPolicy, send } from "../support/server/api.ts";
import { acknowledgedBy, clusterOfTest, listGateways } from "../support/server/cluster.ts";
import { activate } from "../support/server/kill-switches.ts";
import type { ServerProcess } from "../support/server/server-process.ts";

const CALL = { agent_id: "agent-1", tool: "payments.refund", session_id: "session-1" };

/** Milliseconds after a fault in which the service must be back. */
const BACK_WITHIN_MS = 5_000;

/** Milliseconds that a process may be kept from running by others on a busy machine. */
const BUSY_MS = 2_000;

/** Milliseconds in which one caller must get many denies. */
const DENIES_WITHIN_MS = 5_000;

type Body = Readonly<Record<string, unknown>>;

async function execute(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Body> {
  return (await send("POST", `${url}/api/v1/gateway/execute`, { body: CALL, headers })).body;
}

const decisionOf = async (url: string) => (await execute(url))["decision"];

interface TimedAnswer {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly decision: unknown;
}

/** Calls a gateway until it ends, and keeps what it answered and when. */
function caller(url: string) {
  const answers: TimedAnswer[] = [];
  let isEnded = false;
  const run = (async () => {
    while (!isEnded) {
      const sentAtMs = performance.now();
      // A gateway that is away allows nothing.
      const body = await execute(url).catch(() => null);
      const answeredAtMs = performance.now();
      if (body !== null) answers.push({ sentAtMs, answeredAtMs, decision: body["decision"] });
      await delay(3);
    }
  })();
  const end = async () => {
    isEnded = true;
    await run;
    return answers;
  };
  return { answers, end };
}

describeOwnPostgres("a cluster under faults", (postgres) => {
  async function threeGateways() {
    const cluster = await clusterOfTest(postgres());
    const servers = await Promise.all(["gw-1", "gw-2", "gw-3"].map((name) => cluster.start(name)));
    const [one, two, three] = servers as [ServerProcess, ServerProcess, ServerProcess];
    await createPolicy(one.url);
    return { cluster, one, two, three };
  }

  // proves KILL-30
  it("S3: no gateway allows a call that was sent after an answer with enforced: true", async () => {
    const { one, two, three } = await threeGateways();
    const callers = [one, two, three].map(({ url }) => caller(url));
    for (let round = 0; round < 10; round += 1) {
      const killed = await activate([one, two, three][round % 3]?.url ?? one.url, {
        scope: "agent",
        target_id: "agent-1",
      });
      const confirmedAtMs = performance.now();
      expect(acknowledgedBy(killed.body)).toHaveLength(3);
      if (killed.body["enforced"] !== true) await delay(1_500);
      const enforcedAtMs = killed.body["enforced"] === true ? confirmedAtMs : performance.now();
      await delay(50);
      const id = String(killed.body["kill_switch_id"]);
      const endedAtMs = performance.now();
      await send("DELETE", `${one.url}/v1/kill-switch/${id}`, {
        body: { reason: "over", deactivated_by: "on-call" },
      });
      for (const { answers } of callers) {
        // A call that was still under way then may have been judged behind the end of the switch.
        const during = answers.filter(
          ({ sentAtMs, answeredAtMs }) => sentAtMs > enforcedAtMs && answeredAtMs < endedAtMs,
        );
        expect(during.filter(({ decision }) => decision === "allow")).toEqual([]);
      }
      await delay(30);
    }
    const answers = (await Promise.all(callers.map(({ end }) => end()))).flat();
    expect(answers.some(({ decision }) => decision === "allow")).toBe(true);
    expect(answers.some(({ decision }) => decision === "deny")).toBe(true);
  });

  it("S2: a gateway that is cut off in silence denies, and follows when the link is back", async () => {
    const cluster = await clusterOfTest(postgres());
    const link = await startDatabaseLink(cluster.databaseUrl);
    onTestFinished(() => link.close());
    const one = await cluster.start("gw-1");
    const two = await cluster.start("gw-2", "gateway", { databaseUrl: link.url });
    await createPolicy(one.url);
    expect(await decisionOf(two.url)).toBe("allow");
    link.freeze();
    const killed = await activate(one.url, { scope: "agent", target_id: "agent-1" });
    expect(killed.body).toMatchObject({ enforced: false });
    const silent = acknowledgedBy(killed.body).find(({ id }) => id === "gw-2");
    expect(silent).toMatchObject({ acknowledged_ms: null });
    await delay(Math.max(0, Date.parse(silent?.lease_ends_at ?? "") - Date.now()));
    expect(await execute(two.url)).toMatchObject({ decision: "deny" });
    await link.mend();
    await expect
      .poll(async () => (await execute(two.url))["reason_code"], { timeout: BACK_WITHIN_MS + BUSY_MS })
      .toBe("kill_switch");
  });

  it("S2: a caller of a gateway that is cut off does not wait for a row before each deny", async () => {
    const cluster = await clusterOfTest(postgres());
    const link = await startDatabaseLink(cluster.databaseUrl);
    onTestFinished(() => link.close());
    const one = await cluster.start("gw-1", "all", { databaseUrl: link.url });
    await createPolicy(one.url);
    expect(await decisionOf(one.url)).toBe("allow");
    link.freeze();
    // The lease ends, and the row of the first call behind it gets no answer.
    await delay(3_000);
    const untilMs = performance.now() + DENIES_WITHIN_MS;
    let denies = 0;
    for (; performance.now() < untilMs; denies += 1)
      expect(await execute(one.url)).toMatchObject({ decision: "deny", fail_closed: true });
    expect(denies).toBeGreaterThan(100);
    await link.mend();
    await expect
      .poll(() => decisionOf(one.url), { timeout: BACK_WITHIN_MS + BUSY_MS, interval: 50 })
      .toBe("allow");
  });

  it("I3: kill -9 and a restart continue the chain, which has one process at a time", async () => {
    const { cluster, one, two } = await threeGateways();
    const dataDir = two.dataDir;
    const before = await execute(two.url);
    expect(before).toMatchObject({ decision: "allow" });
    await expect(cluster.start("gw-2")).rejects.toThrow(/audit log gw-2 is in use by another process/);
    two.signal("SIGKILL");
    await two.exited;
    const again = await cluster.start("gw-2", "all", { dataDir });
    const after = await execute(again.url);
    expect(after).toMatchObject({ decision: "allow" });
    const seqOf = ({ decision_id: id }: Body) => Number(String(id).split(".").at(-1));
    expect(seqOf(after)).toBeGreaterThan(seqOf(before));
    const listed = await listGateways(one.url);
    expect(listed.map(({ id }) => id)).toEqual(["gw-1", "gw-2", "gw-3"]);
  });

  it("I11: every gateway denies while PostgreSQL is away, and each is back in time", {
    timeout: 90_000,
  }, async () => {
    const { one, two } = await threeGateways();
    postgres().signal("SIGSTOP");
    try {
      await delay(1_600);
      for (const { url } of [one, two]) expect(await execute(url)).toMatchObject({ decision: "deny" });
    } finally {
      postgres().signal("SIGCONT");
    }
    const back = { timeout: BACK_WITHIN_MS + BUSY_MS, interval: 50 };
    for (const { url } of [one, two]) await expect.poll(() => decisionOf(url), back).toBe("allow");
    await postgres().crash();
    await delay(1_600);
    for (const { url } of [one, two]) expect(await execute(url)).toMatchObject({ decision: "deny" });
    await postgres().restart();
    for (const { url } of [one, two]) await expect.poll(() => decisionOf(url), back).toBe("allow");
    await expect
      .poll(
        async () => (await activate(one.url, { scope: "agent", target_id: "agent-1" })).body["enforced"],
        back,
      )
      .toBe(true);
  });

  // proves AUD-91
  it("the audit index goes on when its writer is paused, and counts each row once", {
    timeout: 120_000,
  }, async () => {
    const cluster = await clusterOfTest(postgres());
    const one = await cluster.start("gw-1");
    await createPolicy(one.url);
    expect(await decisionOf(one.url)).toBe("allow");
    const listed = async (url: string) => {
      const { rows, indexed } = (await send("GET", `${url}/api/v1/audit?decision=allow&limit=200`)).body;
      return { count: (rows as unknown[]).length, complete: (indexed as Body)["complete"] };
    };
    await expect.poll(() => listed(one.url), { timeout: 15_000 }).toEqual({ count: 1, complete: true });
    const two = await cluster.start("gw-2");
    one.signal("SIGSTOP");
    expect(await decisionOf(two.url)).toBe("allow");
    await expect
      .poll(() => listed(two.url), { timeout: 60_000, interval: 500 })
      .toEqual({ count: 2, complete: true });
    one.signal("SIGCONT");
    await expect.poll(() => decisionOf(one.url), { timeout: 15_000 }).toBe("allow");
    for (const { url } of [one, two]) {
      await expect.poll(() => listed(url), { timeout: 15_000 }).toEqual({ count: 3, complete: true });
      const report = await send("GET", `${url}/api/v1/policies/refunds/report`);
      expect(report.body).toMatchObject({ allow: 3 });
    }
  });

  // proves STATE-06
  it("E16: ceilings and Idempotency-Key count across gateways", async () => {
    const cluster = await clusterOfTest(postgres());
    const servers = await Promise.all(["gw-1", "gw-2", "gw-3"].map((name) => cluster.start(name)));
    const [first] = servers;
    if (first === undefined) throw new Error("three servers");
    const limited =
      "id: limited\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\nsession: { max_steps: 20 }\n";
    expect((await createPolicy(first.url, limited)).status).toBe(201);
    const key = { "idempotency-key": "order-4711" };
    const repeated = await Promise.all(servers.map(({ url }) => execute(url, key)));
    expect(new Set(repeated.map((body) => body["decision_id"])).size).toBe(1);
    expect(repeated.filter((body) => body["repeated"] === true)).toHaveLength(2);
    const calls = Array.from({ length: 60 }, (_, n) => servers[n % 3]?.url ?? first.url);
    const decisions = await Promise.all(calls.map((url) => decisionOf(url)));
    expect(decisions.filter((decision) => decision === "allow")).toHaveLength(19);
  });
});
