import { Command } from "commander";
import { withChange } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { UnkillOptions } from "./end-switch.ts";

/** `svc-cli unkill`. Lets the calls of a switch go on. */
export function unkillCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("unkill"))
    .description("end a kill switch, so that its calls are judged by policies again")
    .argument("<kill-switch-id>", "the id that svc-cli kill and svc-cli kill list print")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: UnkillOptions) => {
      const { endSwitch } = await import("./end-switch.ts");
      exit(await endSwitch(id, options, terminal));
    });
}

const EXAMPLES = examples(
  'svc-cli unkill ks_4c2a --reason "the loop is mended"',
  'svc-cli unkill ks_4c2a --reason "the loop is mended" --yes',
  "svc-cli unkill ks_4c2a --dry-run",
);

const HELP = `
The end of a switch on a tool, a namespace or everything is confirmed at the terminal, or with --yes.
--dry-run needs no --reason. It shows the switch, and the gateways that would let its calls go on.
Exit codes: 0 it has ended at every gateway, 1 no such switch or the answer was not yes, 2 wrong usage, 3 a
gateway has not confirmed, or no answer came, 4 the key may not do this`;
