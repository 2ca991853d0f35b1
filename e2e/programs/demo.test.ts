// peers: nginx, envoy, curl
// long: starts the demonstration with Envoy and nginx, and runs its printed calls
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunningProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { findPeer } from "../support/processes/peer-programs.ts";
import { descendantsOf } from "../support/processes/process-family.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { addressOf, startAll } from "../support/processes/start-process.ts";

/** A printed command, and the outcome that the line below it states. */
interface PrintedCall {
  readonly command: string;
  readonly status: number;
  readonly shows: string;
}

const OUTCOME = /^ +-> (\d{3}) \.\.\. (.*) \.\.\.$/;

function printedCalls({ lines }: RunningProcess): readonly PrintedCall[] {
  return lines.flatMap((line, index) => {
    if (!line.trim().startsWith("curl ")) return [];
    const [, status, shows] = OUTCOME.exec(lines[index + 1] ?? "") ?? [];
    return [{ command: line.trim(), status: Number(status), shows: shows ?? "no outcome below it" }];
  });
}

/** Runs a printed command as a user who copies it would, and adds the status to the output. */
async function comesBack({ command, shows }: PrintedCall): Promise<PrintedCall> {
  const { stdout } = await runProgram("sh", ["-c", `${command} -w '\\n%{http_code}'`]);
  const [status = "", ...body] = stdout.split("\n").toReversed();
  const text = body.toReversed().join("\n");
  return { command, status: Number(status), shows: text.includes(shows) ? shows : text };
}

async function startDemo(env: Readonly<Record<string, string>> = {}): Promise<RunningProcess> {
  const ports = {
    SVC_DEMO_ENVOY_PORT: String(await findFreePort()),
    SVC_DEMO_NGINX_PORT: String(await findFreePort()),
  };
  const demo = await startAll({ ...ports, ...env }, ["--demo"]);
  onTestFinished(async () => {
    await demo.stop("SIGKILL");
    await rm(dataDirOf(demo), { recursive: true, force: true });
  });
  return demo;
}

/** The folder that holds everything of one demonstration. */
function dataDirOf({ lines }: RunningProcess): string {
  return / (\/\S+)/.exec(lines.find((line) => line.startsWith("store, keys")) ?? "")?.[1] ?? "";
}

function isRunning(pid: number): boolean {
  // A process that has ended stays listed until its parent has waited for it.
  return (
    existsSync(`/proc/${String(pid)}/stat`) &&
    !/\) Z /.test(readFileSync(`/proc/${String(pid)}/stat`, "utf8"))
  );
}

/** What the demonstration finds by itself, whatever peers the run of the tests chose. */
const hasEnvoy = findPeer("envoy") !== null;
const hasNginx = findPeer("nginx") !== null;

describe("npm start -- --demo", () => {
  // skip: the commands need curl
  it.skipIf(missing.curl)(
    "prints commands that each do what they say, through each installed proxy",
    async () => {
      const demo = await startDemo();
      const calls = printedCalls(demo);
      expect(calls).toHaveLength(8 + (hasEnvoy ? 2 : 0) + (hasNginx ? 2 : 0));
      for (const call of calls) expect(await comesBack(call)).toEqual(call);
    },
  );

  // skip: the commands need curl
  it.skipIf(missing.curl)("prints which calls ran behind each adapter, and no other call runs", async () => {
    const demo = await startDemo();
    for (const call of printedCalls(demo)) await comesBack(call);
    const ran = [
      'the MCP server ran payments.refund {"amount":20}',
      ...(hasEnvoy ? ['the service behind the proxies ran POST /refunds {"amount":20}'] : []),
      ...(hasNginx ? ["the service behind the proxies ran GET /orders"] : []),
    ];
    const told = (): readonly string[] => demo.lines.filter((line) => line.includes(" ran "));
    await expect.poll(told, { timeout: 10_000 }).toEqual(ran);
  });

  it("serves an MCP client through its proxy", async () => {
    const url = `${addressOf("svc-mcp-proxy", await startDemo())}/mcp`;
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["crm.read", "payments.refund", "db.drop_table"]);
    const read = await client.callTool({ name: "crm.read", arguments: { customer: "7" } });
    expect(read.content).toEqual([{ type: "text", text: "customer 7: no open orders" }]);
    await expect(client.callTool({ name: "db.drop_table", arguments: { table: "orders" } })).rejects.toThrow(
      "the policy denies the tool db.drop_table",
    );
    await client.close();
  });

  it.each([
    { signal: "SIGINT", code: 0 },
    { signal: "SIGTERM", code: 0 },
    { signal: "SIGKILL", code: null },
  ] as const)("leaves no process behind after $signal", async ({ signal, code }) => {
    const demo = await startDemo();
    const children = descendantsOf(demo.pid);
    const dataDir = dataDirOf(demo);
    expect([!hasEnvoy || children.length > 0, existsSync(dataDir)]).toEqual([true, true]);
    demo.signal(signal);
    expect(await demo.exited).toBe(code);
    expect(demo.output()).not.toContain("has ended");
    await expect.poll(() => children.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    expect(existsSync(dataDir)).toBe(code === null);
  });

  // skip: a machine without Envoy; the runner says why there is none
  it.skipIf(missing.envoy)(
    "names the variable of a port that is taken, and ends what it had started",
    async () => {
      const demo = await startDemo();
      const port = new URL(envoyUrlOf(demo)).port;
      await expect(startDemo({ SVC_DEMO_ENVOY_PORT: port })).rejects.toThrow(
        `SVC_DEMO_ENVOY_PORT: cannot listen on 127.0.0.1:${port}`,
      );
    },
  );

  // skip: a machine without Envoy; the runner says why there is none
  it.skipIf(missing.envoy)("reports a proxy that ends by itself, and goes on", async () => {
    const demo = await startDemo();
    const isEnvoy = (pid: number): boolean =>
      /^[^\0]*envoy\0-c/.test(readFileSync(`/proc/${String(pid)}/cmdline`, "utf8"));
    for (const pid of descendantsOf(demo.pid).filter(isEnvoy)) process.kill(pid, "SIGKILL");
    await expect.poll(() => demo.output(), { timeout: 10_000 }).toContain("Envoy has ended");
    expect(await demo.stop("SIGINT")).toBe(0);
  });

  it("refuses an Envoy that is not where SVC_ENVOY says", async () => {
    const demo = await startDemo({ SVC_ENVOY: "/nowhere/envoy" }).catch(String);
    expect(demo).toContain('SVC_ENVOY: expected a program, found "/nowhere/envoy"');
  });
});

function envoyUrlOf(demo: RunningProcess): string {
  const command = printedCalls(demo).find(({ shows }) => shows.includes("large-refund"))?.command ?? "";
  return /http:\S+/.exec(command)?.[0] ?? "";
}
