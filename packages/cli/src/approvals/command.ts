import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { approveCommand } from "./approve-command.ts";
import { denyCommand } from "./deny-command.ts";
import { listCommand } from "./list-command.ts";
import { revokeCommand } from "./revoke-command.ts";
import { showCommand } from "./show-command.ts";
import { watchCommand } from "./watch-command.ts";

/** `svc-cli approvals`. */
export function approvalsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("approvals")
    .description("see paused calls, approve or deny them, and take approvals back")
    .addHelpText(
      "before",
      examples(
        "svc-cli approvals watch",
        "svc-cli approvals show apr_3n5J",
        'svc-cli approvals approve apr_3n5J --reason "the customer called"',
        'svc-cli approvals deny apr_3n5J --reason "the amount is wrong"',
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(watchCommand(terminal, exit))
    .addCommand(approveCommand(terminal, exit))
    .addCommand(denyCommand(terminal, exit))
    .addCommand(revokeCommand(terminal, exit));
}
