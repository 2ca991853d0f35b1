import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { type RunningChild, startChild } from "../child-process.ts";
import type { Bench } from "../scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export interface OpaOptions {
  readonly program: string;
  readonly module: string;
  /** Writes every decision to its console, which is dropped: the nearest that it has to an audit log. */
  readonly decisionLog: boolean;
}

/** Open Policy Agent as a server of its own. */
export async function startOpa(
  bench: Bench,
  { program, module, decisionLog }: OpaOptions,
): Promise<RunningChild> {
  const folder = await temporaryFolder(bench.dataFolder, bench.cleanup);
  const path = join(folder, "bench.rego");
  await writeFile(path, module);
  const port = await findFreePort();
  const flags = [
    "run",
    "--server",
    "--addr",
    `127.0.0.1:${port}`,
    "--log-level",
    decisionLog ? "info" : "error",
  ];
  const logging = decisionLog ? ["--set", "decision_logs.console=true"] : [];
  return startChild([program, ...flags, "--disable-telemetry", ...logging, path], {
    readiness: { kind: "answers", url: `http://127.0.0.1:${port}/health` },
    cleanup: bench.cleanup,
  });
}
