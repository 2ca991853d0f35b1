import { join } from "node:path";
import { type RunningProcess, startProcess } from "../processes/child-process.ts";
import { adapterRole } from "./unrefused-adapter.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const MAIN = join(ROOT, "packages", "extproc", "dist", "main.js");

/** The route table that belongs to the shipped Envoy configuration. */
const SHIPPED_ROUTES = join(ROOT, "envoy", "routes.yaml");

export interface RunningExtproc extends RunningProcess {
  readonly port: number;
  /** A counter of its metrics page by name and labels as written there; 0 when it is not there yet. */
  readonly counter: (series: string) => Promise<number>;
}

/** Starts the built adapter with the shipped route table. It asks the gateway at the given address. */
export async function startExtproc(
  gatewayUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningExtproc> {
  const role = await adapterRole(gatewayUrl, env);
  const child = await startProcess(process.execPath, [MAIN], {
    ready: { line: /"svc-extproc listens"/ },
    env: {
      SVC_GATEWAY_URL: gatewayUrl,
      SVC_EXTPROC_LISTEN: "127.0.0.1:0",
      SVC_EXTPROC_METRICS_LISTEN: "127.0.0.1:0",
      SVC_EXTPROC_CONFIG: SHIPPED_ROUTES,
      ...role.variables,
      ...env,
    },
  });
  const line = child.lines.find((candidate) => candidate.includes("svc-extproc listens")) ?? "{}";
  const { address, metrics } = JSON.parse(line) as { address: string; metrics: string };
  return role.watched({
    ...child,
    port: Number(address.split(":").at(-1)),
    counter: (series) => readCounter(metrics, series),
  });
}

async function readCounter(url: string, series: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
