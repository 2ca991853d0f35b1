// long: a command tries for seconds to reach a server that is gone

import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli/run-cli.ts";
import type { ProgramResult } from "../support/processes/run-program.ts";
import { execute } from "../support/server/api.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

const TIMEOUT_MS = 60_000;

/** Runs svc-cli as its user would, against the server. */
function cliAt({ url }: Pick<ServerProcess, "url">, env: Readonly<Record<string, string>> = {}) {
  return (...args: readonly string[]): Promise<ProgramResult> =>
    runCli(args, {
      SVC_URL: url,
      USER: "ana",
      XDG_CONFIG_HOME: "/none",
      ...env,
    });
}

const REASON = ["--reason", "it loops"];

async function verdictOf({ url }: ServerProcess): Promise<unknown> {
  const { body } = await execute(url, { agent_id: "agent-1" });
  return [body["decision"], body["reason_code"]];
}

describe("svc-cli kill", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-40
  it("stops an agent, lists the switch and lets the agent go on", async () => {
    const server = await serverOfTest();
    const cli = cliAt(server);
    const before = await verdictOf(server);
    const dry = await cli("kill", "agent", "agent-1", ...REASON, "--dry-run");
    expect(dry).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("nothing was stopped") as string,
    });
    expect(await verdictOf(server)).toEqual(before);

    const killed = await cli("kill", "agent", "agent-1", ...REASON, "--ttl", "30m", "-o", "json");
    expect([killed.exitCode, killed.stderr]).toEqual([0, ""]);
    const answer = JSON.parse(killed.stdout) as Record<string, unknown>;
    expect(answer).toMatchObject({
      schema: "svc.cli.kill/v1",
      enforced: true,
      reason: "it loops",
      activated_by: "ana",
    });
    const row = (await cli("audit", "show", String(answer["audit_row"]), "-o", "json")).stdout;
    expect(row).toContain('"action": "activated"');
    const remaining = Date.parse(String(answer["expires_at"])) - Date.parse(String(answer["activated_at"]));
    expect(remaining).toBe(30 * 60_000);
    expect(await verdictOf(server)).toEqual(["deny", "kill_switch"]);

    const id = String(answer["kill_switch_id"]);
    const listed = await cli("kill", "list");
    expect(listed.stdout.split("\n")[0]?.split("\t").slice(0, 3)).toEqual([id, "active", "agent agent-1"]);
    const ended = await cli("unkill", id, "--reason", "mended");
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('undo      svc-cli kill agent agent-1 --reason "..."') as string,
    });
    expect(ended.stdout).toMatch(/^audit row [a-z]+_\S+$/m);
    const twice = await cli("unkill", id, "--reason", "mended");
    expect([twice.exitCode, twice.stdout.split("  ")[0]]).toEqual([0, "had ended already"]);
    expect(await verdictOf(server)).toEqual(before);
    expect((await cli("kill", "list")).stdout).toBe("no active kill switches\n");
    const all = await cli("kill", "list", "--status", "all");
    expect(all.stdout.split("\t").slice(1, 5)).toEqual([
      "inactive",
      "agent agent-1",
      expect.stringMatching(/Z$/),
      expect.stringMatching(/^ended 20.*Z$/),
    ]);
    expect(await cli("unkill", "ks_none", "--reason", "mended")).toMatchObject({ exitCode: 1, stdout: "" });
  });

  // proves CLI-40
  it("stops a namespace or everything only after the name was typed, or with --yes", async () => {
    const server = await serverOfTest();
    const cli = cliAt(server);
    const unasked = await cli("kill", "global", ...REASON);
    expect(unasked).toMatchObject({ exitCode: 2, stdout: "" });
    expect(unasked.stderr).toBe(
      "error: NOT STOPPED by this command. This stops every call of the organization, at every gateway. " +
        "Nobody can be asked here, so pass --yes\n",
    );
    expect((await cli("kill", "list")).stdout).toBe("no active kill switches\n");
    const killed = await cli("kill", "global", ...REASON, "--yes", "--ttl", "1h");
    expect(killed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^STOPPED +EVERY call/) as string,
    });
    expect(await verdictOf(server)).toEqual(["deny", "kill_switch"]);
  });

  // proves CLI-41
  it("says that nothing was stopped when no server is there", async () => {
    const server = await serverOfTest();
    await server.stop("SIGKILL");
    const { exitCode, stdout, stderr } = await cliAt(server)("kill", "agent", "agent-1", ...REASON);
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(
      /^error: NOT STOPPED by this command: the control plane at \S+ \(SVC_URL\) does not answer/,
    );
  });

  // proves CLI-41
  it("ends with 4 when the key is missing, wrong or may not kill, and never shows it", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const { key } = await issueKey(operatorOf(server), { name: "agent-1", agents: ["agent-1"] });
    for (const apiKey of [undefined, `${BOOTSTRAP_KEY}x`, key]) {
      const cli = cliAt(server, apiKey === undefined ? {} : { SVC_API_KEY: apiKey });
      const { exitCode, stdout, stderr } = await cli("kill", "agent", "agent-1", ...REASON);
      expect([exitCode, stdout]).toEqual([4, ""]);
      expect(stderr).toMatch(/^error: [A-Z]/);
      expect(stderr).not.toContain(apiKey ?? BOOTSTRAP_KEY);
    }
    const known = cliAt(server, { SVC_API_KEY: BOOTSTRAP_KEY });
    expect((await known("kill", "agent", "agent-1", ...REASON, "--expect-unseen")).exitCode).toBe(0);
    const unseen = await known("kill", "agent", "agent-2", ...REASON);
    expect(unseen.exitCode).toBe(5);
    expect(unseen.stdout).toMatch(/^WARNING: no such agent seen\. No call from agent agent-2 .*\nSTOPPED /);
  });
});
