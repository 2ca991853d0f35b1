import { Command } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli audit show`. */
export function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("show a row of the audit log, its place in the chain, and why it was decided so")
    .argument("<id>", "a decision_id, or the id of another row")
    .addHelpText("before", examples("svc-cli audit show gw_1f0c.41", "svc-cli audit show gw_1f0c.41 -o json"))
    .addHelpText("after", HELP)
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { showRow } = await import("./show-row.ts");
      exit(await showRow(id, options, terminal));
    });
}

const HELP = `
The hash of the row is computed again from what the server shows. Whether the log before and behind the row is
whole says svc-cli compliance audit-verify.

Exit codes: 0, 1 no such row, or its hash does not fit, 2 wrong usage, 3 no server answers, 4 the key may not
read the log`;
