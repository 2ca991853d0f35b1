// Runs each program of the image once while it is built, so that Node keeps their compiled code beside them.
// Node names the folder for the user: run this as the one that the image runs as. Afterwards give it to root.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds that one program may take. */
const LIMIT_MS = 120_000;

const dataDir = mkdtempSync(join(tmpdir(), "svc-"));
const free = "127.0.0.1:0";
const adapter = { SVC_GATEWAY_URL: "http://127.0.0.1:9", SVC_AGENT_ID: "agent-1" };

/** `up`: the message with which a program that stays is up; null: it ends. */
const PROGRAMS = [
  {
    name: "server",
    args: [],
    env: { SVC_LISTEN: free, SVC_AUTH: "off", SVC_DATA_DIR: dataDir },
    up: '"msg":"listening"',
  },
  { name: "checkgw", args: [], env: { ...adapter, SVC_CHECKGW_LISTEN: free }, up: "svc-checkgw listens" },
  { name: "extproc", args: [], env: { ...adapter, SVC_EXTPROC_LISTEN: free }, up: "svc-extproc listens" },
  {
    name: "mcp-proxy",
    args: [],
    env: {
      ...adapter,
      SVC_MCP_LISTEN: free,
      SVC_MCP_ID: "tools",
      SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp",
    },
    up: "svc-mcp-proxy listens",
  },
  { name: "cli", args: ["--help"], env: {}, up: null },
  { name: "cli", args: ["version"], env: {}, up: null },
];

for (const { name, args, env, up } of PROGRAMS) {
  const child = spawn(process.execPath, [`/opt/svc/packages/${name}/dist/main.js`, ...args], {
    env: { SVC_LOG_FORMAT: "json", ...env },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  const ended = once(child, "exit");
  let output = "";
  for await (const chunk of child.stdout) {
    if (up === null || output.includes(up)) continue;
    output += String(chunk);
    if (output.includes(up)) child.kill("SIGTERM");
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`${name}: expected exit code 0, found ${String(code)}`);
}
rmSync(dataDir, { recursive: true, force: true });
