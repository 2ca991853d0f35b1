import { printable } from "@svc/process/printable";
import { Command } from "commander";
import type { Exit } from "../../frame/exit-code.ts";
import type { Terminal } from "../../frame/terminal.ts";
import { withSettingsOptions } from "../install/command.ts";
import { type SettingsChoice, settingsPath } from "../install/settings-file.ts";
import { examineHooks } from "./examine-hooks.ts";

interface StatusOptions extends SettingsChoice {
  readonly probe?: string;
}

/** `svc-cli hook status`. It runs the installed command, so that it says nothing that it has not seen. */
export function statusCommand(terminal: Terminal, exit: Exit): Command {
  return withSettingsOptions(new Command("status"))
    .description("try the installed hook, and name ways in which calls run unjudged")
    .option(
      "--probe <tool>",
      "ask about a call of this tool, which the policy denies; it is recorded, and a pause opens an approval",
    )
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: StatusOptions) => {
      const path = settingsPath(options, terminal);
      const findings = await examineHooks(path, options, terminal);
      const lines = findings.map(({ mark, text }) => `${mark.padEnd(4)}  ${text}\n`);
      terminal.writeOut(printable(`${path}:\n${lines.join("")}`));
      exit(findings.some(({ mark }) => mark === "OPEN" || mark === "FAIL") ? "failed" : "ok");
    });
}

const EXAMPLES = `Examples:
  svc-cli hook status
  svc-cli hook status --probe some.tool.that.is.denied

`;

const HELP = `
ok    as it must be
note  to know, and no fault
FAIL  the gateway gave no verdict: every call is blocked
OPEN  calls run that the hook did not allow

Exit codes: 0 nothing is FAIL or OPEN, 1 something is, 2 the settings cannot be read
Only Claude Code knows which files it reads: its page /hooks shows the hooks in force.`;
