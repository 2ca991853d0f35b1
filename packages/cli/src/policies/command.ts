import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { getCommand } from "./get-command.ts";
import { listCommand } from "./list-command.ts";
import { disableCommand, enableCommand } from "./move-command.ts";
import { showCommand } from "./show-command.ts";
import { versionsCommand } from "./versions-command.ts";

/** `svc-cli policies`. Versions are made by `deploy`, `rollback` and `governance promote`. */
export function policiesCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("policies")
    .description("see which policies run and how they came to be; enable and disable them")
    .addHelpText(
      "before",
      examples(
        "svc-cli policies list --env prod",
        "svc-cli policies versions payments",
        "svc-cli policies get payments --version 3 > payments.yaml",
        'svc-cli policies disable payments --reason "incident 7"',
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(versionsCommand(terminal, exit))
    .addCommand(getCommand(terminal, exit))
    .addCommand(enableCommand(terminal, exit))
    .addCommand(disableCommand(terminal, exit));
}
