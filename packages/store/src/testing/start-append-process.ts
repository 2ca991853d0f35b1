import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./append-process.ts", import.meta.url));

export interface AppendProcess {
  readonly child: ChildProcess;
  /** Sequence numbers that the process has acknowledged so far. */
  acknowledged(): readonly number[];
  /** Resolves when it has acknowledged so many rows. @throws when it ends before. */
  reached(rows: number): Promise<void>;
  /** Resolves with its exit code and what it complained of. */
  ended(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export interface AppendProcessOptions {
  readonly kind: "sqlite" | "shared-postgres";
  readonly place: string;
  readonly logId: string;
  readonly batches: number;
  readonly rowsPerBatch: number;
}

export function startAppendProcess(options: AppendProcessOptions): AppendProcess {
  const { kind, place, logId, batches, rowsPerBatch } = options;
  const args = [SCRIPT, kind, place, logId, String(batches), String(rowsPerBatch)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const closed = once(child, "close");
  // What follows the last line break may be half a number.
  const acknowledged = (): number[] => stdout.split("\n").slice(1, -1).map(Number);
  return {
    child,
    acknowledged,
    reached: async (rows) => {
      while (acknowledged().length < rows) {
        if (child.exitCode !== null) throw new Error(`the process ended early: ${stderr}`);
        await Promise.race([once(child.stdout, "data"), closed]);
      }
    },
    ended: async () => {
      await closed;
      return { code: child.exitCode, stderr };
    },
  };
}
