// long: starts servers again and again over damaged files
import { existsSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { type Answer, callOf, createPolicy, execute, send } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { keyIdOf } from "../../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";

interface ListedRow {
  readonly id: string;
  readonly time: string;
  readonly hash: string;
  readonly outcome: { readonly status: string; readonly withdrawn: boolean } | null;
  readonly row: Readonly<Record<string, unknown>>;
}

const list = (url: string, query = "", headers = {}): Promise<Answer> =>
  send("GET", `${url}/api/v1/audit${query}`, { headers });

const rowsOf = ({ body }: Answer): readonly ListedRow[] => body["rows"] as readonly ListedRow[];

const idsOf = (answer: Answer): readonly string[] => rowsOf(answer).map(({ id }) => id);

/** Four calls of two agents, the last of which is denied. */
async function decideSome(url: string): Promise<readonly string[]> {
  await createPolicy(url);
  const calls = [{}, { session_id: "s-2" }, { tool: "payments.charge" }, { agent_id: "agent-2" }];
  const ids: string[] = [];
  for (const call of calls) ids.push(String((await execute(url, call)).body["decision_id"]));
  return ids;
}

// proves AUD-14, AUD-60, AUD-61
it("every filter finds its rows at once, newest first, and filters combine", async () => {
  const { url } = await serverOfTest();
  const [first, second, third, denied] = await decideSome(url);
  const found = async (query: string): Promise<readonly string[]> => {
    const answer = await list(url, query);
    expect(answer).toMatchObject({ status: 200, body: { indexed: { complete: true, behind: [] } } });
    return idsOf(answer);
  };
  expect(await found("?kind=decision")).toEqual([denied, third, second, first]);
  expect(await found("?agent_id=agent-1&kind=decision")).toEqual([third, second, first]);
  expect(await found("?agent_id=agent-1,agent-2&kind=decision")).toEqual([denied, third, second, first]);
  expect(await found("?session_id=s-2")).toEqual([second]);
  expect(await found("?tool=payments.charge")).toEqual([third]);
  expect(await found("?decision=deny")).toEqual([denied]);
  expect(await found("?decision=allow&session_id=s-1")).toEqual([third, first]);
  expect(await found("?policy_id=refunds&kind=decision")).toEqual([third, second, first]);
  expect(await found("?kind=policy&policy_id=refunds")).toHaveLength(2);
  expect(await found("?namespace=default&kind=decision")).toHaveLength(4);
  expect(await found(`?principal=${await keyIdOf("agent", url)}&kind=decision`)).toHaveLength(4);
  expect(await found("?q=NO%20POLICY")).toEqual([denied]);
  expect(await found("?q=%25")).toEqual([]);
  expect(await found("?since=2100-01-01")).toEqual([]);
  expect(await found("?until=2100-01-01T00:00:00Z&kind=decision")).toHaveLength(4);
  const page = await list(url, "?kind=decision&limit=3");
  expect(idsOf(page)).toEqual([denied, third, second]);
  const cursor = String(page.body["next_cursor"]);
  expect(page.headers["link"]).toContain(encodeURIComponent(cursor));
  expect(await found(`?kind=decision&limit=3&cursor=${cursor}`)).toEqual([first]);
});

// proves AUD-62
it("a filter that is misspelt is refused and never left out", async () => {
  const { url } = await serverOfTest();
  for (const query of [
    "agent=a",
    "kind=calls",
    "decision=denied",
    "since=yesterday",
    "since=2026-01-02&until=2026-01-01",
    "cursor=x",
    "q=",
    "tool=,",
  ])
    expect(await list(url, `?${query}`)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
});

// proves AUD-63
it("one row is answered with its place in the chain, and a decision with how it ended", async () => {
  const { url } = await serverOfTest();
  const [first = "", second = ""] = await decideSome(url);
  await send("POST", `${url}/api/v1/gateway/outcome`, { body: { decision_id: first, status: "succeeded" } });
  const answer = await send("GET", `${url}/api/v1/audit/${second}`);
  const before = await send("GET", `${url}/api/v1/audit/${first}`);
  expect(answer.body).toMatchObject({
    id: second,
    prev_hash: before.body["hash"],
    row: { session_id: "s-2" },
  });
  const deadlineMs = performance.now() + 10_000;
  for (let signed: unknown = null; signed === null; ) {
    signed = (await send("GET", `${url}/api/v1/audit/${second}`)).body["checkpoint"];
    expect(performance.now()).toBeLessThan(deadlineMs);
  }
  const decision = await send("GET", `${url}/api/v1/decisions/${first}`);
  expect(decision.body).toMatchObject({
    decision_id: first,
    withdrawn: false,
    outcome: { status: "succeeded", row: { decision_id: first } },
    row: { decision: "allow" },
  });
  for (const path of ["audit/nobody.1", "audit/x", "decisions/nobody.1"])
    expect((await send("GET", `${url}/api/v1/${path}`)).status).toBe(404);
});

// proves AUD-14, AUD-64
it("rows of organizations never mix", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  const { key } = await issueKey(operator, { role: "admin", org_id: "acme" });
  const headers = { authorization: `Bearer ${key}` };
  const mine = await operator("POST", "gateway/execute", { json: callOf() });
  const theirs = await send("POST", `${server.url}/v1/gateway/execute`, { body: callOf(), headers });
  const id = String(theirs.body["decision_id"]);
  const listed = await list(server.url, "?kind=decision", headers);
  expect(idsOf(listed)).toEqual([id]);
  expect(rowsOf(await list(server.url, "", headers)).every(({ row }) => row["org"] === "acme")).toBe(true);
  const foreign = String(mine.body["decision_id"]);
  expect((await send("GET", `${server.url}/v1/audit/${foreign}`, { headers })).status).toBe(404);
  expect((await send("GET", `${server.url}/v1/decisions/${foreign}`, { headers })).status).toBe(404);
  expect((await operator("GET", `audit/${id}`)).status).toBe(404);
});

/** The list of all decisions, once every row is indexed. */
async function completeList(server: ServerProcess): Promise<readonly string[]> {
  const deadlineMs = performance.now() + 20_000;
  for (;;) {
    const answer = await list(server.url, "?kind=decision");
    const { complete } = (answer.body["indexed"] ?? {}) as { complete?: boolean };
    if (answer.status === 200 && complete === true) return idsOf(answer);
    expect(performance.now(), "the index did not catch up").toBeLessThan(deadlineMs);
  }
}

// proves AUD-65
it("a lost, truncated or damaged index, or one of another log, is built again from the logs", async () => {
  const directory = await makeTemporaryDirectory();
  const { path: dataDir } = directory;
  const index = join(dataDir, "audit-index.db");
  const faults = [
    async () => Promise.resolve(),
    () => truncate(index, 4096),
    () => truncate(index, 0),
    () => writeFile(index, "not a database, and long enough to be read as one".repeat(100)),
    async () => {
      for (const file of [index, `${index}-wal`, `${index}-shm`])
        await truncate(file, 0).catch(() => undefined);
    },
  ];
  let ids: readonly string[] | null = null;
  for (const fault of faults) {
    const server = await serverOfTest({ dataDir });
    if (ids === null) await decideSome(server.url);
    const found = await completeList(server);
    expect(found).toEqual(ids ?? found);
    ids = found;
    await server.stop("SIGKILL");
    expect(existsSync(index)).toBe(true);
    await fault();
  }
  const server = await serverOfTest({ dataDir });
  expect(await completeList(server)).toEqual(ids);
  await server.stop();
  await directory.remove();
}, 120_000);
