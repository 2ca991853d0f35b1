import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { listCommand } from "./list-command.ts";
import { testCommand } from "./test-command.ts";

/** `svc-cli guardrails`. Asks no server. */
export function guardrailsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("guardrails")
    .description("the detectors that policies name, and what they find")
    .addHelpText("before", examples("svc-cli guardrails list", "svc-cli guardrails test prompt.txt"))
    .addCommand(listCommand(terminal, exit))
    .addCommand(testCommand(terminal, exit));
}
