import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { atMost, figure } from "../figure.ts";
import { startCannedServer } from "../peers/start-canned-server.ts";
import type { Scenario } from "../scenario.ts";
import { quantile, ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

const CLI = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "dist", "main.js");

/** Processes of one turn, one after another. */
const STARTS = 10;

/** What the hook may take, as a multiple of a Node that does nothing: a person waits for it at every call. */
const TARGET = atMost(3);

const ALLOW = JSON.stringify({ decision: "allow", decision_id: "g.1", args_constrained: false });
const INPUT = JSON.stringify({
  session_id: "session-1",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
});

export const hookStart: Scenario = {
  name: "hook-start",
  title: "A call judged by the hook of a coding agent, from the start of its process to its end",
  run: async ({ rounds, cleanup }) => {
    const { ready: url } = await startCannedServer({ "*": { body: ALLOW } }, cleanup);
    const hook = [CLI, "hook", "claude-code", "--agent", "agent-1", "--url", url];
    const sides = [["-e", "0"], hook].map((args) => () => medianMs(args));
    await takeTurns(1, sides);
    const [nothing = [], judged = []] = await takeTurns(rounds, sides);
    return {
      kind: "measured",
      figures: [
        figure("hook to `node -e 0`", "ratio", ratios(judged, nothing), TARGET),
        figure("`node -e 0`", "ms", nothing),
        figure("hook", "ms", judged),
      ],
      notes: ["the gateway answers at once; a round is the median of ten processes, one after another"],
    };
  },
};

async function medianMs(args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < STARTS; at += 1) times.push(await millisecondsOf(args));
  return quantile(times, 0.5);
}

async function millisecondsOf(args: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.on("error", () => {});
  child.stdin.end(INPUT);
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`expected exit code 0, found ${String(child.exitCode)}`);
  return performance.now() - startedMs;
}
