import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ControlClient } from "../connection/control-client.ts";
import { followEvents } from "../connection/follow-events.ts";
import { readKeyFile } from "../connection/read-key.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { decisionNews, describeDecision, describePolicy } from "./decision-news.ts";
import { callToTry, describeStart } from "./describe-start.ts";
import { makeDevApprover } from "./dev-approver.ts";
import { addDevContext, approverName, type DevContext, requireFreeName } from "./dev-context.ts";
import { type DevServer, startDevServer } from "./dev-server.ts";
import { PolicyFolder } from "./policy-folder.ts";
import { PolicyStore } from "./policy-store.ts";
import { PolicySync } from "./policy-sync.ts";

export interface DevOptions extends OutputOptions {
  /** Left out: `policies`, which need not exist. */
  readonly policies?: string;
  readonly port: number;
  readonly adapterPort: number;
  readonly mcp?: string;
  readonly agent?: string;
  readonly data?: string;
  readonly name: string;
  readonly server?: string;
}

/** Milliseconds between two looks at the folder of policies. */
const LOOK_MS = 150;

/** The server beside this program, in a checkout as in the image. */
const SERVER_BESIDE = fileURLToPath(new URL("../../server/dist/dev.js", import.meta.url));

/** Runs the service until it is interrupted. */
export async function runDev(options: DevOptions, terminal: Terminal): Promise<Outcome> {
  const folder = requireFolder(options, terminal);
  requireMcpAddress(options);
  const program = serverProgram(options, terminal);
  for (const name of [options.name, approverName(options.name)]) await requireFreeName(name, terminal);
  const over = new AbortController();
  const release = terminal.onInterrupt?.(() => over.abort());
  try {
    const output = new Output(terminal, options);
    const report = new Report(output);
    output.progress("svc-server and the adapters start ...");
    const server = await startDevServer({
      program,
      environment: terminal.environment,
      workingDirectory: terminal.workingDirectory,
      port: options.port,
      adapterPort: options.adapterPort,
      dataDir: options.data === undefined ? null : resolve(terminal.workingDirectory, options.data),
      mcpUrl: options.mcp ?? null,
      agentId: options.agent ?? null,
      signal: over.signal,
      onWarning: (line) => report.say("server", [{ text: "server", as: "warning" }, `  ${line}\n`], { line }),
    });
    try {
      await serve({ server, folder, options, terminal, report, over });
    } finally {
      over.abort();
      await server.stop();
    }
    return "interrupted";
  } finally {
    release?.();
  }
}

interface Run {
  readonly server: DevServer;
  readonly folder: string;
  readonly options: DevOptions;
  readonly terminal: Terminal;
  readonly report: Report;
  readonly over: AbortController;
}

/** Until the interrupt. @throws CommandFailure when the server ends by itself */
async function serve(run: Run): Promise<void> {
  const { server, options, terminal, over } = run;
  const connection = connectionOf(server);
  const approver = await makeDevApprover(new ControlClient(connection), server.api_key_file);
  const own = { ...server, approver_key_file: approver.keyFile };
  const context = await addDevContext(options.name, own, terminal);
  try {
    const gone = server.ended.then((lines) => {
      if (!over.signal.aborted)
        throw new CommandFailure("unreachable", `the server has ended by itself. ${lines}`);
    });
    await Promise.race([gone, work(run, { ...context, approverKeyFile: approver.keyFile })]);
  } catch (error) {
    // What is cut by the interrupt is not a fault.
    if (!over.signal.aborted) throw error;
  } finally {
    // Temporary data go with the server, and the key with them.
    if (options.data !== undefined) await approver.revoke();
    await context.remove();
  }
}

function connectionOf({ url, api_key_file }: DevServer): Connection {
  return { url: new URL(url), apiKey: readKeyFile(api_key_file), orgId: null, source: "svc-cli dev" };
}

interface Made extends DevContext {
  readonly approverKeyFile: string;
}

async function work(run: Run, { isCurrent, approverKeyFile }: Made): Promise<void> {
  const { server, folder, options, terminal, report, over } = run;
  const { url, api_key_file, checkgw_url, extproc_address, mcp_proxy_url, data_dir } = server;
  const connection = connectionOf(server);
  const standing = Promise.withResolvers<void>();
  const decisions = showDecisions(connection, run, () => standing.resolve());
  await Promise.race([standing.promise, decisions]);
  const store = new PolicyStore(new ControlClient(connection));
  await store.open();
  const sync = new PolicySync({
    store,
    terminal,
    onNews: (news) => report.say(news.event, describePolicy(news), news),
  });
  const files = new PolicyFolder({ folder, workingDirectory: terminal.workingDirectory });
  await sync.take(files.look());
  const addresses = { url, checkgw_url, extproc_address, mcp_proxy_url, data_dir, api_key_file };
  const approver = { approver_context: approverName(options.name), approver_key_file: approverKeyFile };
  const known = { ...addresses, ...approver, context: options.name, folder, policies: sync.files.length };
  const isTemporary = options.data === undefined;
  const shown = {
    key: connection.apiKey ?? "",
    isCurrent,
    isTemporary,
    call: await callToTry(sync.files, options.agent ?? null),
  };
  report.say("started", describeStart({ ...known, ...shown }), known);
  await Promise.race([decisions, watch(sync, files, over.signal)]);
}

async function showDecisions(
  connection: Connection,
  { report, over: { signal } }: Run,
  onOpen: () => void,
): Promise<void> {
  const query = { kind: "decision,outcome" };
  for await (const event of followEvents(connection, { query, signal, onOpen })) {
    const news = decisionNews(event);
    if (news !== null) report.say(news.event, describeDecision(news), news);
  }
}

async function watch(sync: PolicySync, files: PolicyFolder, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await sync.take(files.look());
  }
}

/** One piece of news at a time: text, or one line of JSON. */
class Report {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  say(event: string, text: readonly Piece[], json: object): void {
    this.#output.result({ text, schema: "svc.cli.dev/v1", json: { ...json, event } });
  }
}

function requireFolder({ policies }: DevOptions, { workingDirectory }: Terminal): string {
  if (policies === undefined) return "policies";
  const path = resolve(workingDirectory, policies);
  if (!existsSync(path) || statSync(path).isDirectory()) return policies;
  throw new CommandFailure("usage", `--policies: expected a folder, found a file at ${path}`);
}

/** A command is not an address, and the bridge that serves it is a program of its own. */
function requireMcpAddress({ mcp }: DevOptions): void {
  if (mcp === undefined || /^https?:/i.test(mcp)) return;
  throw new CommandFailure(
    "usage",
    "--mcp: expected the http(s) address of an MCP server, found a command or another text. A server on " +
      `stdio needs a bridge: ${STDIO_BRIDGE}, and then --mcp http://127.0.0.1:3001/mcp. See ` +
      "docs/adapters/mcp-proxy.md",
  );
}

/** The command that serves a stdio server over Streamable HTTP. */
const STDIO_BRIDGE =
  "npx -y supergateway --stdio '<its command>' --outputTransport streamableHttp --stateful --port 3001";

function serverProgram({ server }: DevOptions, { workingDirectory }: Terminal): string {
  const path = server === undefined ? SERVER_BESIDE : resolve(workingDirectory, server);
  if (existsSync(path)) return path;
  throw new CommandFailure(
    "usage",
    `svc-cli dev starts the svc-server that is built beside svc-cli, and there is none at ${path}: run it ` +
      "in a checkout, or name the dev.js of a build with --server",
  );
}
