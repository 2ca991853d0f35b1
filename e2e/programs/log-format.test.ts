// long: it starts every program at a terminal
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../support/processes/run-program.ts";
import { startAtTerminal } from "../support/processes/start-at-terminal.ts";
import { addressOf, FREE_PORTS, READY, START_ENTRY } from "../support/processes/start-process.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { execute } from "../support/server/api.ts";
import { SERVER_ENTRY } from "../support/server/server-process.ts";

const distOf = (name: string): string =>
  join(import.meta.dirname, "..", "..", "packages", name, "dist", "main.js");

const PROGRAMS = [
  { name: "svc-server", entry: SERVER_ENTRY },
  { name: "svc-checkgw", entry: distOf("checkgw") },
  { name: "svc-extproc", entry: distOf("extproc") },
  { name: "svc-mcp-proxy", entry: distOf("mcp-proxy") },
] as const;

async function environment(): Promise<Readonly<Record<string, string>>> {
  const SVC_DATA_DIR = await temporaryDirectory();
  return { ...FREE_PORTS, SVC_DATA_DIR, SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp", TERM: "xterm" };
}

const FOR_PEOPLE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}(?:INFO|WARN) {3}svc-\w+(?:-\w+)? {2}\S/;
const LISTENS = /listen(?:s|ing)/;

/** Dim, green and yellow, and their ends. */
const COLOURS = ["2", "22", "32", "33", "39"];

/** Every character that can control a terminal. A line break is not in a line. */
const CONTROL = /[\p{Cc}\p{Cf}]/u;

// proves OPS-90
it.each(PROGRAMS)("$name logs lines for people at a terminal", async ({ name, entry }) => {
  const env = { ...(await environment()), NO_COLOR: "1" };
  const { lines } = await startAtTerminal([process.execPath, entry], { env, ready: { line: LISTENS } });
  const logged = lines.filter((line) => !line.startsWith("admin key written to "));
  expect(logged.length).toBeGreaterThan(1);
  for (const line of logged) expect(line).toMatch(FOR_PEOPLE);
  expect(logged.at(-1)).toContain(`  ${name}  `);
});

// proves OPS-90, OPS-02
it("an unknown form stops the start by name", async () => {
  const env = { ...(await environment()), SVC_LOG_FORMAT: "pretty" };
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, [distOf("checkgw")], env);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain('SVC_LOG_FORMAT: expected one of auto, text, json, found "pretty"');
});

// proves OPS-90
it("SVC_LOG_FORMAT=json logs JSON at a terminal", async () => {
  const env = { ...(await environment()), SVC_LOG_FORMAT: "json" };
  const command = [process.execPath, distOf("checkgw")];
  const { lines } = await startAtTerminal(command, { env, ready: { line: LISTENS } });
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    "starting",
    "svc-checkgw listens",
  ]);
});

// proves OPS-91
it("shows the control characters of a setting, and colours alone control the terminal", async () => {
  const pins = join(await temporaryDirectory(), "pins\u001b]0;owned\u0007\u009b31m\u202e.json");
  const env = { ...(await environment()), SVC_MCP_TOOL_PINS_FILE: pins };
  const command = [process.execPath, distOf("mcp-proxy")];
  const running = await startAtTerminal(command, { env, ready: { line: LISTENS } });
  const shown = running.output();
  expect(shown).toContain("\u001b[32mINFO \u001b[39m");
  expect(shown).toContain("owned");
  const plain = COLOURS.reduce((text, colour) => text.replaceAll(`\u001b[${colour}m`, ""), shown);
  expect(plain.replaceAll("\n", "")).not.toMatch(CONTROL);
});

// proves OPS-92
it("npm start prints its table first at a terminal, and warnings before it", async () => {
  const env = { ...(await environment()), NO_COLOR: "1", SVC_LISTENS: "x" };
  const running = await startAtTerminal([process.execPath, START_ENTRY], { env, ready: READY });
  const [warning, first] = running.lines;
  expect(warning).toMatch(
    /Z {2}WARN {3}svc-server {2}unknown variable SVC_LISTENS, did you mean SVC_LISTEN\?/,
  );
  expect(first).toMatch(/^gateway and control endpoints {2}http/);
  const url = addressOf("gateway and control endpoints", running);
  await execute(url, { agent_id: "demo-agent", tool: "crm.read" });
  await expect
    .poll(() => running.lines.at(-1))
    .toMatch(/^\d\d:\d\d:\d\d {2}allow {2}demo-agent {2}crm\.read$/);
  expect(await running.stop("SIGINT")).toBe(0);
});
