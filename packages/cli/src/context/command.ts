import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { addCommand } from "./add-command.ts";
import { listCommand } from "./list-command.ts";
import { useCommand } from "./use-command.ts";

/** `svc-cli context`: the servers of a user, by name. */
export function contextCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("context")
    .description("name the servers that you use, and choose one")
    .addHelpText(
      "before",
      examples(
        "svc-cli context add prod --url https://svc.example --api-key-file ~/.config/svc/prod.key",
        "svc-cli context use prod",
        "svc-cli context list",
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(useCommand(terminal, exit))
    .addCommand(addCommand(terminal, exit));
}
