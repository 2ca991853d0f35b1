// peers: python3
// long: it runs a command for each answer of a person

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { withCliKey } from "../support/cli/cli-key.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { runAtTerminal } from "../support/processes/run-at-terminal.ts";
import { fetchWithKey } from "../support/server/role-keys.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const TIMEOUT_MS = 60_000;
/** Ctrl-D. */
const END_OF_INPUT = "\u0004";
const REASON = ["--reason", "it loops"];

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  for (const { kill_switch_id: id } of await active())
    await send("DELETE", `kill-switch/${id}`, { reason: "the test is over", deactivated_by: "ana" });
});
afterAll(() => server.stop("SIGKILL"));

const environment = () => ({ SVC_URL: server.url, USER: "ana", XDG_CONFIG_HOME: "/none", TERM: "dumb" });

const run = (...args: readonly string[]) => runCli(args, environment());

const type = async (types: string, ...args: readonly string[]) =>
  runAtTerminal([process.execPath, CLI_ENTRY, ...args], {
    env: await withCliKey(args, environment()),
    types,
  });

interface Active {
  readonly kill_switch_id: string;
  readonly scope: string;
}

async function active(): Promise<readonly Active[]> {
  const answer = await fetchWithKey(`${server.url}/api/v1/kill-switch?status=active`);
  return ((await answer.json()) as { readonly kill_switches: readonly Active[] }).kill_switches;
}

const send = (method: string, path: string, body: object) =>
  fetchWithKey(`${server.url}/api/v1/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** A switch is active whether or not a busy gateway has confirmed it in time, or has seen its name. */
const ACTIVE = "active";

function endOf(exitCode: number | null): number | string | null {
  return exitCode === 0 || exitCode === 3 || exitCode === 5 ? ACTIVE : exitCode;
}

const SWITCH = { scope: "tool", target_id: "payments.refund", reason: "it loops", activated_by: "ana" };

describe("a person who stops calls at a terminal", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-40
  it.each([
    ["tool", ["tool", "payments.refund"], "n\n", 1, "every call of tool payments.refund, by any agent", 0],
    ["tool", ["tool", "payments.refund"], END_OF_INPUT, 1, "Go on? [y/N]", 0],
    ["tool", ["tool", "payments.refund"], "y\n", ACTIVE, "switch    ks_", 1],
    ["tool", ["tool", "payments.refund", "--yes"], "", ACTIVE, "switch    ks_", 1],
    ["namespace", ["namespace", "payments"], "payment\n", 1, 'expected payments, found "payment"', 0],
    ["namespace", ["namespace", "payments"], "payments\n", ACTIVE, "switch    ks_", 1],
    ["global", ["global"], "yes\n", 1, 'expected global, found "yes"', 0],
    ["global", ["global"], "global\n", ACTIVE, "switch    ks_", 1],
    ["agent", ["agent", "agent-1"], "n\n", 1, "WARNING: no such agent seen. No call from agent agent-1", 0],
    ["agent", ["agent", "agent-1"], "y\n", ACTIVE, "switch    ks_", 1],
    ["agent", ["agent", "agent-1", "--expect-unseen"], "", ACTIVE, "switch    ks_", 1],
    ["session", ["session", "run-7"], "y\n", ACTIVE, "switch    ks_", 1],
  ])("is asked as severely as the switch is: %s %j, answer %j", async (...[scope, args, ...rest]) => {
    const [types, code, says, switches] = rest;
    const { exitCode, screen } = await type(types, "kill", ...args, ...REASON);
    expect([endOf(exitCode), screen]).toEqual([code, expect.stringContaining(says)]);
    if (code !== ACTIVE) expect(screen).toMatch(/NOT STOPPED by this command|Nothing was done/);
    expect((await active()).map((one) => one.scope)).toEqual(switches === 0 ? [] : [scope]);
  });

  // proves CLI-40
  it("is asked before the switch of a tool ends, and not where --yes says so", async () => {
    const unasked = await run("kill", "tool", "payments.refund", ...REASON);
    expect(unasked).toMatchObject({ exitCode: 2, stdout: "" });
    expect(unasked.stderr).toMatch(
      /^error: NOT STOPPED by this command\. .* Nobody can be asked here, so pass --yes/,
    );
    await send("POST", "kill-switch", SWITCH);
    const [found] = await active();
    const id = found?.kill_switch_id ?? "";
    const end = ["unkill", id, "--reason", "mended"];
    expect(await type("n\n", ...end)).toMatchObject({ exitCode: 1 });
    expect(await run(...end)).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await active()).toHaveLength(1);
    const asked = await type("y\n", ...end);
    expect(asked.screen).toContain(
      `This ends ${id} (ana: it loops), so that policies judge every call of tool`,
    );
    expect(endOf(asked.exitCode)).toBe(ACTIVE);
    expect(await active()).toEqual([]);
  });

  // proves CLI-40
  it("sees in a dry run whom a switch would stop, and which gateways an end would reach", async () => {
    const dry = await run("kill", "tool", "payments.refund", ...REASON, "--dry-run");
    expect(endOf(dry.exitCode)).toBe(ACTIVE);
    expect(dry.stdout).toMatch(
      /^WARNING: no such tool seen\. .*\ndry run {3}nothing was stopped; this would stop every call of tool/,
    );
    expect(dry.stdout).toMatch(/calls allowed in the last hour: 0 \(0\.0 a minute\)\n/);
    expect(dry.stdout).toMatch(/\ngw_\w+\t(?:[\d.]+ ms|not yet.*)\n/);
    await send("POST", "kill-switch", { ...SWITCH, scope: "agent", target_id: "agent-1" });
    const [found] = await active();
    const end = await run("unkill", found?.kill_switch_id ?? "", "--dry-run");
    expect(end.exitCode).toBe(0);
    expect(end.stdout).toMatch(/^dry run {3}nothing was changed; policies would judge agent agent-1 again\n/);
    expect(end.stdout).toMatch(/\ngw_\w+\t\S+\tup to date\t/);
    expect(await active()).toHaveLength(1);
  });
});
