// peers: envoy
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { type RunningProcess, startProcess } from "../processes/child-process.ts";
import { programOf } from "../processes/peer-programs.ts";
import { makeTemporaryDirectory } from "../processes/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SHIPPED = join(ROOT, "envoy", "envoy.yaml");

/** A change of the shipped configuration: a text that must be in it, and what stands there instead. */
export type ConfigurationChange = readonly [from: string | RegExp, to: string];

/** The proxy names the session `run-1`, too. */
export const NAMES_SESSION: ConfigurationChange = [
  "header: { key: x-svc-agent-id, value: refund-agent }",
  "header: { key: x-svc-agent-id, value: refund-agent }\n" +
    "                        - append:\n" +
    "                            header: { key: x-svc-session-id, value: run-1 }",
];

export interface EnvoyPeers {
  readonly extprocPort: number;
  readonly backendPort: number;
}

export interface RunningEnvoy extends RunningProcess {
  readonly port: number;
  /** A value of the statistics by its name; 0 when there is none. */
  readonly stat: (name: string) => Promise<number>;
}

/**
 * Starts Envoy with the shipped configuration, or with one that has the same addresses: nothing but these and
 * the given changes replaced.
 */
export async function startEnvoy(
  { extprocPort, backendPort }: EnvoyPeers,
  changes: readonly ConfigurationChange[] = [],
  configuration: string = readFileSync(SHIPPED, "utf8"),
): Promise<RunningEnvoy> {
  const command = programOf("envoy");
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const addresses: readonly ConfigurationChange[] = [
    ["port_value: 8087", `port_value: ${String(port)}`],
    ["port_value: 9901", `port_value: ${String(adminPort)}`],
    ["port_value: 9002", `port_value: ${String(extprocPort)}`],
    ["port_value: 3000", `port_value: ${String(backendPort)}`],
  ];
  const folder = await makeTemporaryDirectory();
  try {
    const file = join(folder.path, "envoy.yaml");
    await writeFile(file, applyChanges(configuration, [...addresses, ...changes]));
    // No shared memory, which another Envoy could find and a killed one would leave.
    const args = ["-c", file, "--disable-hot-restart", "--concurrency", "1", "-l", "warn"];
    const child = await startProcess(command, args, { ready: { port }, env: { HOME: folder.path } });
    const stop: RunningProcess["stop"] = async (signal) => {
      const code = await child.stop(signal);
      await folder.remove();
      return code;
    };
    return { ...child, port, stop, stat: (name) => readStat(adminPort, name) };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Fails when a text is not there: the file under test must be the shipped one. */
function applyChanges(text: string, changes: readonly ConfigurationChange[]): string {
  return changes.reduce((changed, [from, to]) => {
    const isThere = typeof from === "string" ? changed.includes(from) : from.test(changed);
    if (!isThere) throw new Error(`the shipped Envoy configuration lacks ${String(from)}`);
    return changed.replace(from, to);
  }, text);
}

async function readStat(adminPort: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${String(adminPort)}/stats?filter=${name}`)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name}: `));
  return Number(line?.slice(name.length + 2) ?? 0);
}
