import { spawn } from "node:child_process";
import { once } from "node:events";
import { HOOK_DEADLINE_MS } from "../claude-code/hook-options.ts";
import { TRIAL_VARIABLE } from "../trial.ts";

/** How an installed command ended. */
export interface HookTrial {
  /** Null: it was still running after twice its own deadline, or a signal ended it. */
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Largest part of stderr that is kept, in characters: more than a reason is long. */
const MAX_STDERR = 10_000;

/** Runs an installed command with a shell, as Claude Code does. */
export async function tryHook(
  command: string,
  input: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HookTrial> {
  const child = spawn("/bin/sh", ["-c", command], {
    env: { ...env, [TRIAL_VARIABLE]: "1" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(0, MAX_STDERR);
  });
  // A hook that has decided reads no more.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const timer = setTimeout(() => child.kill("SIGKILL"), 2 * HOOK_DEADLINE_MS);
  await once(child, "close");
  clearTimeout(timer);
  return { exitCode: child.exitCode, stderr };
}

/** The input of a PreToolUse hook for a call that nobody makes. */
export function probeInput(tool: string): string {
  return JSON.stringify({
    session_id: "svc-hook-status",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: {},
  });
}
