// long: it starts servers that load Open Policy Agent
import { readdir } from "node:fs/promises";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { execute, send } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { evaluatedInTime } from "../support/server/evaluated-in-time.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

const MODULE = `package spend

deny contains message if {
	input.args.amount > data.limit
	message := sprintf("%v is more than %v", [input.args.amount, data.limit])
}

deny contains "the vendor is unknown" if not is_known

is_known if input.args.vendor in data.vendors

require_approval contains "the night" if input.args.night

deny contains "hangs" if {
	input.args.hang
	all := numbers.range(1, 100000)
	some a in all
	some b in all
	a + b == 0
}
`;

const POLICY = {
  id: "spend",
  agent_id: "agent-1",
  tools: { allowed: ["pay.*"] },
  rules: [{ id: "no-wires", match: { tool: "pay.wire" }, action: "deny" }],
  rego: { module: MODULE, data: { limit: 500, vendors: ["acme"] }, workflow: "finance" },
};

const FINE = { amount: 5, vendor: "acme" };
const HANGS = { ...FINE, hang: true };
const FAILED = { rego: { deny: [], failed: "rego_timeout", require_approval: [] } };

async function governed(mode: "enforcement" | "audit_only" | "shadow" = "enforcement") {
  const server = await serverOfTest({ dataDir: await temporaryDirectory() });
  const { url } = server;
  const workflow = { id: "finance", required: 1, approvers: { roles: ["approver"] } };
  expect((await send("POST", `${url}/api/v1/approval-workflows`, { body: workflow })).status).toBe(201);
  const body = { ...POLICY, governance_mode: mode };
  const stored = await send("POST", `${url}/api/v1/policies`, { body });
  expect([stored.status, stored.body["errors"]]).toEqual([201, undefined]);
  return server;
}

const decided = (url: string, known: Readonly<Record<string, unknown>>) =>
  evaluatedInTime(() => execute(url, { session_id: undefined, tool: "pay.send", args: FINE, ...known }));

async function rowOf({ url }: ServerProcess, id: unknown) {
  const rows = await checkedExport(url);
  return rows.find(({ logId, seq }) => `${logId}.${String(seq)}` === id)?.row;
}

const explained = async ({ url }: ServerProcess, id: unknown) =>
  (await send("GET", `${url}/api/v1/decisions/${String(id)}/explain`)).body;

describe("a policy with a Rego module", () => {
  // proves REGO-01, REGO-02, REGO-03
  it("decides by its messages, which are in the answer, the row and the explanation", async () => {
    const server = await governed();
    const { url } = server;
    expect(await decided(url, {})).toMatchObject({ decision: "allow" });
    const denied = await decided(url, { args: { amount: 900, vendor: "x", night: true } });
    expect(denied).toMatchObject({
      decision: "deny",
      reason_code: "rego",
      reason: "900 is more than 500; the vendor is unknown",
      rule_id: "rego:deny",
    });
    const said = {
      deny: ["900 is more than 500", "the vendor is unknown"],
      failed: null,
      require_approval: ["the night"],
    };
    expect(await rowOf(server, denied["decision_id"])).toMatchObject({ rego: said });
    expect(await explained(server, denied["decision_id"])).toMatchObject({
      agrees: true,
      decided_by: "policy",
      explanation: { decided_by: "rego", rego: said },
      counterfactual: null,
      no_counterfactual: expect.stringContaining("rego_unavailable"),
    });
    const paused = await decided(url, { args: { ...FINE, night: true } });
    expect(paused).toMatchObject({
      decision: "pause",
      reason: "the night",
      rule_id: "rego:require_approval",
    });
    const id = String(paused["approval_url"]).split("/").at(-1) ?? "";
    const approval = await send("GET", `${url}/api/v1/approvals/${id}`);
    expect(approval.body).toMatchObject({ workflow: { id: "finance" } });
    const body = { reason: "the night shift knows" };
    const approved = await send("POST", `${url}/api/v1/approvals/${id}/approve`, { body });
    expect([approved.status, approved.body["status"]]).toEqual([200, "approved"]);
    const again = () => decided(url, { args: { ...FINE, night: true } });
    expect(await again()).toMatchObject({ decision: "allow" });
    expect(await again()).toMatchObject({ decision: "pause", rule_id: "rego:require_approval" });
    const wired = await decided(url, { tool: "pay.wire", args: FINE });
    expect(wired).toMatchObject({ decision: "deny", rule_id: "no-wires" });
    expect(await decided(url, { tool: "mail.send" })).toMatchObject({ decision: "deny" });
  });

  // proves REGO-04
  it("denies when its module takes too long, and is not run when that happens too often", async () => {
    const server = await governed();
    const { url } = server;
    expect(await decided(url, {})).toMatchObject({ decision: "allow" });
    const hang = async () =>
      (await execute(url, { session_id: undefined, tool: "pay.send", args: HANGS })).body;
    const first = await hang();
    expect(first).toMatchObject({
      decision: "deny",
      reason_code: "rego",
      reason: expect.stringContaining("rego_timeout"),
    });
    expect(await rowOf(server, first["decision_id"])).toMatchObject(FAILED);
    const reason = async () => String((await hang())["reason"]);
    await expect.poll(reason, { timeout: CONDITION_MS }).toContain("rego_suspended");
    const harmless = await execute(url, { session_id: undefined, tool: "pay.send", args: FINE });
    expect(harmless.body).toMatchObject({ decision: "deny", reason: expect.stringContaining("suspended") });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/svc_rego_failures_total\{code="rego_timeout"\} [1-9]/);
    expect(metrics).toMatch(/svc_rego_failures_total\{code="rego_suspended"\} [1-9]/);
    expect(server.lines.join("\n")).toContain("the Rego module of a policy could not be evaluated");
    const next = { ...POLICY, name: "the next version" };
    expect((await send("PUT", `${url}/api/v1/policies/spend`, { body: next })).status).toBe(200);
    expect(await decided(url, {})).toMatchObject({ decision: "allow" });
  });

  it.each(["audit_only", "shadow"] as const)("only notes under %s that its module failed", async (mode) => {
    const server = await governed(mode);
    expect(await decided(server.url, {})).toMatchObject({ decision: "allow" });
    const call = { session_id: undefined, tool: "pay.send", args: HANGS };
    const { body } = await execute(server.url, call);
    expect(body).toMatchObject({ decision: "allow" });
    expect(await rowOf(server, body["decision_id"])).toMatchObject({
      ...FAILED,
      decision: "allow",
      would_be: { decision: "deny", reason_code: "rego" },
    });
  });

  it("has Open Policy Agent loaded for the first of them, and not before", async () => {
    const { url, dataDir } = await serverOfTest();
    const programs = async () => (await readdir(dataDir)).filter((name) => name.endsWith(".wasm"));
    const plain = { id: "plain", tools: { allowed: ["pay.*"] } };
    expect((await send("POST", `${url}/api/v1/policies`, { body: plain })).status).toBe(201);
    expect(await programs()).toEqual([]);
    expect((await send("POST", `${url}/api/v1/policies`, { body: POLICY })).status).toBe(201);
    expect(await programs()).toHaveLength(1);
  });

  it("decides after a restart as before, on a server that is ready only then", async () => {
    const first = await governed();
    await first.stop("SIGTERM");
    const { url } = await serverOfTest({ dataDir: first.dataDir });
    expect(await decided(url, {})).toMatchObject({ decision: "allow" });
    const denied = await decided(url, { args: { amount: 900, vendor: "acme" } });
    expect(denied).toMatchObject({ decision: "deny", rule_id: "rego:deny" });
  });
});
