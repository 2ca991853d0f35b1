// long: it waits until a silent agent is terminated
// waits: until agents are silent

import { describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { withCliKey } from "../support/cli/cli-key.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startProcess } from "../support/processes/child-process.ts";
import type { ProgramResult } from "../support/processes/run-program.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";
import { rolesAt, superviseSilent } from "../support/server/supervision.ts";

const TIMEOUT_MS = 120_000;
const WITHIN = { timeout: 30_000, interval: 100 };
const REASON = ["--reason", "incident 7"];

const envOf = (url: string) => ({ SVC_URL: url, USER: "ana", XDG_CONFIG_HOME: "/none" });

const cliAt =
  ({ url }: Pick<ServerProcess, "url">) =>
  (...args: readonly string[]): Promise<ProgramResult> =>
    runCli(args, envOf(url));

async function codeOf({ url }: ServerProcess): Promise<unknown> {
  const { body } = await execute(url);
  return body["reason_code"] ?? body["decision"];
}

async function rowOf({ url }: ServerProcess, { stdout }: ProgramResult): Promise<unknown> {
  const id = (JSON.parse(stdout) as { readonly audit_row: string }).audit_row;
  return (await send("GET", `${url}/api/v1/audit/${id}`)).body["row"];
}

describe("svc-cli agents", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-50
  it("registers an agent, puts it into quarantine, releases it, and names the undo and the row", async () => {
    const server = await serverOfTest();
    const cli = cliAt(server);
    await createPolicy(server.url);
    const unseen = await cli("agents", "register", "agent-1", "--dry-run");
    expect([unseen.exitCode, unseen.stdout]).toEqual([
      1,
      "dry run  nothing was changed; agent agent-1 was never seen: name its namespace with --namespace\n",
    ]);
    expect(await codeOf(server)).toBe("allow");
    const adopted = await cli("agents", "register", "agent-1", "--tags", "prod,eu", ...REASON, "-o", "json");
    expect([adopted.exitCode, adopted.stderr]).toEqual([0, ""]);
    expect(await rowOf(server, adopted)).toMatchObject({ action: "adopted", reason: "incident 7" });
    expect(await cli("agents", "register", "agent-1", "--namespace", "default")).toMatchObject({
      exitCode: 1,
    });

    const dry = await cli("agents", "quarantine", "agent-1", ...REASON, "--dry-run");
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toContain("nothing was limited");
    expect(await codeOf(server)).toBe("allow");
    const held = await cli("agents", "quarantine", "agent-1", ...REASON, "--ttl", "1h", "-o", "json");
    expect([held.exitCode, held.stderr]).toEqual([0, ""]);
    expect(JSON.parse(held.stdout)).toMatchObject({
      schema: "svc.cli.quarantine/v1",
      enforced: true,
      undo: 'svc-cli agents release agent-1 --reason "..."',
    });
    expect(await rowOf(server, held)).toMatchObject({ action: "quarantined", actor: "ana" });
    expect(await codeOf(server)).toBe("agent_quarantined");
    const released = await cli("agents", "release", "agent-1", ...REASON, "-o", "json");
    expect(await rowOf(server, released)).toMatchObject({
      action: "quarantine_lifted",
      reason: "incident 7",
    });
    expect(await codeOf(server)).toBe("allow");
    expect((await cli("agents", "release", "agent-1", ...REASON)).stdout).toContain("is not in quarantine");
    const removed = await cli("agents", "unregister", "agent-1", ...REASON, "-o", "json");
    expect(JSON.parse(removed.stdout)).toMatchObject({
      enforced: true,
      undo: "svc-cli agents register agent-1 --namespace default",
    });
    expect(await rowOf(server, removed)).toMatchObject({ action: "removed", reason: "incident 7" });
    expect(await cli("agents", "unregister", "agent-1", "--dry-run")).toMatchObject({ exitCode: 1 });
    expect((await cli("agents", "held")).stdout).toBe("no held calls\n");
    expect(await cli("agents", "quarantine", "nobody", ...REASON)).toMatchObject({ exitCode: 1, stdout: "" });
    expect(await cli("agents", "quarantine", "agent-1")).toMatchObject({ exitCode: 2, stdout: "" });
  });

  // proves CLI-50
  it("watches an agent until it is terminated, and registers it again", async () => {
    const server = await serverOfTest();
    const cli = cliAt(server);
    await createPolicy(server.url);
    const anyone = rolesAt(server);
    await superviseSilent({ operator: anyone, agent: anyone }, { agentId: "agent-1", sessionId: "s-1" });
    const args = ["agents", "watch", "-o", "ndjson"];
    const watch = await startProcess(process.execPath, [CLI_ENTRY, ...args], {
      env: await withCliKey(args, envOf(server.url)),
      ready: { line: /^\{/ },
    });
    await expect.poll(() => watch.output(), WITHIN).toContain('"severity":"EMERGENCY"');
    watch.signal("SIGINT");
    expect(await watch.exited).toBe(130);
    const dry = await cli("agents", "reregister", "agent-1", ...REASON, "--dry-run");
    expect(dry.stdout).toContain("this would register session s-1 again");
    await expect.poll(async () => (await cli("kill", "list")).stdout, WITHIN).toContain("session s-1");
    const done = await cli("agents", "reregister", "agent-1", ...REASON, "--end-kill-switch", "-o", "json");
    expect([done.exitCode, done.stderr]).toEqual([0, ""]);
    expect(JSON.parse(done.stdout)).toMatchObject({ session_ids: ["s-1"], active_kill_switches: [] });
    expect(await rowOf(server, done)).toMatchObject({ action: "reregistered", reason: "incident 7" });
    expect(await codeOf(server)).toBe("allow");
    expect(await cli("agents", "reregister", "agent-1", ...REASON)).toMatchObject({ exitCode: 1 });
  });
});

describe("svc-cli status", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-58
  it("shows what runs, what is stopped and what is denied, and what it may not read", async () => {
    const server = await serverOfTest();
    const cli = cliAt(server);
    await createPolicy(server.url);
    await execute(server.url);
    await execute(server.url, { tool: "db.drop" });
    await cli("kill", "agent", "agent-1", ...REASON);
    const shown = await cli("status");
    expect([shown.exitCode, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toMatch(/^server +ready\ngateways +1, /);
    expect(shown.stdout).toContain("every call of agent agent-1: incident 7 (ana)");
    expect(shown.stdout).toContain("50.0 % denied: of the last 2, 1 denied, 0 paused, 1 allowed");
    expect(shown.stdout).toContain("none of them denied by a fault");
    const json = await cli("status", "-o", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: "svc.cli.status/v2",
      server: { known: true, value: { status: "ready" } },
      agents: { known: true, value: { items: [], is_all: true } },
    });
  });

  // proves CLI-58
  it("goes on while the server is away, and says so", async () => {
    const server = await serverOfTest();
    const args = ["status", "-w", "-o", "ndjson"];
    const watch = await startProcess(process.execPath, [CLI_ENTRY, ...args], {
      env: await withCliKey(args, envOf(server.url)),
      ready: { line: /^\{/ },
    });
    await server.stop("SIGKILL");
    await expect.poll(() => watch.lines.at(-1), WITHIN).toContain('"known":false');
    watch.signal("SIGINT");
    expect(await watch.exited).toBe(130);
  });
});

// proves CLI-51
it.each([
  ["agents", "watch"],
  ["agents", "quarantine", "a", ...REASON],
  ["agents", "release", "a", ...REASON],
  ["agents", "reregister", "a", ...REASON],
  ["agents", "register", "a"],
  ["approvals", "list"],
  ["approvals", "watch"],
  ["approvals", "approve", "a", ...REASON],
  ["status"],
  ["status", "-w"],
])(
  "%s %s says in one line that no server is there, and ends with 3",
  async (...args) => {
    const { exitCode, stdout, stderr } = await cliAt({ url: "http://127.0.0.1:1" })(...args);
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(
      /^error: .*the control plane at http:\/\/127\.0\.0\.1:1 \(SVC_URL\) does not answer.*\n$/,
    );
  },
  30_000,
);
