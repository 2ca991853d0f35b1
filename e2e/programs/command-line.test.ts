// long: it starts every program many times
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProcess } from "../support/processes/child-process.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { FREE_PORTS, START_ENTRY, startAll } from "../support/processes/start-process.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { SERVER_ENTRY, serverOfTest } from "../support/server/server-process.ts";

const distOf = (name: string): string =>
  join(import.meta.dirname, "..", "..", "packages", name, "dist", "main.js");

/** Every program, with a variable that its help must show. */
const PROGRAMS = [
  { name: "svc-server", entry: SERVER_ENTRY, variable: "SVC_DATA_DIR (default: ./.svc)" },
  { name: "svc-checkgw", entry: distOf("checkgw"), variable: "SVC_SHAPING_STRICT (default: false)" },
  { name: "svc-extproc", entry: distOf("extproc"), variable: "SVC_EXTPROC_LISTEN (default: 127.0.0.1:9002)" },
  { name: "svc-mcp-proxy", entry: distOf("mcp-proxy"), variable: "SVC_MCP_LISTEN (default: 127.0.0.1:9003)" },
  { name: "svc-cli", entry: distOf("cli"), variable: "SVC_URL (default: http://localhost:8080)" },
  { name: "npm start", entry: START_ENTRY, variable: "SVC_DEMO_ENVOY_PORT (default: 8087)" },
] as const;

describe.each(PROGRAMS)("$name", ({ name, entry, variable }) => {
  const run = (...args: string[]): Promise<ProgramResult> =>
    runProgram(process.execPath, [entry, ...args], { SVC_LISTEN: "not an address" });

  // proves OPS-30
  it("--version names program and version, and nothing starts", async () => {
    expect(await run("--version")).toEqual({ exitCode: 0, stdout: `${name} 0.1.0\n`, stderr: "" });
  });

  // proves OPS-30
  it("--help shows examples, then the variables with their defaults", async () => {
    const { exitCode, stdout } = await run("--help");
    expect(exitCode).toBe(0);
    expect(stdout.indexOf("Examples:")).toBeGreaterThan(-1);
    expect(stdout.indexOf(variable)).toBeGreaterThan(stdout.indexOf("Examples:"));
  });

  // proves OPS-30
  it.each(["--hlep", "serve"])("refuses the argument %s in a line that leads on", async (argument) => {
    const { exitCode, stdout, stderr } = await run(argument);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(argument);
    // svc-cli puts its suggestion on a line of its own.
    expect(stderr.trimEnd().split("\n").length).toBeLessThan(name === "svc-cli" ? 3 : 2);
  });
});

// proves OPS-31, OPS-32
it("svc-server logs its start: settings without secrets, and variables that no program reads", async () => {
  const secret = `svc_0123456789abcdef_${"ab".repeat(32)}`;
  // Defaults are left out.
  const server = await serverOfTest({
    env: { SVC_AUTH: "off", SVC_BOOTSTRAP_API_KEY: secret, SVC_GATWAY_ID: "gw" },
  });
  const lines = server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const [start, warning] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(start).toMatchObject({ level: 30, msg: "starting", version: "0.1.0" });
  expect(start?.["settings"]).toMatchObject({ SVC_AUTH: "off", SVC_BOOTSTRAP_API_KEY: "set" });
  expect(warning).toMatchObject({ level: 40, variable: "SVC_GATWAY_ID" });
  expect(warning?.["msg"]).toContain("did you mean SVC_GATEWAY_ID?");
  expect(server.output()).not.toContain(secret);
});

// proves OPS-33
it.each([
  { name: "svc-server", entry: SERVER_ENTRY, listen: "SVC_LISTEN" },
  { name: "svc-checkgw", entry: distOf("checkgw"), listen: "SVC_CHECKGW_METRICS_LISTEN" },
  { name: "svc-extproc", entry: distOf("extproc"), listen: "SVC_EXTPROC_METRICS_LISTEN" },
  { name: "svc-mcp-proxy", entry: distOf("mcp-proxy"), listen: "SVC_MCP_METRICS_LISTEN" },
])("$name has svc_build_info among its metrics", async ({ name, entry, listen }) => {
  const port = await findFreePort();
  const env = { ...FREE_PORTS, SVC_DATA_DIR: await temporaryDirectory(), SVC_AUTH: "off" };
  const running = await startProcess(process.execPath, [entry], {
    env: { ...env, SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp", [listen]: `127.0.0.1:${String(port)}` },
    ready: { line: /"msg":"(?:listening|svc-[a-z-]+ listens)"/ },
  });
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
  const labels = `program="${name}",version="0.1.0",node="${process.versions.node}"`;
  expect(text).toContain(`svc_build_info{${labels}} 1\n`);
});

// proves OPS-32
it("svc-cli warns of a variable that no program reads", async () => {
  const args = [distOf("cli"), "compliance", "audit-verify", "--url", "http://127.0.0.1:9"];
  const { stderr } = await runProgram(process.execPath, args, { SVC_API_KYE: "x" });
  expect(stderr).toContain("warning: unknown variable SVC_API_KYE, did you mean SVC_API_KEY?");
});

// proves OPS-32
it("npm start warns once of a variable that no program reads", async () => {
  const env = { ...FREE_PORTS, SVC_DATA_DIR: await temporaryDirectory(), SVC_MCP_UPSTREM_URL: "http://x" };
  const running = await startAll(env);
  expect(running.output().match(/did you mean SVC_MCP_UPSTREAM_URL\?/g)).toHaveLength(1);
});
