// long: it replays logs of hundreds of thousands of rows
// peers: postgres
import { describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { recordCalls, timeOf } from "../../support/server/recorded-calls.ts";
import { type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";
import { sharedPostgres } from "../../support/server/shared-store.ts";

interface Result {
  readonly calls: number;
  readonly unchanged: number;
  readonly newly_denied: number;
  readonly sessions: number;
  readonly digest: string;
  readonly groups: readonly {
    readonly rule_id: string | null;
    readonly count: number;
    readonly examples: string[];
  }[];
}

interface Replay {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly progress: { readonly rows_read: number; readonly rows_total: number };
  readonly result: Result | null;
}

const POLICY = "id: p\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n";
const SINCE = "2020-01-01T00:00:00Z";

const start = async (url: string, body: object) => {
  const answer = await send("POST", `${url}/api/v1/policies/p/replay`, { body });
  return { status: answer.status, replay: answer.body as unknown as Replay };
};

async function read(url: string, id: string): Promise<Replay> {
  return (await send("GET", `${url}/api/v1/replays/${id}`)).body as unknown as Replay;
}

async function ended(url: string, id: string): Promise<Replay> {
  const isActive = async () => ["queued", "running"].includes((await read(url, id)).status);
  await expect.poll(isActive, { timeout: 120_000, interval: 50 }).toBe(false);
  return read(url, id);
}

const replayed = async (url: string, body: object): Promise<Result> => {
  const { status, replay } = await start(url, { since: SINCE, ...body });
  expect(status).toBe(202);
  const { status: end, reason, result } = await ended(url, replay.id);
  expect([end, reason]).toEqual(["completed", null]);
  if (result === null) throw new Error("no result");
  return result;
};

const STRICT = `id: p
tools: { allowed: ['payments.*'] }
session: { max_steps: 2 }
rules:
  - { id: big, match: { condition: { field: args.amount, operator: ">", value: 500 } }, action: deny }
`;

async function countsWhatChanges({ url }: ServerProcess): Promise<void> {
  await createPolicy(url, POLICY);
  for (const amount of [1, 900, 2, 3]) await execute(url, { args: { amount } });
  const result = await replayed(url, { document: STRICT });
  expect(result).toMatchObject({ calls: 4, unchanged: 2, newly_denied: 2, sessions: 1 });
  expect(result.groups.map(({ rule_id, count }) => [rule_id, count])).toEqual([
    ["big", 1],
    [null, 1],
  ]);
  expect(await replayed(url, {})).toMatchObject({ calls: 4, unchanged: 4, newly_denied: 0 });
  expect((await replayed(url, { document: STRICT })).digest).toBe(result.digest);
}

describe("a replay", () => {
  // proves REP-01, REP-02, REP-03, POL-37
  it("counts what a candidate changes, by rule and tool, and is the same each time", async () => {
    await countsWhatChanges(await serverOfTest());
  });

  // proves REP-01, REP-02
  // skip: the machine has no PostgreSQL; continuous integration installs it and fails without.
  it.skipIf(missing.postgres)("counts the same over PostgreSQL", async () => {
    const { before } = await sharedPostgres();
    await countsWhatChanges(await serverOfTest(before));
  });

  // proves REP-02, REP-06, REP-09, REP-12
  it("of 200,000 rows in 120,000 sessions goes by the range, and can be cancelled", async () => {
    const dataDir = await temporaryDirectory();
    const logId = "gw_recorded";
    await recordCalls({ dataDir, logId }, 200_000, (n) => ({ session_id: `s-${String(n % 120_000)}` }));
    const { url } = await serverOfTest({ dataDir, env: { SVC_GATEWAY_ID: logId } });
    await createPolicy(url, POLICY);
    const strict = STRICT.replace("max_steps: 2", "max_steps: 1");
    const result = await replayed(url, { document: strict });
    // 499 of 1,000 amounts are above 500. A later call of a session is denied when the one before was not.
    expect(result).toMatchObject({ calls: 200_000, sessions: 120_000 });
    expect(result.unchanged + result.newly_denied).toBe(200_000);
    const part = await replayed(url, { since: timeOf(1_000), until: timeOf(3_000) });
    expect(part).toMatchObject({ calls: 2_000, unchanged: 2_000 });
    const { replay } = await start(url, { since: SINCE, document: strict });
    const { body } = await send("DELETE", `${url}/api/v1/replays/${replay.id}`);
    expect(body).toMatchObject({ status: "cancelled", result: null });
    expect(await ended(url, replay.id)).toMatchObject({ status: "cancelled", result: null });
    await send("DELETE", `${url}/api/v1/replays/${replay.id}`);
    expect(await send("GET", `${url}/api/v1/replays/${replay.id}`)).toMatchObject({ status: 404 });
  });

  // proves REP-08
  it("that was running when its server was killed begins again, with the same result", async () => {
    const dataDir = await temporaryDirectory();
    const logId = "gw_recorded";
    await recordCalls({ dataDir, logId }, 100_000, () => ({}));
    const first = await serverOfTest({ dataDir, env: { SVC_GATEWAY_ID: logId } });
    await createPolicy(first.url, POLICY);
    const rules = Array.from({ length: 40 }, (_, n) => ({
      id: `r${String(n)}`,
      match: { condition: { field: "args.note", operator: "matches", value: `(x+x+)+y${String(n)}` } },
      action: "deny",
    }));
    const slow = { id: "p", tools: { allowed: ["payments.*"] }, rules };
    const { replay } = await start(first.url, { since: SINCE, document: slow });
    const status = async () => (await read(first.url, replay.id)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe("running");
    await first.stop("SIGKILL");
    const second = await serverOfTest({ dataDir, env: { SVC_GATEWAY_ID: logId } });
    const resumed = await ended(second.url, replay.id);
    expect(resumed).toMatchObject({ status: "completed", reason: null });
    const { until } = (await send("GET", `${second.url}/api/v1/replays/${replay.id}`)).body;
    const whole = await replayed(second.url, { document: slow, until });
    expect(whole.calls).toBe(100_000);
    expect(resumed.result).toEqual(whole);
  });

  // proves REP-09, REP-10
  it("under 1,000 rules with hostile patterns lets calls and other replays go on", async () => {
    const { url } = await serverOfTest();
    await createPolicy(url, POLICY);
    const note = "x".repeat(5_000);
    for (let n = 0; n < 30; n += 1) await execute(url, { args: { note } });
    const rules = Array.from({ length: 1_000 }, (_, n) => ({
      id: `r${String(n)}`,
      match: { condition: { field: "args.note", operator: "matches", value: `(x+x+)+y${String(n)}` } },
      action: "deny",
    }));
    const body = { since: SINCE, document: { id: "p", tools: { allowed: ["payments.*"] }, rules } };
    const { status, replay } = await start(url, body);
    expect(status).toBe(202);
    expect((await execute(url)).body["decision"]).toBe("allow");
    await start(url, { since: SINCE });
    expect((await start(url, { since: SINCE })).status).toBe(202);
    expect((await start(url, { since: SINCE })).status).not.toBe(500);
    await send("DELETE", `${url}/api/v1/replays/${replay.id}`);
    expect(["cancelled", "completed"]).toContain((await ended(url, replay.id)).status);
  });

  // proves REP-11
  it("is refused by name", async () => {
    const { url } = await serverOfTest();
    const refusal = async (body: object) => {
      const { status, body: problem } = await send("POST", `${url}/api/v1/policies/p/replay`, { body });
      return [status, problem["code"]];
    };
    expect(await refusal({ since: SINCE })).toEqual([404, "not_found"]);
    await createPolicy(url, POLICY);
    expect(await refusal({})).toEqual([400, "invalid_request"]);
    expect(await refusal({ since: "2099-01-01T00:00:00Z" })).toEqual([400, "invalid_request"]);
    expect(await refusal({ since: SINCE, version: 9 })).toEqual([404, "not_found"]);
    expect(await refusal({ since: SINCE, document: "id: [" })).toEqual([422, "invalid_policy"]);
    expect(await refusal({ since: SINCE, version: 1, document: POLICY })).toEqual([400, "invalid_request"]);
  });
});
