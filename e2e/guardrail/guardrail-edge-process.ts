// peers: nginx
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { NGINX_DIRECTIVES } from "../support/proxies/nginx-directives.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SHIPPED = join(ROOT, "guardrails");
const CLIENTS = join(SHIPPED, "portkey-edge", "clients.conf");

/** The addresses in the shipped files. */
const ADDRESSES = {
  portkey: { listen: 8090, gateway: 8787 },
  litellm: { listen: 8091, gateway: 4000 },
} as const;

/** The gateway behind the edge, and the clients that replace the shipped ones. */
export interface GuardrailEdgeOptions {
  readonly before: keyof typeof ADDRESSES;
  readonly gatewayPort: number;
  /** Portkey's alone: the lines of clients.conf; without them it stays as shipped. */
  readonly clients?: readonly string[];
}

export interface RunningGuardrailEdge extends RunningProcess {
  readonly port: number;
}

/** The shipped nginx, with nothing but its addresses and its clients replaced. */
export async function startGuardrailEdge({
  before,
  gatewayPort,
  clients,
}: GuardrailEdgeOptions): Promise<RunningGuardrailEdge> {
  const command = programOf("nginx");
  const folder = await makeTemporaryDirectory();
  try {
    const port = await findFreePort();
    const config = join(folder.path, "nginx.conf");
    const { listen, gateway } = ADDRESSES[before];
    const shipped = await readFile(join(SHIPPED, `${before}-edge`, "nginx.conf"), "utf8");
    await writeFile(config, moveTo(moveTo(shipped, listen, port), gateway, gatewayPort));
    const lines = clients?.join("\n") ?? (await readFile(CLIENTS, "utf8"));
    await writeFile(join(folder.path, "clients.conf"), `${lines}\n`);
    const args = ["-p", folder.path, "-c", config, "-g", NGINX_DIRECTIVES];
    const child = await startProcess(command, args, { cwd: folder.path, ready: { port } });
    const stop: RunningProcess["stop"] = async (signal) => {
      const code = await child.stop(signal);
      await folder.remove();
      return code;
    };
    return { ...child, port, stop };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** The key and the configuration in the only line of the shipped clients.conf. */
export async function readShippedClient(): Promise<{ readonly key: string; readonly config: string }> {
  const text = await readFile(CLIENTS, "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const [, key, config] = /^"~\^([^"]+)\$" '([^']+)';$/.exec(lines.join("\n")) ?? [];
  if (key === undefined || config === undefined) throw new Error("clients.conf has not one line of its form");
  return { key, config };
}

/** Fails when the address is not there: the file under test must be the shipped one. */
function moveTo(text: string, from: number, to: number): string {
  const address = `127.0.0.1:${String(from)}`;
  if (!text.includes(address)) throw new Error(`the shipped edge lacks ${address}`);
  return text.replaceAll(address, `127.0.0.1:${String(to)}`);
}
