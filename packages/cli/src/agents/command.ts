import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { activityCommand } from "./activity-command.ts";
import { heldCommand } from "./held-command.ts";
import { listCommand } from "./list-command.ts";
import { quarantineCommand } from "./quarantine-command.ts";
import { registerCommand } from "./register-command.ts";
import { releaseCommand } from "./release-command.ts";
import { reregisterCommand } from "./reregister-command.ts";
import { showCommand } from "./show-command.ts";
import { unregisterCommand } from "./unregister-command.ts";
import { watchCommand } from "./watch-command.ts";

/** `svc-cli agents`. */
export function agentsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("agents")
    .description("list and watch agents, show the state of one, and limit what it may call")
    .addHelpText(
      "before",
      examples(
        "svc-cli agents list --severity CRITICAL,EMERGENCY",
        "svc-cli agents show billing-bot",
        "svc-cli agents activity billing-bot --since 1h",
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(activityCommand(terminal, exit))
    .addCommand(watchCommand(terminal, exit))
    .addCommand(heldCommand(terminal, exit))
    .addCommand(registerCommand(terminal, exit))
    .addCommand(unregisterCommand(terminal, exit))
    .addCommand(reregisterCommand(terminal, exit))
    .addCommand(quarantineCommand(terminal, exit))
    .addCommand(releaseCommand(terminal, exit));
}
