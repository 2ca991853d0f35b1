import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { createCommand } from "./create-command.ts";
import { listCommand } from "./list-command.ts";
import { revokeCommand } from "./revoke-command.ts";
import { rotateCommand } from "./rotate-command.ts";

/** `svc-cli keys`. */
export function keysCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("keys")
    .description("make, list, rotate and revoke API keys")
    .addHelpText(
      "before",
      examples(
        'svc-cli keys create "payments agent" --role agent --agents payments-agent --out agent-key',
        "svc-cli keys list",
      ),
    )
    .addCommand(createCommand(terminal, exit))
    .addCommand(listCommand(terminal, exit))
    .addCommand(rotateCommand(terminal, exit))
    .addCommand(revokeCommand(terminal, exit));
}
