import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { expect, it } from "vitest";
import { steadyLoad } from "../../support/requests/load.ts";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import {
  allowedIds,
  checkedExport,
  type ExportedRow,
  withoutRow,
} from "../../support/server/audit-export.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

/** Calls under way at once: this keeps two cores busy. */
const IN_FLIGHT = 16;

const VERSIONS = 25;

/** Rules between the first and the last one, which both write the number of the version. */
const FILLERS = 150;

/** A document whose beginning and end each say which version it is. */
function numbered(version: number): string {
  const stamp = (id: string, field: string) => ({
    id,
    match: { tool: "payments.*" },
    action: "constrain",
    constrain: { set: { [`args.${field}`]: version } },
  });
  const filler = (at: number) => ({
    id: `f${String(at)}`,
    match: { tool: "payments.*", condition: { field: "args.amount", operator: ">", value: 1_000 + at } },
    action: "deny",
  });
  const rules = [
    stamp("first", "first"),
    ...Array.from({ length: FILLERS }, (_, at) => filler(at)),
    stamp("last", "last"),
  ];
  const lines = rules.map((rule) => `  - ${JSON.stringify(rule)}`);
  return `id: p\nagent_id: agent-1\ntools: { allowed: [payments.*] }\nrules:\n${lines.join("\n")}\n`;
}

// proves POL-70, VER-06
it("a policy change under 1,000 calls/s shows only whole versions and fails no call", {
  timeout: 60_000,
}, async () => {
  const { url } = await serverOfTest();
  await createPolicy(url, numbered(1));
  const startedAt = performance.now();
  const load = steadyLoad(url, IN_FLIGHT);
  for (let version = 2; version <= VERSIONS; version += 1) {
    const { status, body } = await send("PUT", `${url}/api/v1/policies/p?why=step`, {
      body: numbered(version),
      headers: { "content-type": "application/yaml" },
    });
    expect([status, body["version"], body["note"]]).toEqual([200, version, undefined]);
  }
  const answers = await load.stop();
  const perSecond = (1_000 * answers.length) / (performance.now() - startedAt);
  expect(perSecond).toBeGreaterThan(100);
  expect(load.failures).toEqual([]);
  const versions = new Map<string, number>();
  for (const { status, body } of answers) {
    const version = Number(body["policy_version"]);
    expect([status, body["decision"], body["shaped_args"]]).toEqual([
      200,
      "allow",
      { amount: 10, first: version, last: version },
    ]);
    versions.set(String(body["decision_id"]), version);
  }
  expect(new Set(versions.values()).size).toBeGreaterThan(2);
  const rows = await checkedExport(url);
  expect(withoutRow(allowedIds(answers), rows)).toEqual([]);
  const withdrawn = withdrawnIds(rows);
  for (const { logId, seq, row } of rows) {
    const id = `${logId}.${String(seq)}`;
    if (row["kind"] !== "decision" || withdrawn.has(id)) continue;
    expect(row["policy_version"]).toBe(versions.get(id));
  }
});

/** The decisions that no caller was given. */
function withdrawnIds(rows: readonly ExportedRow[]): ReadonlySet<unknown> {
  return new Set(rows.filter(({ row }) => row["withdrawn"] === true).map(({ row }) => row["decision_id"]));
}

/** It takes longer than the commit of a row, and counts up to a product that does not come. */
const SLOW_MODULE = `package p
deny contains "x" if {
  some i in numbers.range(1, 30)
  some j in numbers.range(1, 40)
  i * j == 7777777777
}
`;

// proves POL-70
it("allows nothing by a policy after its end was acknowledged, however slow its module is", async () => {
  const { url } = await serverOfTest();
  const slow = { id: "p", agent_id: "agent-1", tools: { allowed: ["payments.*"] }, rego: SLOW_MODULE };
  expect((await send("POST", `${url}/api/v1/policies`, { body: slow })).status).toBe(201);
  const load = steadyLoad(url, IN_FLIGHT);
  const hasAllow = () => load.answers.some(({ body }) => body["decision"] === "allow");
  await expect.poll(hasAllow, { timeout: CONDITION_MS }).toBe(true);
  const ended = await send("POST", `${url}/api/v1/policies/p/disable`, { body: { why: "it ends" } });
  expect([ended.status, ended.body["note"]]).toEqual([200, undefined]);
  const next = (await execute(url)).body;
  expect(next).toMatchObject({ decision: "deny", reason_code: "no_policy" });
  await load.stop();
  const rows = await checkedExport(url);
  const withdrawn = withdrawnIds(rows);
  const end = rows.findIndex(({ logId, seq }) => `${logId}.${String(seq)}` === next["decision_id"]);
  expect(end).toBeGreaterThan(0);
  const later = rows.slice(end).filter(({ row }) => row["decision"] === "allow");
  expect(later.filter(({ logId, seq }) => !withdrawn.has(`${logId}.${String(seq)}`))).toEqual([]);
});
