// peers: envoy, curl
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { expect, it, onTestFinished } from "vitest";
import { type DocumentStep, documentSteps, showsAnswer } from "../support/cli/document-commands.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { startEnvoy } from "../support/proxies/envoy-process.ts";
import { startWatchingBackend } from "../support/proxies/watching-backend.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The commands of one section of a page below docs/adapters. */
async function stepsOf(page: string, heading: string): Promise<readonly DocumentStep[]> {
  const text = await readFile(join(ROOT, "docs/adapters", page), "utf8");
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  return documentSteps(section.split("\n## ")[0] ?? "");
}

function commandAt(steps: readonly DocumentStep[], index: number): string {
  const step = steps[index];
  if (step === undefined) throw new Error(`the page has no command ${String(index + 1)}`);
  return step.command;
}

/** Runs a command of a page in the checkout, with addresses replaced and nothing else. */
async function run(command: string, addresses: Readonly<Record<string, string>>): Promise<string> {
  const here = Object.entries(addresses).reduce((text, [from, to]) => text.replaceAll(from, to), command);
  const { exitCode, stdout, stderr } = await runProgram("bash", ["-c", `set -e; cd '${ROOT}'\n${here}`]);
  expect([here, exitCode, stderr]).toEqual([here, 0, ""]);
  return stdout;
}

/** A server with the policy of the common steps. */
async function serverOfCommonSteps(): Promise<ServerProcess> {
  const server = await serverOfTest({ env: { SVC_AUTH: "on" } });
  const steps = await stepsOf("README.md", "Before a quick start");
  expect(commandAt(steps, 0)).toBe("npm run build\n.tools/bin/node packages/server/dist/main.js\n");
  const loaded = await run(commandAt(steps, 1), serverAddresses(server));
  expect(loaded.trim()).toBe(steps[1]?.answer?.text.trim());
  return server;
}

function serverAddresses({ url, dataDir }: ServerProcess): Readonly<Record<string, string>> {
  return { "http://127.0.0.1:8080": url, ".svc/admin-key": join(dataDir, "admin-key") };
}

/** Starts an adapter by the command of its page, on a free port. */
async function startAdapter(command: string, server: ServerProcess, listen: string): Promise<number> {
  const port = await findFreePort();
  const here = command.replace(".svc/admin-key", join(server.dataDir, "admin-key"));
  const adapter = await startProcess("bash", ["-c", `exec env ${here}`], {
    cwd: ROOT,
    env: { SVC_GATEWAY_URL: server.url, [listen]: `127.0.0.1:${String(port)}` },
    ready: { port },
  });
  onTestFinished(async () => void (await adapter.stop("SIGKILL")));
  return port;
}

function statusesIn(output: string): readonly string[] {
  return [...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
}

function expectShown(step: DocumentStep | undefined, output: string): void {
  expect(step?.answer?.kind).toBe("json");
  const shown: unknown = JSON.parse(step?.answer?.text ?? "null");
  const found: unknown = JSON.parse(output);
  if (!showsAnswer(shown, found)) expect(found).toEqual(shown);
}

// proves OPS-21
// skip: the commands need curl
it.skipIf(missing.curl)(
  "docs/adapters/forward-auth.md and guardrails.md: hooks, programs and webhooks get verdicts",
  async () => {
    const server = await serverOfCommonSteps();
    const [start, hooks, verdict] = await stepsOf("forward-auth.md", "Quick start");
    const port = await startAdapter(start?.command ?? "", server, "SVC_CHECKGW_LISTEN");
    const addresses = { "127.0.0.1:9004": `127.0.0.1:${String(port)}` };
    expect(statusesIn(await run(hooks?.command ?? "", addresses))).toEqual(["200", "403"]);
    expectShown(verdict, await run(verdict?.command ?? "", addresses));
    const [webhook] = await stepsOf("guardrails.md", "Quick start");
    expectShown(webhook, await run(webhook?.command ?? "", addresses));
  },
);

// proves OPS-21
// skip: the commands need curl
it.skipIf(missing.curl)(
  "docs/adapters/mcp-proxy.md: a call that the policy does not allow is denied",
  async () => {
    const server = await serverOfCommonSteps();
    const [start, denied] = await stepsOf("mcp-proxy.md", "Quick start");
    const port = await startAdapter(start?.command ?? "", server, "SVC_MCP_LISTEN");
    const answer = await run(denied?.command ?? "", { "127.0.0.1:9003": `127.0.0.1:${String(port)}` });
    expectShown(denied, answer);
  },
);

// proves OPS-21
// skip: a machine without Envoy; the runner says why there is none
it.skipIf(missing.envoy || missing.curl)(
  "docs/adapters/envoy.md: one call reaches the service, one is denied",
  async () => {
    const server = await serverOfCommonSteps();
    const backend = await startWatchingBackend();
    onTestFinished(() => backend.close());
    const [start, envoyCommand, calls] = await stepsOf("envoy.md", "Quick start");
    const extprocPort = await startAdapter(start?.command ?? "", server, "SVC_EXTPROC_LISTEN");
    expect(envoyCommand?.command).toBe("envoy -c envoy/envoy.yaml\n");
    const envoy = await startEnvoy({ extprocPort, backendPort: backend.port });
    onTestFinished(async () => void (await envoy.stop("SIGKILL")));
    const output = await run(calls?.command ?? "", { "127.0.0.1:8087": `127.0.0.1:${String(envoy.port)}` });
    expect(statusesIn(output)).toEqual(["200", "403"]);
  },
);
