// peers: strace
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startProcess } from "./child-process.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A fault that is in force. */
export interface InjectedFault {
  /** Ends the fault; resolves with how many system calls it struck. */
  end(): Promise<number>;
}

/** How strace marks a call that it changed. */
const STRUCK = /\((?:INJECTED|DELAYED)\)$/gm;

/**
 * Makes system calls of a running process fail or dawdle: `fsync:error=EIO`, `pwrite64:error=ENOSPC`,
 * `fsync:delay_exit=200000` (microseconds). Resolves once it is in force in every thread.
 * @throws when strace cannot attach.
 */
export async function injectFault(pid: number, fault: string): Promise<InjectedFault> {
  const [call = ""] = fault.split(":");
  const trace = join(await temporaryDirectory(), "trace");
  const filter = ["-e", `trace=${call}`, "-e", `inject=${fault}`];
  const tracer = await startProcess("strace", ["-f", "-o", trace, ...filter, "-p", String(pid)], {
    ready: { line: new RegExp(`Process ${String(pid)} attached`) },
  });
  onTestFinished(async () => {
    await tracer.stop();
  });
  return {
    end: async () => {
      await tracer.stop();
      return (await readFile(trace, "utf8")).match(STRUCK)?.length ?? 0;
    },
  };
}
