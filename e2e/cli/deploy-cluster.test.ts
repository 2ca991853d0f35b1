// peers: postgres
// long: a frozen gateway is waited for
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { type CliFolder, cliFolder } from "../support/cli/cli-folder.ts";
import { withCliKey } from "../support/cli/cli-key.ts";
import { startEnvironment } from "../support/processes/start-environment.ts";
import { send } from "../support/server/api.ts";
import { clusterOfTest, listGateways } from "../support/server/cluster.ts";

const WHY = ["--reason", "release 41"];
const TIMEOUT_MS = 120_000;

const policy = (tool: string): string => `id: p\nagent_id: agent-1\ntools: { allowed: [${tool}] }\n`;

async function latest(url: string): Promise<unknown> {
  return (await send("GET", `${url}/api/v1/policies/p`)).body["version"];
}

/** Starts a command that a test interrupts. */
async function started(
  { path, env }: CliFolder,
  args: readonly string[],
): Promise<ChildProcess & { readonly text: () => string }> {
  const child = spawn(process.execPath, [CLI_ENTRY, ...args], {
    cwd: path,
    env: { ...startEnvironment(), ...(await withCliKey(args, env)) },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return Object.assign(child, { text: () => text });
}

describePostgres("svc-cli deploy before two gateways", (postgres) => {
  // proves CLI-43
  it("waits for both, and never says ok while one is frozen", { timeout: TIMEOUT_MS }, async () => {
    const cluster = await clusterOfTest(postgres());
    const [one, two] = await Promise.all([cluster.start("gateway-1"), cluster.start("gateway-2")]);
    const cli = await cliFolder(one.url);
    await cli.write("p.yaml", policy("a"));
    const first = await cli.run("deploy", "p.yaml", ...WHY);
    expect([first.exitCode, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toMatch(/^gateways +2\/2, \d+ ms$/m);

    two.signal("SIGSTOP");
    await cli.write("p.yaml", policy("b"));
    const frozen = await cli.run("deploy", "p.yaml", ...WHY, "--wait", "1s");
    expect(frozen.exitCode).toBe(3);
    expect(frozen.stdout).toMatch(/^NOT IN FORCE EVERYWHERE p version 2, after 1/m);
    expect(frozen.stdout).toMatch(/^gateways +1\/2 have confirmed: the wait of 1 s is over$/m);
    expect(frozen.stdout).toMatch(/^gateway-2\tnot confirmed/m);
    expect(frozen.stdout).toContain("undo      svc-cli rollback p --to 1");

    two.signal("SIGCONT");
    // A gateway that was silent for ten seconds has dropped out, and comes back.
    await expect.poll(() => listGateways(one.url), { timeout: 20_000 }).toHaveLength(2);
    const again = await cli.run("deploy", "p.yaml", ...WHY);
    expect(again.stdout).toMatch(/runs as version 2 already[\s\S]*^gateways +2\/2/m);
    expect(again.exitCode).toBe(0);
  });

  // proves CLI-43
  it("ends with 130 at Ctrl-C, and says what is stored", { timeout: TIMEOUT_MS }, async () => {
    const cluster = await clusterOfTest(postgres());
    const [one, two] = await Promise.all([cluster.start("gateway-1"), cluster.start("gateway-2")]);
    const cli = await cliFolder(one.url);
    await cli.write("p.yaml", policy("a"));
    expect(await cli.run("deploy", "p.yaml", ...WHY)).toMatchObject({ exitCode: 0 });
    two.signal("SIGSTOP");
    await cli.write("p.yaml", policy("b"));
    const child = await started(cli, ["deploy", "p.yaml", ...WHY, "--wait", "10m"]);
    const closed = once(child, "close");
    const stored = async () => (child.exitCode === null ? await latest(one.url) : child.text());
    await expect.poll(stored, { timeout: 60_000 }).toBe(2);
    child.kill("SIGINT");
    expect(await closed).toEqual([130, null]);
    expect(child.text()).toContain("1/2 have confirmed: the wait was interrupted");
    two.signal("SIGCONT");
  });
});
