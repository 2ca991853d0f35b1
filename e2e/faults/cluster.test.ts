// peers: postgres
// alone: an activation waits 100 ms for acknowledgements
// long: it starts several servers for each case
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { type Answer, createPolicy, send } from "../support/server/api.ts";
import { acknowledgedBy, clusterOfTest, listGateways } from "../support/server/cluster.ts";
import { activateEnforced } from "../support/server/kill-switches.ts";

const CALL = { agent_id: "agent-1", tool: "payments.refund" };

const STOP = { scope: "agent", target_id: "agent-1", reason: "test", activated_by: "operator" };

/** A gateway alone signs its log, too. The last process knows the keys of those before it. */
const SIGNERS = [
  ["gateway-1", "all"],
  ["gateway-2", "gateway"],
  ["gateway-3", "all"],
] as const;

async function publicKeys(url: string): Promise<readonly string[]> {
  return (await send("GET", `${url}/api/v1/audit/public-key`)).body["keys"] as readonly string[];
}

function execute(url: string) {
  return send("POST", `${url}/api/v1/gateway/execute`, { body: CALL });
}

function activate(url: string, body: object = STOP) {
  return send("POST", `${url}/api/v1/kill-switch`, { body });
}

/** A dry run, and a change of each other kind than an activation; what they change is there. */
async function preparedChanges(url: string): Promise<readonly (() => Promise<Answer>)[]> {
  const api = (path: string) => `${url}/api/v1/${path}`;
  const ended = await activate(url, { ...STOP, target_id: "agent-2" });
  const key = await send("POST", api("keys"), { body: { name: "leaked", role: "adapter" } });
  expect(key.status).toBe(201);
  const end = { reason: "over", deactivated_by: "operator" };
  return [
    () => activate(url, { ...STOP, target_id: "agent-3", dry_run: true }),
    () => send("DELETE", api(`kill-switch/${String(ended.body["kill_switch_id"])}`), { body: end }),
    () => send("DELETE", api(`keys/${String(key.body["id"])}`)),
    () => send("POST", api("policies/refunds/disable"), { body: { why: "test" } }),
  ];
}

/** Expects that the first gateway has acknowledged a change, and that the second one is named as silent. */
function expectNamed(answer: Answer["body"], silent: string): void {
  const [first, second] = acknowledgedBy(answer);
  expect(first?.acknowledged_ms).not.toBeNull();
  expect(second).toMatchObject({ id: silent, acknowledged_ms: null });
  expect(answer["note"]).toContain(silent);
}

describePostgres("several processes on one PostgreSQL", (postgres) => {
  // proves STATE-06, KILL-30, STATE-08
  it("each role serves its own routes, and a switch reaches every gateway", async () => {
    const cluster = await clusterOfTest(postgres());
    const control = await cluster.start("control-1", "control");
    const [one, two] = await Promise.all([
      cluster.start("gateway-1", "gateway"),
      cluster.start("gateway-2", "gateway"),
    ]);
    const created = await createPolicy(control.url);
    expect(created.status).toBe(201);
    expect(acknowledgedBy(created.body).map(({ id }) => id)).toEqual(["gateway-1", "gateway-2"]);
    expect(acknowledgedBy(created.body).every(({ acknowledged_ms }) => acknowledged_ms !== null)).toBe(true);
    for (const { url } of [one, two])
      expect(await execute(url)).toMatchObject({ body: { decision: "allow" } });

    const refused = await execute(control.url);
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(refused.body["detail"]).toContain(
      "This process has the role control. A process of the role gateway",
    );
    const elsewhere = await send("GET", `${one.url}/api/v1/policies`);
    expect(elsewhere.body["detail"]).toContain(
      "This process has the role gateway. A process of the role control",
    );

    const dry = await activate(control.url, { ...STOP, dry_run: true });
    expect(dry).toMatchObject({ status: 200, body: { affected: { agents: ["agent-1"] }, enforced: false } });
    expect(acknowledgedBy(dry.body).map(({ id }) => id)).toEqual(["gateway-1", "gateway-2"]);
    const killed = await activate(control.url);
    expect(killed.status).toBe(201);
    expect(acknowledgedBy((await activateEnforced(control.url, STOP)).body).map(({ id }) => id)).toEqual([
      "gateway-1",
      "gateway-2",
    ]);
    for (const { url } of [one, two])
      expect(await execute(url)).toMatchObject({ body: { decision: "deny", reason_code: "kill_switch" } });

    // A process that got no processor time for longer than its lease is listed without an end of it.
    const listed = async () =>
      (await listGateways(control.url)).map(({ id, role, lag, lease_ends_at: end }) => [
        id,
        role,
        lag,
        end !== null,
      ]);
    await expect.poll(listed, { timeout: 10_000 }).toEqual([
      ["control-1", "control", 0, true],
      ["gateway-1", "gateway", 0, true],
      ["gateway-2", "gateway", 0, true],
    ]);

    expect(await two.stop("SIGTERM")).toBe(0);
    expect((await listGateways(control.url)).map(({ id }) => id)).toEqual(["control-1", "gateway-1"]);
    expect(await control.stop("SIGTERM")).toBe(0);
  });

  // proves STATE-30
  it("processes that start at once on an empty database make one schema and one admin key", async () => {
    const cluster = await clusterOfTest(postgres());
    const servers = await Promise.all(
      ["gw-1", "gw-2", "gw-3"].map((name) => cluster.start(name, "all", { env: { SVC_AUTH: "on" } })),
    );
    const keys = await Promise.all(
      servers.map(({ dataDir }) => readFile(join(dataDir, "admin-key"), "utf8").catch(() => null)),
    );
    const made = keys.filter((key) => key !== null);
    expect(made).toHaveLength(1);
    const headers = { authorization: `Bearer ${made[0]?.trim() ?? ""}` };
    for (const { url } of servers)
      await expect
        .poll(async () => (await send("GET", `${url}/api/v1/whoami`, { headers })).status, {
          timeout: 10_000,
        })
        .toBe(200);
  });

  // proves STATE-06, STATE-31
  it("a silent gateway is named in every answer to a change, and drops out after ten seconds", async () => {
    const cluster = await clusterOfTest(postgres());
    const [one, two] = await Promise.all([cluster.start("gateway-1"), cluster.start("gateway-2")]);
    await createPolicy(one.url);
    const changes = await preparedChanges(one.url);
    two.signal("SIGSTOP");
    const killed = await activate(one.url);
    const at = Date.now();
    expect(killed).toMatchObject({ status: 201, body: { enforced: false } });
    const [first, second] = acknowledgedBy(killed.body);
    expect(first).toMatchObject({ id: "gateway-1" });
    expect(first?.acknowledged_ms).not.toBeNull();
    expect(second).toMatchObject({ id: "gateway-2", acknowledged_ms: null });
    expect(Date.parse(second?.lease_ends_at ?? "")).toBeLessThanOrEqual(at + 1_500);
    expect(killed.body["note"]).toContain(`gateway-2 so far`);
    expect(killed.body["note"]).toContain(second?.lease_ends_at);
    for (const change of changes) expectNamed((await change()).body, "gateway-2");
    await expect
      .poll(async () => (await listGateways(one.url)).map(({ id }) => id), { timeout: 15_000, interval: 250 })
      .toEqual(["gateway-1"]);
    const kept = await activateEnforced(one.url, STOP);
    expect(acknowledgedBy(kept.body).map(({ id }) => id)).toEqual(["gateway-1"]);
    two.signal("SIGCONT");
    expect(await execute(two.url)).toMatchObject({ body: { decision: "deny" } });
    await expect
      .poll(async () => (await execute(two.url)).body["reason_code"], { timeout: 5_000 })
      .toBe("kill_switch");
    const whole = await activateEnforced(one.url, STOP);
    expect(acknowledgedBy(whole.body).map(({ id }) => id)).toEqual(["gateway-1", "gateway-2"]);
  });

  // proves AUD-79, AUD-80, AUD-81
  it("the logs of all gateways are verified at once, also of one that is gone for good", async () => {
    const cluster = await clusterOfTest(postgres());
    const keys: string[] = [];
    const args = [CLI_ENTRY, "compliance", "audit-verify", "--database-url", cluster.databaseUrl];
    const verify = (...more: string[]) => runProgram(process.execPath, [...args, ...more]);
    for (const [name, role] of SIGNERS) {
      const dataDir = await temporaryDirectory();
      const server = await cluster.start(name, role, { dataDir });
      if (name === "gateway-1") await createPolicy(server.url);
      for (let call = 0; call < 5; call += 1) await execute(server.url);
      if (role === "all") expect(await publicKeys(server.url)).toHaveLength(keys.length + 1);
      expect(await server.stop("SIGTERM")).toBe(0);
      keys.push(await readFile(join(dataDir, "public-keys.txt"), "utf8"));
      // The machine of this gateway is gone, and its keys with it.
      await rm(dataDir, { recursive: true });
    }
    const keysFile = join(await temporaryDirectory(), "keys.txt");
    await writeFile(keysFile, keys.join(""));
    for (const more of [["--public-key", keysFile], []]) {
      const verified = await verify(...more);
      expect(verified.stdout).toMatch(/^LOG {2,}ROWS {2}FIRST {2,}LAST {2,}HEAD {2,}CHECKPOINT {2}VERDICT\n/);
      const line = (id: string) =>
        new RegExp(`^${id} +([0-9]+) +\\S+Z +\\S+Z +[0-9a-f]{16} +\\1 +intact$`, "m");
      expect(verified.stdout).toMatch(line("gateway-1"));
      expect(verified.stdout).toMatch(line("gateway-2"));
      expect(verified.stdout).toMatch(line("gateway-3"));
      expect(verified.exitCode).toBe(0);
      if (more.length === 0) expect(verified.stderr).toContain("comes from the database that is verified");
    }
    const json = JSON.parse((await verify("-o", "json")).stdout) as object;
    expect(json).toMatchObject({
      keys_from: "database",
      logs: SIGNERS.map(([log_id]) => ({ log_id, first_row_at: expect.any(String) as string })),
    });
    const foreign = await verify("--public-key", keys[0] ?? "");
    expect(foreign.stdout).toMatch(/^gateway-2 .* not judged$/m);
    expect(foreign.exitCode).toBe(5);
  }, 90_000);
});
