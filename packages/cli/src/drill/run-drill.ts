import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isDrillFault } from "@svc/drill/drill-fault";
import type { DrillName, DrillReport } from "@svc/drill/drill-report";
import { renderReport } from "@svc/drill/render-report";
import { runDeploymentKill } from "@svc/drill/run-deployment-kill";
import { runLocalDrill } from "@svc/drill/run-local-drill";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { readDatabaseUrl, type ServerOptions, urlOf } from "../connection/server-options.ts";
import { requireTyped } from "../frame/confirm.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { readReportSigner, requireReportFolder, writeReport } from "./report-file.ts";

/** The server beside this program, in a checkout as in the image. */
const SERVER_BESIDE = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

const OUTCOMES = { passed: "ok", failed: "failed", not_measured: "unproven" } as const;

const INTERRUPTED = "interrupted";

export async function runDrill(
  drill: DrillName,
  options: DrillOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const signer = await readReportSigner(options.signKey, terminal);
  await requireReportFolder(options.report, terminal);
  // Before a drill runs, an interrupt ends this process as always.
  const run = isLocal(options)
    ? localDrill(drill, options, terminal)
    : await deploymentDrill(drill, options, terminal);
  const limit = new AbortController();
  const late = new Error(`the time limit of ${String(options.timeLimit)} s has passed`);
  const timer = setTimeout(() => limit.abort(late), options.timeLimit * 1_000);
  const interrupt = new AbortController();
  const release = terminal.onInterrupt?.(() => interrupt.abort(new Error(INTERRUPTED)));
  const signal = AbortSignal.any([interrupt.signal, limit.signal]);
  const onProgress = (text: string) => output.progress(`drill ${drill}: ${text}`);
  try {
    const report = await run({ signal, onProgress });
    const file = await writeReport(report, { signer, terminal, drill, path: options.report });
    output.result({
      text: `${renderReport(report)}${file.text}`,
      schema: "svc.cli.drill/v1",
      json: { report, ...file.json },
    });
    return interrupt.signal.aborted ? "interrupted" : OUTCOMES[report.verdict];
  } catch (error) {
    if (interrupt.signal.aborted)
      throw new CommandFailure("interrupted", "interrupted before it measured", error);
    if (limit.signal.aborted)
      throw new CommandFailure("unproven", `${late.message} before anything was measured`, error);
    if (isDrillFault(error)) throw new CommandFailure(error.kind, error.message, error);
    throw error;
  } finally {
    clearTimeout(timer);
    release?.();
  }
}

/** Where no server is named, the drill starts a cluster. */
function isLocal({ url, context, env }: DrillOptions): boolean {
  return [url, context, env].every((named) => named === undefined);
}

interface Running {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

type Run = (running: Running) => Promise<DrillReport>;

function localDrill(drill: DrillName, options: DrillOptions, terminal: Terminal): Run {
  for (const [name, value] of Object.entries({
    "--gateway-url": options.gatewayUrl,
    "--api-key-stdin": options.apiKeyStdin,
  }))
    if (value !== undefined)
      throw new CommandFailure("usage", `${name} needs --url, which names a deployment`);
  const { gateways, targetMs, databaseUrl } = options;
  const settings = {
    drill,
    gateways,
    targetMs,
    program: serverProgram(options.server, terminal),
    databaseUrl: databaseUrl === undefined ? null : readDatabaseUrl(databaseUrl, terminal),
  };
  return (running) => runLocalDrill({ ...settings, ...running });
}

function serverProgram(given: string | undefined, { workingDirectory }: Terminal): string {
  const path = given === undefined ? SERVER_BESIDE : resolve(workingDirectory, given);
  if (existsSync(path)) return path;
  throw new CommandFailure("usage", `--server: expected the file of svc-server, found nothing at ${path}`);
}

/** What can be drilled in a deployment only by breaking it, and what to use instead. */
const OUTSIDE: Readonly<Record<Exclude<DrillName, "kill">, string>> = {
  partition: "it cuts a gateway off its database",
  crash: "it kills gateways",
  "slow-database": "it delays the database",
};

async function deploymentDrill(drill: DrillName, options: DrillOptions, terminal: Terminal): Promise<Run> {
  if (drill !== "kill")
    throw new CommandFailure(
      "usage",
      `drill ${drill} cannot be run against a deployment, because ${OUTSIDE[drill]}; run it without --url ` +
        "against a cluster that it starts, and drill kill --url against the deployment",
    );
  if (options.databaseUrl !== undefined || options.server !== undefined)
    throw new CommandFailure("usage", "--database-url and --server are for a cluster that the drill starts");
  const { url, apiKey } = await resolveConnection(options, terminal);
  const gatewayUrls = (options.gatewayUrl ?? [url.href]).map(urlOf);
  await confirmDeployment({ url, gateways: gatewayUrls.length, yes: options.yes }, terminal);
  const { targetMs } = options;
  return (running) => runDeploymentKill({ url, gatewayUrls, apiKey, targetMs, ...running });
}

/** The command line of a drill. */
export interface DrillOptions extends ServerOptions, OutputOptions {
  readonly gateways: number;
  readonly targetMs: number;
  /** In seconds. */
  readonly timeLimit: number;
  /** True: the address comes from the environment. */
  readonly databaseUrl?: string | true;
  readonly server?: string;
  readonly gatewayUrl?: readonly string[];
  readonly yes: boolean;
  readonly signKey?: string;
  readonly report?: string;
}

interface Confirmation {
  readonly url: URL;
  /** How many gateways are asked. */
  readonly gateways: number;
  readonly yes: boolean;
}

/** Asks for the name of the deployment. @throws CommandFailure unless it comes */
async function confirmDeployment({ url, gateways, yes }: Confirmation, terminal: Terminal): Promise<void> {
  if (yes) return;
  const question =
    `The drill activates a kill switch on an agent that it makes up, and sends calls of that agent through ` +
    `${gateways} address${gateways === 1 ? "" : "es"}. It adds rows to the audit log of ${url.host}.`;
  await requireTyped(question, url.host, terminal);
}
