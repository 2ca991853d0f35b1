import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { onTestFinished } from "vitest";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";

/** Starts a server by its command, with its data in the folder. It ends with the test at the latest. */
export async function startInstalledServer(
  [command = "", ...args]: readonly string[],
  folder: string,
): Promise<{ readonly server: RunningProcess; readonly url: string }> {
  const port = await findFreePort();
  const listen = `127.0.0.1:${String(port)}`;
  const server = await startProcess(command, args, {
    cwd: folder,
    env: { SVC_AUTH: "off", SVC_LISTEN: listen, SVC_DATA_DIR: join(folder, "data") },
    ready: { port },
  });
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  return { server, url: `http://${listen}` };
}
