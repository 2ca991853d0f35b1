import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { listCommand } from "./list-command.ts";
import { showCommand } from "./show-command.ts";

/** `svc-cli agents`. */
export function agentsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("agents")
    .description("list agents, and show the state of one")
    .addHelpText(
      "before",
      examples("svc-cli agents list --severity CRITICAL,EMERGENCY", "svc-cli agents show billing-bot"),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit));
}
