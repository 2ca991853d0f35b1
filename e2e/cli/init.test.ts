// long: it starts real MCP servers

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serveBothEras, startEverythingServer } from "../mcp/mcp-servers.ts";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { withCliKey } from "../support/cli/cli-key.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { execute } from "../support/server/api.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const EVERYTHING = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);

let cwd = "";
let remove: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  ({ path: cwd, remove } = await makeTemporaryDirectory());
});
afterAll(() => remove());

const cli = (...args: readonly string[]) => runCli(args, { SVC_API_KEY: "svc_secret" }, { cwd });

async function initFrom(folder: string, server: string): Promise<string> {
  const made = await cli("init", folder, "--agent", "bot", "--mcp", server, "--yes");
  expect([made.exitCode, made.stdout.split("\n")[1]]).toEqual([0, "Next:"]);
  expect(await cli("validate", `${folder}/policies`, "--strict")).toMatchObject({ exitCode: 0 });
  const policy = `${folder}/policies/bot.yaml`;
  const tested = await cli("test", policy, "--mock", `${folder}/policies/bot.test.json`, "--threshold", "90");
  expect(tested.exitCode).toBe(0);
  return readFile(join(cwd, policy), "utf8");
}

describe("svc-cli init with real MCP servers", { timeout: 60_000 }, () => {
  // proves CLI-62
  it("reads the reference server alike over HTTP and over stdio", async () => {
    const server = await startEverythingServer();
    onTestFinished(() => server.stop().then(() => undefined));
    const overHttp = await initFrom("http", server.url);
    expect(overHttp).toContain("  read_only: { list: reading }\n");
    expect(overHttp).toMatch(/id: ask-before-change\n[^#]*- toggle-simulated-logging\n/);
    expect(await initFrom("stdio", `'${process.execPath}' ${EVERYTHING} stdio`)).toBe(overHttp);
  });

  // proves CLI-62
  it("reads a server of the newest protocol", async () => {
    const server = await serveBothEras(() => {
      const made = new McpServer({ name: "files", version: "1.0.0" });
      const inputSchema = fromJsonSchema<object>({ type: "object" });
      const run = () => ({ content: [] });
      made.registerTool("files.read", { inputSchema, annotations: { readOnlyHint: true } }, run);
      made.registerTool("files.delete", { inputSchema, annotations: { destructiveHint: true } }, run);
      return made;
    });
    onTestFinished(() => server.stop().then(() => undefined));
    const policy = await initFrom("newest", server.url);
    expect(policy).toContain("  read_only: { list: reading }\n");
    expect(policy).toMatch(/id: ask-before-destructive\n[^#]*- files.delete\n/);
  });

  // proves CLI-60
  it("prints a command that puts the new policy into force", async () => {
    const { url } = await serverOfTest();
    const made = await cli("init", "first", "--agent", "bot", "--tools", "a,b", "--read-only", "a", "--yes");
    const [, line = ""] = /svc-cli (deploy .+)\n$/.exec(made.stdout) ?? [];
    const deployed = await runProgram(
      "sh",
      ["-c", `"$0" "$1" ${line} --yes`, process.execPath, CLI_ENTRY],
      await withCliKey(["deploy"], { SVC_URL: url, USER: "ana" }),
      { cwd },
    );
    expect([deployed.exitCode, deployed.stderr.includes("error")]).toEqual([0, false]);
    const call = { agent_id: "bot", session_id: "s-1", args: {} };
    const verdicts = await Promise.all(
      ["a", "b", "c"].map(async (tool) => (await execute(url, { ...call, tool })).body["decision"]),
    );
    expect(verdicts).toEqual(["allow", "pause", "deny"]);
  });

  // proves CLI-63
  it("gives the program of a server no key, and leaves no process behind", async () => {
    const script = `const note = process.pid + " " + process.env.SVC_API_KEY + "\\n";
      require("fs").appendFileSync("started", note);
      setInterval(() => 0, 1000)`;
    await writeFile(join(cwd, "silent.cjs"), script);
    const server = `'${process.execPath}' silent.cjs`;
    const made = await cli("init", "none", "--agent", "bot", "--mcp", server, "--timeout", "8s", "--yes");
    expect([made.exitCode, made.stdout]).toEqual([3, ""]);
    const started = (await readFile(join(cwd, "started"), "utf8")).trimEnd().split("\n");
    // One to ask which protocol it knows, and one to ask for its tools.
    expect(started).toHaveLength(2);
    for (const line of started) {
      const [pid, key] = line.split(" ");
      expect(key).toBe("undefined");
      expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
    }
  });
});
