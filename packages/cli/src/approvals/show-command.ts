import { Command } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli approvals show`. */
export function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("show a paused call with its arguments, and where its approval stands")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .addHelpText(
      "before",
      examples("svc-cli approvals show apr_3n5J", "svc-cli approvals show apr_3n5J -o json"),
    )
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no such approval, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { showApproval } = await import("./show-approval.ts");
      exit(await showApproval(id, options, terminal));
    });
}
