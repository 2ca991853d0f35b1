import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { promoteCommand } from "./promote-command.ts";
import { statusCommand } from "./status-command.ts";

/** `svc-cli governance`. */
export function governanceCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("governance")
    .description("see what enforcement would change, and take a policy there in steps")
    .addHelpText(
      "before",
      examples(
        "svc-cli governance status payments --env prod",
        'svc-cli governance promote payments --env prod --reason "nothing unexpected in a week"',
      ),
    )
    .addCommand(statusCommand(terminal, exit))
    .addCommand(promoteCommand(terminal, exit));
}
