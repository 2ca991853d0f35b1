import { Command } from "commander";
import { type ReasonedOptions, withReason } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli approvals deny`. */
export function denyCommand(terminal: Terminal, exit: Exit): Command {
  return withReason(new Command("deny"))
    .description("deny a paused call, whatever its workflow requires")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .addHelpText("before", examples('svc-cli approvals deny apr_3n5J --reason "the amount is wrong"'))
    .addHelpText("after", HELP)
    .action(async (id: string, options: ReasonedOptions) => {
      const { denyCall } = await import("./deny-call.ts");
      exit(await denyCall(id, options, terminal));
    });
}

const HELP = `
Exit codes: 0 denied, 1 it has ended before or does not exist, 2 wrong usage, 3 no answer came, 4 the key may
not deny this call`;
