import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { type RunningProcess, startProcess } from "../processes/child-process.ts";
import { adapterRole } from "./unrefused-adapter.ts";

const MAIN = join(import.meta.dirname, "..", "..", "..", "packages", "checkgw", "dist", "main.js");

export interface RunningCheckgw extends RunningProcess {
  readonly port: number;
}

/** Starts the adapter binary, asking the gateway at the given address. */
export async function startCheckgw(
  gatewayUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningCheckgw> {
  const port = await findFreePort();
  const role = await adapterRole(gatewayUrl, env);
  const child = await startProcess(process.execPath, [MAIN], {
    ready: { port },
    env: {
      SVC_GATEWAY_URL: gatewayUrl,
      SVC_CHECKGW_LISTEN: `127.0.0.1:${port}`,
      ...role.variables,
      ...env,
    },
  });
  return role.watched({ ...child, port });
}
