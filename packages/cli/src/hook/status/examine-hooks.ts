import type { Terminal } from "../../frame/terminal.ts";
import { parseSettings, readSettingsFile } from "../install/settings-file.ts";
import { trialCause } from "../trial.ts";
import { judgingHooks, openWays } from "./open-ways.ts";
import { waysOfOtherSettings } from "./other-settings.ts";
import { type HookTrial, probeInput, tryHook } from "./try-hook.ts";

/** One thing that was looked at. */
interface Finding {
  readonly mark: "ok" | "note" | "FAIL" | "OPEN";
  readonly text: string;
}

/** Runs the installed hooks, and looks at what may lead past them. @throws CommandFailure `usage` */
export async function examineHooks(
  path: string,
  { probe }: { readonly probe?: string },
  terminal: Terminal,
): Promise<readonly Finding[]> {
  const { environment } = terminal;
  const settings = parseSettings(readSettingsFile(path));
  const hooks = judgingHooks(settings);
  if (hooks.length === 0) return [{ mark: "OPEN", text: "no hook of svc-cli judges calls here" }];
  const commands = hooks.map(({ command }) => command);
  const ways = [...openWays(settings, environment), ...waysOfOtherSettings(path, commands, terminal)];
  const findings: Finding[] = ways.map(({ isOpen, message }) => ({
    mark: isOpen ? "OPEN" : "note",
    text: message,
  }));
  for (const { command } of hooks) {
    for (const [what, input] of UNREADABLE)
      findings.push(blockOf(what, await tryHook(command, input, environment)));
    if (probe !== undefined)
      findings.push(verdictOf(probe, await tryHook(command, probeInput(probe), environment)));
  }
  if (probe === undefined) findings.push({ mark: "note", text: NOT_PROBED });
  return findings;
}

/** Inputs that every hook must block by itself. */
const UNREADABLE: readonly (readonly [string, string])[] = [
  ["input that is not JSON", "not JSON"],
  ["a call without a tool", probeInput("")],
];

const NOT_PROBED =
  "not tried: whether the gateway decides. Add --probe with the name of a tool that the policy denies";

function blockOf(what: string, trial: HookTrial): Finding {
  if (trial.exitCode !== 2) return { mark: "OPEN", text: `does not block ${what}: ${endOf(trial)}` };
  return { mark: "ok", text: `blocks ${what}` };
}

/** A block alone does not show that the gateway decided: a hook without one blocks every call. */
function verdictOf(tool: string, trial: HookTrial): Finding {
  if (trial.exitCode !== 2)
    return { mark: "OPEN", text: `does not block a call of ${tool}: ${endOf(trial)}` };
  const cause = trialCause(trial.stderr);
  switch (cause) {
    case "denied":
      return { mark: "ok", text: `the gateway denies a call of ${tool}: ${firstLine(trial)}` };
    case "paused":
      return {
        mark: "ok",
        text: `the gateway paused a call of ${tool}, and opened an approval: ${firstLine(trial)}`,
      };
    case "held":
      return {
        mark: "ok",
        text: `the gateway holds a call of ${tool}, until its agent recovers: ${firstLine(trial)}`,
      };
    case "unknown":
      return {
        mark: "FAIL",
        text: `no verdict about a call of ${tool}, so every call is blocked: ${firstLine(trial)}`,
      };
    default:
      return cause satisfies never;
  }
}

function endOf(trial: HookTrial): string {
  const { exitCode } = trial;
  if (exitCode === 0) return "it ended with code 0, which lets the call run";
  const ended = exitCode === null ? "did not end in time" : `ended with code ${String(exitCode)}`;
  return `it ${ended}. ${firstLine(trial)}`;
}

function firstLine({ stderr }: HookTrial): string {
  return stderr.trim().split("\n", 1)[0] ?? "";
}
