// long: it restarts a server, and a command waits for it

import { describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startProcess } from "../support/processes/child-process.ts";
import type { ProgramResult } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { callOf } from "../support/server/api.ts";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const TIMEOUT_MS = 120_000;
const WITHIN = { timeout: 30_000, interval: 50 };

const POLICY = `id: refunds
agent_id: agent-1
tools: { allowed: ['payments.*'] }
rules:
  - id: big
    match: { tool: payments.*, condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

interface Server {
  readonly url: string;
}

/** Runs svc-cli with a key. */
const cliOf =
  ({ url }: Server, key: string) =>
  (...args: readonly string[]): Promise<ProgramResult> =>
    runCli(["approvals", ...args], envOf(url, key));

const envOf = (url: string, key: string) => ({ SVC_URL: url, SVC_API_KEY: key, XDG_CONFIG_HOME: "/none" });

async function people(server: Server) {
  const operator = operatorOf(server);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const agent = await issueKey(operator);
  const approver = await issueKey(operator, { role: "approver" });
  return { operator, agent, approver };
}

async function pause(agent: Client, amount = 900): Promise<string> {
  const { body } = await agent("POST", "gateway/execute", { json: callOf({ args: { amount } }) });
  expect(body["decision"]).toBe("pause");
  return String(body["approval_url"]).split("/").at(-1) ?? "";
}

describe("svc-cli approvals", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-55, CLI-57
  it("lists, shows, edits and approves a call, and tells anyone who is late what became of it", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const { operator, agent, approver } = await people(server);
    const asAgent = clientOf(server, agent.key);
    const id = await pause(asAgent);
    const cli = cliOf(server, approver.key);
    const listed = await cli("list", "--agent", "agent-1");
    expect(listed.stdout.split("\t").slice(0, 7)).toEqual([
      id,
      "pending",
      "agent-1",
      "s-1",
      "payments.refund",
      "big",
      "refunds v1",
    ]);
    expect((await cli("show", id)).stdout).toContain('"amount": 900');
    const reason = ["--reason", "half of it"];
    const dry = await cli("approve", id, ...reason, "--dry-run");
    expect([dry.exitCode, dry.stdout.split("\n")[0]]).toEqual([
      0,
      "dry run  nothing was changed; this would approve the call",
    ]);
    const approved = await cli("approve", id, ...reason, "--edit-args", '{"amount":450}', "-o", "json");
    expect([approved.exitCode, approved.stderr]).toEqual([0, ""]);
    expect(JSON.parse(approved.stdout)).toMatchObject({
      schema: "svc.cli.approval-change/v1",
      changed: true,
      audit_row: null,
      approval: { status: "approved", edited_args: { amount: 450 }, resolution: "half of it" },
    });
    const late = await cli("deny", id, "--reason", "no");
    expect(late.exitCode).toBe(1);
    expect(late.stdout).toContain(`not denied  ${id} is approved at `);
    const allowed = await asAgent("POST", "gateway/execute", { json: callOf({ args: { amount: 900 } }) });
    expect(allowed.body).toMatchObject({ decision: "allow", shaped_args: { amount: 450 } });

    const second = await pause(asAgent);
    const { key } = await issueKey(operator, { role: "admin" });
    const denied = await cliOf(server, key)("deny", second, "--reason", "no", "-o", "json");
    const answer = JSON.parse(denied.stdout) as { audit_row: string };
    const row = await operator("GET", `audit/${answer.audit_row}`);
    expect(row.body["row"]).toMatchObject({ kind: "approval", action: "denied", approval_id: second });
  });

  // proves CLI-57, APR-75
  it("refuses the agent itself, a wrong key, and an approval of a replaced policy, and says so", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const { operator, agent, approver } = await people(server);
    const id = await pause(clientOf(server, agent.key));
    const reason = ["--reason", "r"];
    expect(await cliOf(server, agent.key)("approve", id, ...reason)).toMatchObject({
      exitCode: 4,
      stdout: "",
    });
    const wrong = `${approver.key}x`;
    const refused = await cliOf(server, wrong)("approve", id, ...reason);
    expect(refused).toMatchObject({ exitCode: 4, stdout: "" });
    expect(refused.stderr).not.toContain(wrong);
    const cli = cliOf(server, approver.key);
    expect(await cli("approve", "apr_none", ...reason)).toMatchObject({ exitCode: 1, stdout: "" });
    const changed = await operator("PUT", "policies/refunds", {
      yaml: POLICY.replace("value: 100", "value: 50"),
    });
    expect(changed.status).toBe(200);
    const dead = (await cli("list")).stdout.split("\t");
    expect([dead[1], dead[6]]).toEqual(["void", "refunds v1, replaced"]);
    expect((await cli("show", id)).stdout).toMatch(
      /^void +The policy refunds has changed: version 1 paused/m,
    );
    const superseded = await cli("approve", id, ...reason);
    expect([superseded.exitCode, superseded.stdout.split("\n")[0]]).toEqual([
      1,
      `not approved  ${id} is pending`,
    ]);
    expect(superseded.stdout).toContain("version");
  });
});

describe("svc-cli approvals watch", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-56
  it("shows each approval once, also those of the time when the server was away", async () => {
    const dataDir = await temporaryDirectory();
    const server = await serverOfTest({ env: BOOTSTRAP_ENV, dataDir });
    const { agent, approver } = await people(server);
    const first = await pause(clientOf(server, agent.key));
    const watch = await startProcess(process.execPath, [CLI_ENTRY, "approvals", "watch", "-o", "ndjson"], {
      env: envOf(server.url, approver.key),
      ready: { line: /^\{/ },
    });
    const ids = () =>
      watch.lines
        .filter((line) => line.startsWith("{"))
        .map((line) => (JSON.parse(line) as { readonly id: string }).id);
    expect(ids()).toEqual([first]);
    const second = await pause(clientOf(server, agent.key), 901);
    await expect.poll(ids, WITHIN).toEqual([first, second]);
    await server.stop("SIGKILL");
    await expect.poll(() => watch.output(), WITHIN).toContain("trying again");
    const env = { ...BOOTSTRAP_ENV, SVC_LISTEN: `127.0.0.1:${String(server.port)}` };
    const again = await serverOfTest({ env, dataDir });
    const third = await pause(clientOf(again, agent.key), 902);
    await expect.poll(ids, WITHIN).toEqual([first, second, third]);
    watch.signal("SIGINT");
    expect(await watch.exited).toBe(130);
  });
});
