import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { getCommand } from "./get-command.ts";
import { listCommand } from "./list-command.ts";
import { showCommand } from "./show-command.ts";
import { versionsCommand } from "./versions-command.ts";

/** `svc-cli policies`. It changes nothing: `deploy`, `rollback` and `governance promote` do. */
export function policiesCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("policies")
    .description("see which policies run, and how they came to be")
    .addHelpText(
      "before",
      examples(
        "svc-cli policies list --env prod",
        "svc-cli policies versions payments",
        "svc-cli policies get payments --version 3 > payments.yaml",
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(versionsCommand(terminal, exit))
    .addCommand(getCommand(terminal, exit));
}
