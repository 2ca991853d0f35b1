import { expect, it } from "vitest";
import { createPolicy, send } from "./support/api.ts";
import { allowedIds, checkedExport, withoutRow } from "./support/audit-export.ts";
import { steadyLoad } from "./support/load.ts";
import { serverOfTest } from "./support/server-process.ts";

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
  for (const { logId, seq, row } of rows) {
    if (row["kind"] !== "decision") continue;
    expect(row["policy_version"]).toBe(versions.get(`${logId}.${String(seq)}`));
  }
});
