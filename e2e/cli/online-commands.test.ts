// long: it starts a server

import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli/run-cli.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { activate } from "../support/server/kill-switches.ts";
import { fetchWithKey } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const cli = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(args, { XDG_CONFIG_HOME: "/none", ...env });

describe("the online commands as processes", () => {
  // proves CLI-29
  it("lists agents and shows one", async () => {
    const { url } = await serverOfTest();
    const register = await fetchWithKey(`${url}/api/v1/agents`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "billing-bot", namespace: "default" }),
    });
    expect(register.status).toBe(201);
    const list = await cli(["agents", "list", "--url", url]);
    expect([list.exitCode, list.stdout]).toEqual([
      0,
      "billing-bot\tdefault\tINFO\tregistered\tnever\tnever\t\t\tno policy\t\t0\t0\t0\t0\t0\t0\n",
    ]);
    const json = await cli(["agents", "list", "-o", "json"], { SVC_URL: url });
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: "svc.cli.agents/v1",
      agents: [{ id: "billing-bot" }],
    });
    const shown = await cli(["agents", "show", "billing-bot", "--url", url]);
    expect([shown.exitCode, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toMatch(/^agent: +billing-bot\nnamespace: +default\nstatus: +registered\n/);
    await createPolicy(url, "id: p\nagent_id: billing-bot\ngovernance_mode: shadow\n");
    const body = JSON.stringify({ why: "test" });
    expect((await send("POST", `${url}/api/v1/policies/p/disable`, { body })).status).toBe(200);
    const { body: active } = await activate(url, { scope: "agent", target_id: "billing-bot" });
    const held = { reason: "r", quarantined_by: "ana" };
    await send("POST", `${url}/api/v1/agents/billing-bot/quarantine`, { body: JSON.stringify(held) });
    const stopped = (await cli(["agents", "list", "--url", url])).stdout.trimEnd().split("\t");
    expect(stopped.slice(3, 4)).toEqual(["registered, in quarantine"]);
    expect(stopped.slice(8, 10)).toEqual([
      "shadow",
      `${String(active["kill_switch_id"])}, policy p (disabled)`,
    ]);
    await execute(url, { agent_id: "unknown-bot" });
    const discovered = await cli(["agents", "show", "unknown-bot", "--url", url]);
    expect([discovered.exitCode, discovered.stderr]).toEqual([0, ""]);
    expect(discovered.stdout).toMatch(/^status: +discovered\nregistered: +no\n/m);
    expect(await cli(["agents", "show", "nobody", "--url", url])).toMatchObject({ exitCode: 1, stdout: "" });
    const near = await cli(["agents", "show", "biling-bot", "--url", url]);
    expect([near.exitCode, near.stderr]).toEqual([1, expect.stringContaining("did you mean billing-bot?")]);
    const wrong = await cli(["agents", "list", "--severity", "LOUD", "--url", url]);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  });

  // proves CLI-28
  it("ends with 4 for a wrong key and 3 without a server, and shows no key", async () => {
    const server = await serverOfTest({ env: { SVC_AUTH: "on" } });
    const key = `svc_0123456789abcdef_${"ab".repeat(32)}`;
    const refused = await cli(["agents", "list", "--url", server.url], { SVC_API_KEY: key });
    expect(refused).toMatchObject({ exitCode: 4, stdout: "" });
    expect(refused.stderr).not.toContain(key);
    await server.stop();
    const gone = await cli(["agents", "list", "--url", server.url], { SVC_API_KEY: key });
    expect(gone).toMatchObject({ exitCode: 3, stdout: "" });
    expect(gone.stderr).toContain(`the control plane at ${server.url} (--url) does not answer`);
  });
});
