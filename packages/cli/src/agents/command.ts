import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { listCommand } from "./list-command.ts";
import { showCommand } from "./show-command.ts";

/** `svc-cli agents`. */
export function agentsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("agents")
    .description("see who calls, and whether it is alive")
    .addHelpText(
      "before",
      examples("svc-cli agents list --severity CRITICAL,EMERGENCY", "svc-cli agents show billing-bot"),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit));
}
