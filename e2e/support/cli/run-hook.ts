import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ProgramResult } from "../processes/run-program.ts";
import { CLI_ENTRY } from "./cli-entry.ts";

/** The input of a PreToolUse hook, as Claude Code 2.1 writes it. */
export function toolUse(tool: string, input: object, more: object = {}): string {
  return JSON.stringify({
    session_id: "0af5d074-a449-44da-a67f-b83cb5eb3f25",
    transcript_path: "/home/dev/.claude/projects/shop/0af5d074.jsonl",
    cwd: "/home/dev/shop",
    prompt_id: "85c0c299-e2d1-4c1c-916e-a50eea97beae",
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_01",
    ...more,
  });
}

export interface HookRun {
  readonly env?: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed; null: stdin stays open and silent. */
  readonly input?: string | Uint8Array | null;
  /** Where stdout and stderr go, as file descriptors, in place of a pipe that is read. */
  readonly out?: number;
  readonly err?: number;
  /** Called with the id of the process when it has started. */
  readonly onStart?: (pid: number) => void;
}

/** Runs a command with a shell, as Claude Code does. A process that a signal ended has the exit code null. */
export async function runHookCommand(command: string, run: HookRun = {}): Promise<ProgramResult> {
  return runToEnd(spawn("/bin/sh", ["-c", command], optionsOf(run)), run);
}

/** Runs `svc-cli` without a shell between. */
export async function runCliHook(args: readonly string[], run: HookRun = {}): Promise<ProgramResult> {
  return runToEnd(spawn(process.execPath, [CLI_ENTRY, ...args], optionsOf(run)), run);
}

function optionsOf({ env = {}, out, err }: HookRun) {
  const stdio: ["pipe", "pipe" | number, "pipe" | number] = ["pipe", out ?? "pipe", err ?? "pipe"];
  return { env: { PATH: process.env["PATH"] ?? "", ...env }, stdio };
}

async function runToEnd(
  child: ReturnType<typeof spawn>,
  { input = "", onStart }: HookRun,
): Promise<ProgramResult> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString("utf8");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString("utf8");
  });
  // A hook that has decided reads no more.
  child.stdin?.on("error", () => {});
  if (input !== null) child.stdin?.end(input);
  if (child.pid !== undefined) onStart?.(child.pid);
  await once(child, "close");
  return { exitCode: child.exitCode, ...output };
}
