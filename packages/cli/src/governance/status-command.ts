import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type StatusOptions, withSince } from "./report-since.ts";

/** `svc-cli governance status`. */
export function statusCommand(terminal: Terminal, exit: Exit): Command {
  return withSince(withOutput(withServer(new Command("status"))))
    .description("show the mode of a policy, and what enforcement would have answered")
    .argument("<policy>", "id of the policy")
    .addHelpText(
      "before",
      examples("svc-cli governance status payments", "svc-cli governance status payments --since 7d -o json"),
    )
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no policy has this id, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: StatusOptions) => {
      const { showStatus } = await import("./show-status.ts");
      exit(await showStatus(id, options, terminal));
    });
}
