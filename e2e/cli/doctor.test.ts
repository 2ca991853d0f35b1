// long: it starts servers
// peers: nginx, caddy, haproxy, traefik, envoy

import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { startCheckgw } from "../support/adapters/checkgw-process.ts";
import { answerFromBackend, startRecordingServer } from "../support/adapters/recording-server.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { governedProxies } from "../support/proxies/governed-proxies.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

const TIMEOUT_MS = 60_000;

interface Check {
  readonly name: string;
  readonly state: string;
  readonly found: string;
  readonly fix: string | null;
}

async function doctor({ url }: Pick<ServerProcess, "url">, args: readonly string[], apiKey?: string) {
  const key = apiKey === undefined ? {} : { SVC_API_KEY: apiKey };
  const env = { SVC_URL: url, XDG_CONFIG_HOME: "/none", HOME: "/none", ...key };
  const result = await runCli(["doctor", "-o", "json", ...args], env);
  const checks = result.stdout === "" ? [] : (JSON.parse(result.stdout) as { checks: Check[] }).checks;
  const states = Object.fromEntries(checks.map(({ name, state }) => [name.split(" at ")[0], state]));
  return { ...result, checks, states };
}

const SERVER_OK = {
  server: "ok",
  version: "ok",
  key: "ok",
  clock: "ok",
  gateways: "ok",
  "kill switches": "ok",
  decisions: "ok",
};

async function backendOfTest() {
  const backend = await startRecordingServer(answerFromBackend);
  onTestFinished(() => backend.close());
  return backend;
}

describe("svc-cli doctor", { timeout: TIMEOUT_MS }, () => {
  // proves CLI-74, CLI-75
  it("proves that a deny denies, and leaves no switch behind", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const checkgw = await startCheckgw(server.url, { SVC_API_KEY: BOOTSTRAP_KEY });
    onTestFinished(async () => void (await checkgw.stop("SIGKILL")));
    const seam = `http://127.0.0.1:${String(checkgw.port)}`;
    const { exitCode, states, stdout, stderr } = await doctor(
      server,
      ["--forward-auth", seam, "--guardrail", seam],
      BOOTSTRAP_KEY,
    );
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(states).toEqual({ ...SERVER_OK, "auth hook": "ok", guardrail: "ok" });
    expect(stdout).not.toContain(BOOTSTRAP_KEY);
    const { body } = await operatorOf(server)("GET", "kill-switch?status=active");
    expect(body["kill_switches"]).toEqual([]);
  });

  // proves CLI-74
  it("names each seam that fails open", async () => {
    const server = await serverOfTest();
    const open = createServer((_, response) => response.writeHead(200).end('{"result":{"content":[]}}'));
    open.listen(0, "127.0.0.1");
    await once(open, "listening");
    onTestFinished(() => void open.close());
    const address = open.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? String(address?.port) : ""}`;
    const seams = ["--envoy", url, "--mcp", url, "--forward-auth", url, "--guardrail", url];
    const { exitCode, states, checks } = await doctor(server, seams);
    expect([exitCode, states]).toEqual([
      1,
      { ...SERVER_OK, Envoy: "fail", MCP: "fail", "auth hook": "fail", guardrail: "fail" },
    ]);
    expect(checks.filter(({ state, fix }) => state === "fail" && fix === null)).toEqual([]);
  });

  // proves CLI-75
  it("calls nothing ok that its key cannot prove", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    const { key } = await issueKey(operatorOf(server), { name: "a", agents: ["agent-1"] });
    const { exitCode, states } = await doctor(server, [], key);
    expect(exitCode).toBe(5);
    expect(states).toMatchObject({ key: "warn", "kill switches": "unknown", decisions: "unknown" });
  });

  it("ends with 4 for a wrong key, and with 3 without a server", async () => {
    const server = await serverOfTest({ env: BOOTSTRAP_ENV });
    expect(await doctor(server, [], `${BOOTSTRAP_KEY}x`)).toMatchObject({ exitCode: 4, stdout: "" });
    await server.stop("SIGKILL");
    expect(await doctor(server, [], BOOTSTRAP_KEY)).toMatchObject({ exitCode: 3, stdout: "" });
  });

  it("says that no hook of Claude Code judges calls, and that the server takes every request", async () => {
    const server = await serverOfTest({ authentication: "off" });
    const { exitCode, states } = await doctor(server, ["--hook"]);
    expect([exitCode, states["key"], states["hook of Claude Code"]]).toEqual([1, "warn", "fail"]);
  });
});

// proves CLI-74
describe.each(governedProxies)("svc-cli doctor at $name", { timeout: TIMEOUT_MS }, (proxy) => {
  it("sees the hook deny, and nothing reach the backend", async ({ skip }) => {
    const missing = proxy.missing();
    skip(missing !== null, missing ?? "");
    const server = await serverOfTest();
    const backend = await backendOfTest();
    const running = await proxy.start({ gatewayPort: server.port, backendPort: backend.port });
    onTestFinished(() => running.stop());
    const option = proxy.name === "envoy" ? "--envoy" : "--forward-auth";
    const url = `http://127.0.0.1:${String(running.port)}`;
    const guarded = await doctor(server, [option, `${url}/orders`]);
    expect(guarded.checks.at(-1)).toMatchObject({ state: "ok" });
    expect(backend.requests).toEqual([]);
    for (const path of proxy.ungoverned) {
      const passed = await doctor(server, [option, `${url}${path}`]);
      expect([passed.exitCode, passed.checks.at(-1)?.state]).toEqual([1, "fail"]);
    }
  });
});
