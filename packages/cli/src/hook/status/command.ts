import { Command } from "commander";
import type { EXIT_CODES } from "../../exit-code.ts";
import { printable } from "../../printable.ts";
import type { Terminal } from "../../terminal.ts";
import { withSettingsOptions } from "../install/command.ts";
import { parseSettings } from "../install/parse-settings.ts";
import { readSettingsFile, type SettingsChoice, settingsPath } from "../install/settings-file.ts";
import { judgingHooks, openWays } from "./open-ways.ts";
import { type HookTrial, probeInput, tryHook } from "./try-hook.ts";

interface StatusOptions extends SettingsChoice {
  readonly probe?: string;
}

/** One thing that was looked at. */
interface Finding {
  readonly mark: "ok" | "note" | "OPEN";
  readonly text: string;
}

/** `svc-cli hook status`. It runs the installed command, so that it says nothing that it has not seen. */
export function statusCommand(terminal: Terminal, exit: (outcome: keyof typeof EXIT_CODES) => void): Command {
  return withSettingsOptions(new Command("status"))
    .description("try the installed hook, and name ways in which calls run unjudged")
    .option(
      "--probe <tool>",
      "ask about a call of this tool, which the policy must not allow; it is recorded",
    )
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: StatusOptions) => {
      const path = settingsPath(options, terminal);
      const findings = await examine(readSettingsFile(path), options, terminal);
      const lines = findings.map(({ mark, text }) => `${mark.padEnd(4)}  ${text}\n`);
      terminal.writeOut(printable(`${path}:\n${lines.join("")}`));
      exit(findings.some(({ mark }) => mark === "OPEN") ? "failed" : "ok");
    });
}

async function examine(
  text: string,
  { probe }: StatusOptions,
  { environment }: Terminal,
): Promise<readonly Finding[]> {
  const settings = parseSettings(text);
  const hooks = judgingHooks(settings);
  if (hooks.length === 0) return [{ mark: "OPEN", text: "no hook of svc-cli judges calls here" }];
  const findings: Finding[] = openWays(settings).map(({ isOpen, message }) => ({
    mark: isOpen ? "OPEN" : "note",
    text: message,
  }));
  const trials: (readonly [string, string])[] = [
    ["input that is not JSON", "?"],
    ["a call without a tool", probeInput("")],
  ];
  if (probe !== undefined) trials.push([`a call of ${probe}`, probeInput(probe)]);
  for (const { command } of hooks) {
    for (const [what, input] of trials)
      findings.push(findingOf(what, await tryHook(command, input, environment)));
  }
  return findings;
}

function findingOf(what: string, { exitCode, stderr }: HookTrial): Finding {
  const reason = stderr.trim().split("\n", 1)[0] ?? "";
  if (exitCode === 2) return { mark: "ok", text: `blocks ${what}: ${reason}` };
  const ended = exitCode === null ? "did not end in time" : `ended with code ${String(exitCode)}`;
  return { mark: "OPEN", text: `does not block ${what}: it ${ended}. ${reason}` };
}

const EXAMPLES = `Examples:
  svc-cli hook status
  svc-cli hook status --probe some.tool.that.is.denied

`;

const HELP = `
Exit codes: 0 every trial was blocked, 1 calls run unjudged, 2 the settings cannot be read
Only Claude Code knows which files it reads: its page /hooks shows the hooks in force.`;
