// peers: postgres
// long: it starts several servers, and leases and memberships have to end

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/cli/run-cli.ts";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { createPolicy, send } from "../../support/server/api.ts";
import { clusterOfTest } from "../../support/server/cluster.ts";
import { fetchWithKey } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

/** Milliseconds that a gateway decides by what it has read. docs/AUDIT.md promises it. */
const LEASE_MS = 1_500;

/** Milliseconds in which another process has read a new switch. */
const READ_WITHIN_MS = 1_000;

const STOP = { scope: "agent", target_id: "agent-1", reason: "it loops", activated_by: "operator" };

async function activate(url: string) {
  const { status, body } = await send("POST", `${url}/v1/kill-switch`, { body: STOP });
  expect([200, 201]).toContain(status);
  return { id: String(body["kill_switch_id"]), body };
}

interface Verified {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The file that was verified. */
  readonly file: string;
}

interface Certified extends Verified {
  readonly certificate: { readonly [member: string]: unknown };
  readonly gateways: readonly { readonly [member: string]: unknown }[];
}

async function verify(file: string, key: string, ...more: string[]) {
  return runCli(["compliance", "verify-certificate", file, "--public-key", key, ...more]);
}

/** Gets a certificate as an operator does, and verifies it with the given keys and without the server. */
async function certified(url: string, id: string, keys: string): Promise<Certified> {
  const response = await fetchWithKey(`${url}/v1/kill-switch/${id}/certificate`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const file = join(await temporaryDirectory(), "certificate.txt");
  await writeFile(file, await response.text());
  const json = await verify(file, keys, "-o", "json");
  const { certificate } = JSON.parse(json.stdout) as Certified;
  const gateways = certificate["gateways"] as Certified["gateways"];
  return { ...(await verify(file, keys)), file, certificate, gateways };
}

async function keysOf(url: string): Promise<string> {
  const { body } = await send("GET", `${url}/api/v1/audit/public-key`);
  const file = join(await temporaryDirectory(), "keys.txt");
  await writeFile(file, (body["keys"] as readonly string[]).join("\n"));
  return file;
}

describe("the containment certificate of a single process", () => {
  // proves KILL-32, KILL-41
  it("names the gateway, the audit row and its checkpoint, and follows a restart and an end", async () => {
    const dataDir = await temporaryDirectory();
    const first = await serverOfTest({ dataDir });
    await createPolicy(first.url);
    const keys = await keysOf(first.url);
    const { id } = await activate(first.url);
    const found = await certified(first.url, id, keys);
    expect(found.stdout).toContain(`${id}: contained since `);
    expect(found.exitCode).toBe(0);
    expect(found.certificate).toMatchObject({ clock: "process", containment: "contained", status: "active" });
    expect(found.gateways).toMatchObject([{ state: "enforcing" }]);
    await expect
      .poll(async () => (await certified(first.url, id, keys)).certificate["audit_row"], { timeout: 20_000 })
      .toMatchObject({
        hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        checkpoint_size: expect.any(Number) as number,
      });
    const { audit_row: row } = (await certified(first.url, id, keys)).certificate;
    const { id: rowId, hash } = row as { readonly id: string; readonly hash: string };
    const read = await send("GET", `${first.url}/api/v1/audit/${rowId}`);
    expect(read.body).toMatchObject({ hash, row: { kind: "kill_switch", kill_switch_id: id } });
    await first.stop("SIGKILL");
    const second = await serverOfTest({ dataDir });
    const later = await certified(second.url, id, keys);
    expect(later.gateways).toMatchObject([{ state: "enforcing" }, { state: "joined_later" }]);
    expect(later.exitCode).toBe(0);
    const end = { reason: "over", deactivated_by: "operator" };
    expect((await send("DELETE", `${second.url}/v1/kill-switch/${id}`, { body: end })).status).toBe(200);
    const ended = await certified(second.url, id, keys);
    expect(ended.stdout).toContain(`${id}: ENDED, so nothing is contained`);
    expect(ended.exitCode).toBe(5);
    const changed = join(await temporaryDirectory(), "changed.txt");
    await writeFile(changed, (await readFile(found.file, "utf8")).replace("agent-1", "agent-2"));
    expect(await verify(changed, keys)).toMatchObject({
      exitCode: 1,
      stdout: "broken: it was changed: its signature does not match its text\n",
    });
    expect((await send("GET", `${second.url}/v1/kill-switch/ks_none/certificate`)).status).toBe(404);
  }, 90_000);
});

describePostgres("the containment certificate of a cluster", (postgres) => {
  // proves KILL-32, KILL-39, KILL-40
  it("S2, S3, S7: claims nothing of a paused gateway before its lease has ended", async () => {
    const cluster = await clusterOfTest(postgres());
    const control = await cluster.start("control-1", "control");
    const [, two] = await Promise.all([
      cluster.start("gateway-1", "gateway"),
      cluster.start("gateway-2", "gateway"),
    ]);
    await createPolicy(control.url);
    const other = await cluster.start("control-2", "control");
    const keys = await keysOf(other.url);
    two.signal("SIGSTOP");
    const { id } = await activate(control.url);
    const early = await certified(control.url, id, keys);
    // The process that activated the switch is gone. What it knew is in the database.
    await control.stop("SIGKILL");
    expect(early.exitCode).toBe(5);
    expect(early.stdout).toContain(`${id}: NOT YET CONTAINED, until `);
    expect(early.certificate).toMatchObject({ clock: "database", issued_by: "control-1" });
    expect(early.gateways).toMatchObject([
      { id: "gateway-1", state: "enforcing", contained_at_latest: null },
      { id: "gateway-2", state: "not_yet_contained", acknowledged_at: null, contained_since: null },
    ]);
    let denying = early;
    await expect
      .poll(
        async () => {
          denying = await certified(other.url, id, keys);
          return denying.exitCode;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
    expect(denying.gateways).toMatchObject([
      { state: "enforcing" },
      { state: "denying", acknowledged_at: null },
    ]);
    expect(denying.stdout).toContain("unverified gateway-2: not acknowledged, and denying every call");
    const acknowledgedMs = Date.parse(String(denying.gateways[0]?.["acknowledged_at"]));
    const sinceMs = Date.parse(String(denying.certificate["contained_since"]));
    expect(sinceMs).toBeLessThanOrEqual(acknowledgedMs + LEASE_MS);
    // The process that certifies counts the lease from its own first read of the switch.
    expect(sinceMs).toBeGreaterThan(acknowledgedMs + LEASE_MS - READ_WITHIN_MS);
    two.signal("SIGCONT");
    await cluster.start("gateway-3", "gateway");
    await expect
      .poll(async () => (await certified(other.url, id, keys)).gateways, { timeout: 20_000 })
      .toMatchObject([
        { id: "gateway-1", state: "enforcing" },
        { id: "gateway-2", state: "enforcing", acknowledged_at: expect.any(String) as string },
        { id: "gateway-3", state: "joined_later", acknowledged_at: null },
      ]);
    // A gateway that has not read the end still denies. Nobody may read that as a switch in force.
    two.signal("SIGSTOP");
    const end = { reason: "over", deactivated_by: "operator" };
    expect((await send("DELETE", `${other.url}/v1/kill-switch/${id}`, { body: end })).status).toBeLessThan(
      300,
    );
    const over = await certified(other.url, id, keys);
    expect([over.exitCode, over.stdout]).toEqual([5, expect.stringContaining(`${id}: ENDED, so nothing`)]);
    expect(over.certificate).toMatchObject({
      status: "inactive",
      containment: "ended",
      contained_since: null,
    });
    expect(new Set(over.gateways.map(({ state }) => state))).toEqual(new Set(["ended"]));
    expect(over.gateways.map(({ contained_since }) => contained_since)).toEqual(
      over.gateways.map(() => null),
    );
    two.signal("SIGCONT");
    // The certificate from before says of which moment it is.
    expect((await verify(denying.file, keys)).stdout).toContain(
      `, as of ${String(denying.certificate["issued_at"])}`,
    );
  }, 120_000);
});
