// long: it starts a PostgreSQL and waits until a quarantine ends by itself
// peers: postgres
// waits: until agents are silent
import { describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { callOf } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { untilEnforced } from "../../support/server/kill-switches.ts";
import { type ServerOptions, serverOfTest } from "../../support/server/server-process.ts";
import { sharedDirectory, sharedPostgres } from "../../support/server/shared-store.ts";
import { rowsOf, SUSPENDING_LADDER, setLadder, untilSeverity } from "../../support/server/supervision.ts";

/** Longest wait in milliseconds for what comes within seconds on a quiet machine. */
const SOON = { timeout: 20_000, interval: 50 };

const POLICY = `id: of-payments
tools: { allowed: ['payments.*'], read_only: ['payments.read*'] }
`;

const AGENT = { id: "agent-1", namespace: "payments", tags: ["prod"], capabilities: ["refunds"] };
const QUARANTINE = { reason: "odd reads", quarantined_by: "ana" };

async function startedOperator({ env = {}, ...options }: ServerOptions) {
  const server = await serverOfTest({ ...options, env: { ...env, ...BOOTSTRAP_ENV } });
  const operator = operatorOf(server);
  for (const id of ["payments", "reports"])
    expect((await operator("POST", "namespaces", { json: { id } })).status).toBe(201);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const binding = { policy_id: "of-payments", namespace_id: "payments" };
  expect((await operator("POST", "policy-assignments", { json: binding })).status).toBe(201);
  return { server, operator };
}

const call = async (client: Client, known: Readonly<Record<string, unknown>> = {}) =>
  (await client("POST", "gateway/execute", { json: callOf(known) })).body;

/** Ids of the agents that a list shows. */
async function listed(operator: Client, query = ""): Promise<readonly unknown[]> {
  const { status, body } = await operator("GET", `agents?${query}`);
  expect(status).toBe(200);
  return (body["agents"] as readonly { readonly id: string }[]).map(({ id }) => id);
}

const actionsOf = async (operator: Client) =>
  (await rowsOf(operator, "kind=agent")).map((row) => row["action"]);

/** An agent that called counts as affected also after a restart, when no gateway remembers it. */
async function affectedAfterRestart(options: ServerOptions): Promise<void> {
  const { server, operator } = await startedOperator(options);
  expect((await operator("POST", "agents", { json: AGENT })).status).toBe(201);
  for (const session_id of ["s-1", "s-2"])
    expect(await call(operator, { session_id })).toMatchObject({ decision: "allow" });
  await server.stop();
  const again = operatorOf(await serverOfTest({ ...options, env: { ...options.env, ...BOOTSTRAP_ENV } }));
  const affected = { agents: ["agent-1"], sessions: ["s-1", "s-2"], complete: true };
  expect((await quarantine(again, { dry_run: true })).body).toMatchObject({ affected });
  const target = { scope: "agent", target_id: "agent-1", reason: "drill", activated_by: "ana" };
  const tried = await again("POST", "kill-switch", { json: { ...target, dry_run: true } });
  expect(tried.body).toMatchObject({ affected });
  const nobody = await again("POST", "kill-switch", { json: { ...target, target_id: "x", dry_run: true } });
  expect(nobody.body).toMatchObject({ affected: { agents: [], sessions: [], complete: true } });
  expect((await quarantine(again)).body["affected"]).toMatchObject({ sessions: ["s-1", "s-2"] });
}

const quarantine = (operator: Client, more: object = {}) =>
  operator("POST", "agents/agent-1/quarantine", { json: { ...QUARANTINE, ...more } });

async function registry(options: ServerOptions): Promise<void> {
  const { operator } = await startedOperator(options);
  const called = { agent_id: "visitor", namespace: "payments" };
  expect(await call(operator, called)).toMatchObject({ decision: "allow" });
  const registered = await operator("POST", "agents", { json: AGENT });
  expect(registered.status).toBe(201);
  expect(registered.body).toMatchObject({ ...AGENT, status: "registered", severity: "INFO", enforced: true });
  expect(registered.headers["location"]).toBe("/api/v1/agents/agent-1");
  expect((await operator("POST", "agents", { json: AGENT })).status).toBe(409);
  await expectNamespaceAuthority(operator);
  await expectLists(operator);
  await expectAdoption(operator);

  const moved = await operator("PATCH", "agents/agent-1", { json: { namespace: "reports" } });
  expect(moved.body).toMatchObject({ id: "agent-1", namespace: "reports", tags: ["prod"], enforced: true });
  expect(await call(operator, { namespace: "payments" })).toMatchObject({
    reason_code: "namespace_mismatch",
  });
  expect((await operator("DELETE", "namespaces/reports")).body["detail"]).toContain("agent-1");
  expect((await operator("DELETE", "agents/agent-1")).body).toMatchObject({ removed: true, enforced: true });
  expect(await call(operator, { namespace: "payments" })).toMatchObject({ decision: "allow" });
  expect((await operator("GET", "agents/agent-1")).body).toMatchObject({ status: "discovered" });
  expect(await actionsOf(operator)).toEqual(["registered", "adopted", "updated", "removed"]);
}

async function expectNamespaceAuthority(operator: Client): Promise<void> {
  expect(await call(operator)).toMatchObject({ decision: "allow", policy_id: "of-payments" });
  const [row] = await rowsOf(operator, "kind=decision&agent_id=agent-1");
  expect(row).toMatchObject({ decision: "allow", namespace: "payments" });
  const foreign = await call(operator, { namespace: "reports" });
  expect(foreign).toMatchObject({ decision: "deny", reason_code: "namespace_mismatch" });
  expect(foreign["decision_id"]).toEqual(expect.any(String));
}

async function expectLists(operator: Client): Promise<void> {
  expect(await listed(operator)).toEqual(["agent-1", "visitor"]);
  expect(await listed(operator, "status=discovered")).toEqual(["visitor"]);
  expect(await listed(operator, "tag=prod")).toEqual(["agent-1"]);
  expect(await listed(operator, "severity=CRITICAL,EMERGENCY")).toEqual([]);
  const { status, body } = await operator("GET", "agents?severity=LOUD");
  expect([status, body["code"]]).toEqual([400, "invalid_request"]);
  const first = await operator("GET", "agents?limit=1");
  expect(await listed(operator, `limit=1&cursor=${String(first.body["next_cursor"])}`)).toEqual(["visitor"]);
  const { body: sessions } = await operator("GET", "agents/agent-1/sessions");
  expect(sessions).toMatchObject({ sessions: [{ session_id: "s-1", rows: 2 }], counted_all: true });
}

async function expectAdoption(operator: Client): Promise<void> {
  const { body: seen } = await operator("GET", "agents/visitor");
  expect(seen).toMatchObject({ status: "discovered", namespace: "payments", registered_at: null });
  expect(seen["first_seen"]).toEqual(expect.any(String));
  const adopted = await operator("POST", "agents/visitor/adopt");
  expect(adopted.status).toBe(201);
  expect(adopted.body).toMatchObject({ status: "registered", namespace: "payments", enforced: true });
  expect(await call(operator, { agent_id: "visitor", namespace: "reports" })).toMatchObject({
    reason_code: "namespace_mismatch",
  });
}

/** Ids that calls may name and that no path can. */
const UNADDRESSABLE = ["x/..", "x//y", "x/../y", "x/./y", "a/"];

/** What calls under such an id can be found and stopped, although it cannot be registered. */
async function unaddressable(options: ServerOptions): Promise<void> {
  const { operator } = await startedOperator(options);
  for (const id of UNADDRESSABLE) {
    for (const path of ["agents", "namespaces", "approval-workflows"]) {
      const { status, body } = await operator("POST", path, { json: { id, namespace: "payments" } });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("no path could name it")]);
    }
    const policy = await operator("POST", "policies", { yaml: `id: ${id}\ntools: { allowed: [] }\n` });
    expect([policy.status, policy.body["code"]]).toEqual([422, "invalid_policy"]);
    const named = { agent_id: id, session_id: id, tool: id, namespace: id };
    expect(await call(operator, named)).toMatchObject({ decision: "deny", reason_code: "no_policy" });
    for (const member of ["agent_id", "session_id", "tool", "namespace"])
      expect(await rowsOf(operator, `kind=decision&${member}=${encodeURIComponent(id)}`)).toHaveLength(1);
    for (const scope of ["agent", "session", "tool", "namespace"]) {
      const target = { scope, target_id: id, reason: "drill", activated_by: "ana" };
      const { body } = await untilEnforced(() => operator("POST", "kill-switch", { json: target }));
      expect(await call(operator, named)).toMatchObject({ reason_code: "kill_switch" });
      const lifted = { json: { reason: "drill", deactivated_by: "ana" } };
      await operator("DELETE", `kill-switch/${String(body["kill_switch_id"])}`, lifted);
    }
  }
  expect(await listed(operator)).toEqual(UNADDRESSABLE.toSorted());
}

async function severities(options: ServerOptions): Promise<void> {
  const { server, operator } = await startedOperator(options);
  await setLadder(operator, SUSPENDING_LADDER, {}, "payments");
  expect((await operator("POST", "agents", { json: AGENT })).status).toBe(201);
  const { key } = await issueKey(operator, { name: "agent-1", agents: ["agent-1"] });
  const agent = clientOf(server, key);
  expect((await agent("POST", "agents/agent-1/heartbeat", { json: { session_id: "s-1" } })).status).toBe(200);
  await untilSeverity(operator, "agent-1", "CRITICAL");
  const { body } = await operator("GET", "agents?severity=CRITICAL");
  expect(body["agents"]).toMatchObject([{ id: "agent-1", severity: "CRITICAL", status: "suspended" }]);
  expect((body["agents"] as Record<string, unknown>[])[0]?.["last_heartbeat"]).toEqual(expect.any(String));
  expect(await listed(operator, "severity=INFO")).toEqual([]);
  await expectSilentOrchestrator(operator);
}

/** An agent that makes no calls and sends heartbeats. */
async function expectSilentOrchestrator(operator: Client): Promise<void> {
  const beat = { json: { session_id: "s-1" } };
  expect((await operator("POST", "agents/boss/heartbeat", beat)).status).toBe(200);
  expect(await listed(operator)).toEqual(["agent-1", "boss"]);
  expect(await listed(operator, "status=discovered")).toEqual(["boss"]);
  expect(await listed(operator, "severity=INFO")).toEqual(["boss"]);
  expect((await operator("POST", "agents/boss/adopt")).body).toMatchObject({ namespace: "default" });
  const { status, body } = await operator("POST", "agents/nobody/adopt");
  expect([status, body["detail"]]).toEqual([404, expect.stringContaining("No call and no heartbeat")]);
}

async function contained(options: ServerOptions): Promise<void> {
  const { operator } = await startedOperator(options);
  expect((await quarantine(operator)).status).toBe(404);
  expect((await operator("POST", "agents", { json: AGENT })).status).toBe(201);
  await expectBlastRadius(operator);

  expect((await quarantine(operator)).status).toBe(201);
  expect(await call(operator)).toMatchObject({ decision: "deny", reason_code: "agent_quarantined" });
  expect(await call(operator, { tool: "payments.read_case" })).toMatchObject({ decision: "allow" });
  expect(await call(operator, { tool: "crm.read" })).toMatchObject({ decision: "deny" });
  const { body: health } = await operator("GET", "agents/agent-1/health");
  expect(health).toMatchObject({ status: "unsupervised", quarantine: { ...QUARANTINE, expires_at: null } });
  expect((await operator("DELETE", "agents/agent-1")).status).toBe(409);
  const lift = { json: { reason: "it was a drill", lifted_by: "ana" } };
  const lifted = await operator("DELETE", "agents/agent-1/quarantine", lift);
  expect(lifted.body).toMatchObject({ quarantine: null, enforced: true });
  expect(await call(operator)).toMatchObject({ decision: "allow" });

  const { body: short } = await quarantine(operator, { ttl_seconds: 2 });
  const { expires_at } = short["quarantine"] as { readonly expires_at: string };
  const decisionOf = async () => (await call(operator))["decision"];
  await expect.poll(decisionOf, SOON).toBe("allow");
  const rows = await rowsOf(operator, "kind=agent");
  expect(rows.map((row) => row["action"])).toEqual([
    "registered",
    "quarantined",
    "quarantine_lifted",
    "quarantined",
    "quarantine_expired",
  ]);
  expect(Date.parse(String(rows.at(-1)?.["time"]))).toBeGreaterThanOrEqual(Date.parse(expires_at));
  expect((await operator("GET", "agents/agent-1/health")).body).toMatchObject({ quarantine: null });
}

/** A dry run says what would stop, and stops nothing. */
async function expectBlastRadius(operator: Client): Promise<void> {
  const first = await call(operator);
  for (const session_id of ["s-1", "s-2"])
    expect(await call(operator, { session_id })).toMatchObject({ decision: "allow" });
  const json = { decision_id: first["decision_id"], status: "succeeded" };
  expect((await operator("POST", "gateway/outcome", { json })).status).toBe(200);
  const tried = await quarantine(operator, { dry_run: true });
  const affected = { agents: ["agent-1"], calls_per_hour: 3, calls_in_flight: 2 };
  expect(tried.status).toBe(200);
  expect(tried.body).toMatchObject({ dry_run: true, enforced: false, affected });
  const target = { scope: "namespace", target_id: "payments", reason: "drill", activated_by: "ana" };
  const { body } = await operator("POST", "kill-switch", { json: { ...target, dry_run: true } });
  expect(body).toMatchObject({ dry_run: true, affected });
  for (const answer of [tried.body, body]) {
    const { sessions } = answer["affected"] as { readonly sessions: readonly string[] };
    expect(sessions.toSorted()).toEqual(["s-1", "s-2"]);
  }
  expect(await call(operator, { tool: "payments.read_case" })).toMatchObject({ decision: "allow" });
}

describe("SQLite", () => {
  // proves AGT-01, AGT-05, AGT-07, AGT-08, NS-02
  it("registers, lists, adopts, moves and removes agents", async () =>
    registry((await sharedDirectory()).before));

  // proves AGT-14
  it("finds and stops what calls under an id that no path can name", async () =>
    unaddressable((await sharedDirectory()).before));

  // proves AGT-02
  it("lists agents by severity", async () => severities((await sharedDirectory()).before));

  // proves AGT-05, AGT-09, AGT-10, AGT-11
  it("holds an agent in quarantine to what it may read", async () =>
    contained((await sharedDirectory()).before));

  // proves AGT-10, AGT-15
  it("knows after a restart whom a containment affects", async () =>
    affectedAfterRestart((await sharedDirectory()).before));
});

// skip: the machine has no PostgreSQL; continuous integration has one.
describe.skipIf(missing.postgres !== null)("PostgreSQL", () => {
  // proves AGT-01, AGT-05, AGT-07, AGT-08, NS-02
  it("registers, lists, adopts, moves and removes agents", async () =>
    registry((await sharedPostgres()).before));

  // proves AGT-05, AGT-09, AGT-10, AGT-11
  it("holds an agent in quarantine to what it may read", async () =>
    contained((await sharedPostgres()).before));
});
