// long: it starts servers
// waits: for programs that start again
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { descendantsOf } from "../support/processes/process-family.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";

const TIMEOUT_MS = 90_000;

/** Milliseconds for something to become true. */
const WITHIN_MS = 20_000;

const POLICY = "id: shop\nagent_id: agent-1\ntools: { allowed: [pay], denied: [drop] }\n";

interface News {
  readonly event: string;
  readonly [member: string]: unknown;
}

interface Dev extends RunningProcess {
  readonly news: () => readonly News[];
  /** Waits for the n-th news that has these members. */
  readonly waitFor: (members: object, count?: number) => Promise<News>;
}

async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  const deadlineMs = performance.now() + WITHIN_MS;
  for (;;) {
    const value = look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error("it did not become true in time");
    await delay(25);
  }
}

/** A folder with a policy, where svc-cli dev can be started. `json`: the variable asks for lines of JSON. */
async function setUp({ form = "text" }: { readonly form?: "text" | "json" } = {}) {
  const { path: cwd, remove } = await makeTemporaryDirectory();
  onTestFinished(remove);
  mkdirSync(join(cwd, "policies"));
  mkdirSync(join(cwd, "tmp"));
  const write = (name: string, text: string): void => writeFileSync(join(cwd, "policies", name), text);
  write("shop.yaml", POLICY);
  // The lines of the server are JSON for svc-cli dev, whatever the user's form is.
  const env = { XDG_CONFIG_HOME: join(cwd, "config"), TMPDIR: join(cwd, "tmp"), SVC_LOG_FORMAT: form };
  const cli = (...args: readonly string[]) =>
    runProgram(process.execPath, [CLI_ENTRY, ...args], env, { cwd });
  const start = async (...more: readonly string[]): Promise<Dev> => {
    const byOption = form === "json" ? [] : ["-o", "ndjson"];
    const args = ["dev", "--port", "0", "--adapter-port", "0", ...byOption, ...more];
    const child = await startProcess(process.execPath, [CLI_ENTRY, ...args], {
      cwd,
      env,
      ready: { line: /"event":"started"/ },
      startWithinMs: WITHIN_MS,
    });
    const started = descendantsOf(child.pid);
    onTestFinished(async () => {
      await child.stop("SIGKILL");
      // Its server ends by itself, and writes into its folder until then.
      await until(() => started.every((pid) => !existsSync(`/proc/${String(pid)}`)));
    });
    const news = (): readonly News[] => child.lines.map((line) => JSON.parse(line) as News);
    const has = (members: object) => (one: News) =>
      Object.entries(members).every(([name, value]) => JSON.stringify(one[name]) === JSON.stringify(value));
    const waitFor = (members: object, count = 1) => until(() => news().filter(has(members))[count - 1]);
    return { ...child, news, waitFor };
  };
  return {
    cwd,
    write,
    cli,
    start,
    contexts: () => {
      const path = join(cwd, "config/svc/contexts.yaml");
      return existsSync(path) ? readFileSync(path, "utf8") : null;
    },
  };
}

async function ask(dev: Dev, tool: string, agent_id = "agent-1"): Promise<unknown> {
  const started = await dev.waitFor({ event: "started" });
  const key = readFileSync(String(started["api_key_file"]), "utf8").trim();
  const answer = await fetch(`${String(started["url"])}/api/v1/gateway/execute`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ agent_id, session_id: "s-1", tool, args: {} }),
  });
  const { decision } = (await answer.json()) as { decision?: unknown };
  return decision;
}

const LOADED = { event: "policy_loaded", policy_id: "shop" };

describe("svc-cli dev", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-70
  it("has a second key, by which a person approves what the first one asked for", async () => {
    const { start, write, cli, contexts } = await setUp();
    const rule = "{ id: r, match: { tool: pay }, action: require_approval }";
    write("ask.yaml", `id: ask\nagent_id: asking\ntools: { allowed: [pay] }\nrules:\n  - ${rule}\n`);
    const dev = await start("--agent", "asking");
    const started = await dev.waitFor({ event: "started" });
    expect(started["approver_context"]).toBe("dev-approver");
    expect(await ask(dev, "pay", "asking")).toBe("pause");
    const decision = await dev.waitFor({ event: "decision", decision: "pause" });
    expect(decision).toMatchObject({ session_id: "s-1", decision_id: expect.any(String) as string });
    const listed = await cli("approvals", "list", "--context", "dev-approver", "-o", "json");
    const { approvals } = JSON.parse(listed.stdout) as { approvals: [{ id: string }] };
    const approve = ["approvals", "approve", approvals[0].id, "--reason", "fine"];
    expect((await cli(...approve, "--context", "dev")).exitCode).toBe(4);
    expect(await cli(...approve, "--context", "dev-approver")).toMatchObject({ exitCode: 0 });
    expect(await ask(dev, "pay", "asking")).toBe("allow");
    dev.signal("SIGINT");
    expect(await dev.exited).toBe(130);
    expect(contexts()).toBeNull();
  });

  // proves CLI-70
  it("serves on loopback with a key of its own, and leaves nothing behind after Ctrl-C", async () => {
    const { cwd, cli, start, contexts } = await setUp();
    const dev = await start();
    const { url, checkgw_url, data_dir, api_key_file } = await dev.waitFor({ event: "started" });
    for (const address of [url, checkgw_url]) expect(new URL(String(address)).hostname).toBe("127.0.0.1");
    expect(statSync(String(api_key_file)).mode & 0o777).toBe(0o600);
    expect((await fetch(`${String(url)}/api/v1/policies`)).status).toBe(401);
    expect(await cli("kill", "list")).toMatchObject({ exitCode: 0, stdout: "no active kill switches\n" });
    expect(await cli("dev", "--port", "0")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("the context dev is that of a svc-cli dev at") as string,
    });
    const children = descendantsOf(dev.pid);
    expect(children).toHaveLength(1);
    dev.signal("SIGINT");
    dev.signal("SIGINT");
    expect(await dev.exited).toBe(130);
    expect(children.filter((pid) => existsSync(`/proc/${String(pid)}`))).toEqual([]);
    expect(existsSync(String(data_dir))).toBe(false);
    expect(String(data_dir).startsWith(join(cwd, "tmp"))).toBe(true);
    expect(contexts()).toBeNull();
  });

  // proves CLI-70
  it("ends its server when it is killed, and starts again in spite of what that left", async () => {
    const { start } = await setUp();
    const dev = await start();
    const { data_dir } = await dev.waitFor({ event: "started" });
    const children = descendantsOf(dev.pid);
    dev.signal("SIGKILL");
    await until(() => children.every((pid) => !existsSync(`/proc/${String(pid)}`)));
    expect(existsSync(String(data_dir))).toBe(false);
    const again = await start();
    expect(await ask(again, "pay")).toBe("allow");
  });

  // proves CLI-71
  it("takes a policy as it is saved, and keeps the version before one that is refused", async () => {
    const { cwd, write, start } = await setUp();
    const dev = await start();
    expect([await ask(dev, "pay"), await ask(dev, "drop")]).toEqual(["allow", "deny"]);
    write("shop.yaml", "id: shop\ntools: [");
    await dev.waitFor({ event: "policy_refused", in_force: { policy_id: "shop", version: 1 } });
    expect(await ask(dev, "pay")).toBe("allow");
    write("shop.yaml", POLICY.replace("[pay]", "[refund]"));
    await dev.waitFor({ ...LOADED, version: 2 });
    expect([await ask(dev, "pay"), await ask(dev, "refund")]).toEqual(["deny", "allow"]);
    write("shop.yaml", POLICY.replace("agent-1", "agent-2"));
    await dev.waitFor({ ...LOADED, agent_id: "agent-2" });
    expect([await ask(dev, "pay"), await ask(dev, "pay", "agent-2")]).toEqual(["deny", "allow"]);
    rmSync(join(cwd, "policies"), { recursive: true });
    await dev.waitFor({ event: "policy_removed" });
    expect(await ask(dev, "pay", "agent-2")).toBe("deny");
    mkdirSync(join(cwd, "policies"));
    write("other.yaml", POLICY.replace("shop", "other"));
    await dev.waitFor({ ...LOADED, policy_id: "other" });
    write("shop.yaml", POLICY.replace("agent-1", "agent-2"));
    await dev.waitFor({ ...LOADED, agent_id: "agent-2" }, 2);
    expect([await ask(dev, "pay"), await ask(dev, "pay", "agent-2")]).toEqual(["allow", "allow"]);
  });

  // proves CLI-72, OPS-90
  it("shows each decision as it happens, as JSON where SVC_LOG_FORMAT says so", async () => {
    const { start } = await setUp({ form: "json" });
    const dev = await start();
    await ask(dev, "pay");
    await ask(dev, "drop");
    const allowed = await dev.waitFor({ event: "decision", tool: "pay", decision: "allow" });
    expect(allowed).toMatchObject({
      schema: "svc.cli.dev/v1",
      agent_id: "agent-1",
      policy_id: "shop",
      ms: expect.any(Number) as number,
    });
    expect(await dev.waitFor({ event: "decision", tool: "drop" })).toMatchObject({
      decision: "deny",
      reason_code: "tool_denied",
      reason: "the policy denies the tool drop",
    });
  });

  // proves CLI-70
  it("keeps named data, and refuses what another one uses with the option that helps", async () => {
    const { cwd, start, cli } = await setUp();
    const first = await start("--data", "kept");
    const { url } = await first.waitFor({ event: "started" });
    const other = ["dev", "--name", "other", "--adapter-port", "0"];
    const sameData = await cli(...other, "--port", "0", "--data", "kept");
    expect([sameData.exitCode, sameData.stdout]).toEqual([2, ""]);
    expect(sameData.stderr).toContain("Choose another folder with --data.");
    const samePort = await cli(...other, "--port", new URL(String(url)).port);
    expect([samePort.exitCode, samePort.stdout]).toEqual([2, ""]);
    expect(samePort.stderr).toContain("Choose another port with --port; 0 picks free ones.");
    first.signal("SIGTERM");
    expect(await first.exited).toBe(130);
    for (const name of ["admin-key", "dev-approver-key"])
      expect(existsSync(join(cwd, "kept", name))).toBe(false);
    const second = await start("--data", "kept");
    await second.waitFor({ ...LOADED, version: 2 });
    expect(await ask(second, "pay")).toBe("allow");
  });

  it("ends with 3 when the server ends by itself", async () => {
    const { start } = await setUp();
    const dev = await start();
    for (const pid of descendantsOf(dev.pid)) process.kill(pid, "SIGKILL");
    expect(await dev.exited).toBe(3);
    expect(dev.output()).toContain("error: the server has ended by itself");
  });
});
