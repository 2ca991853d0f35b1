import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type RunningProcess, startProcess } from "./child-process.ts";

/** What `npm start` runs. */
export const START_ENTRY = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "packages",
  "server",
  "dist",
  "start.js",
);

/** A free port for everything that it starts. */
export const FREE_PORTS = {
  SVC_LISTEN: "127.0.0.1:0",
  SVC_CHECKGW_LISTEN: "127.0.0.1:0",
  SVC_EXTPROC_LISTEN: "127.0.0.1:0",
  SVC_MCP_LISTEN: "127.0.0.1:0",
  SVC_DEMO_ENVOY_PORT: "0",
  SVC_DEMO_NGINX_PORT: "0",
} as const;

/** Its last line. */
export const READY = { line: /^Ctrl-C stops/ } as const;

/** Starts everything in one process, for one test. */
export async function startAll(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<RunningProcess> {
  const running = await startProcess(process.execPath, [START_ENTRY, ...args], {
    env: { ...FREE_PORTS, ...env },
    ready: READY,
  });
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  return running;
}

/** Address on the line that begins with this name. */
export function addressOf(name: string, { lines }: RunningProcess): string {
  const line = lines.find((candidate) => candidate.startsWith(`${name} `)) ?? "";
  const address = /((?:http:\/\/)?127\.0\.0\.1:\d+)/.exec(line)?.[1];
  if (address === undefined) throw new Error(`no address of ${name} in ${JSON.stringify(line)}`);
  return address;
}
