import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { StatusOptions } from "./show-status.ts";

/** `svc-cli status`. */
export function statusCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("status")))
    .description("show on one screen what runs, what is stopped, and what is denied")
    .option("-w, --watch", "look again every two seconds", false)
    .addHelpText(
      "before",
      examples("svc-cli status", "svc-cli status -w", "svc-cli status -o json --env prod"),
    )
    .addHelpText("after", HELP)
    .action(async (options: StatusOptions) => {
      const { showStatus } = await import("./show-status.ts");
      exit(await showStatus(options, terminal));
    });
}

const HELP = `
What cannot be read is named, with the reason. Decisions are counted among the last 200 of all gateways.
Of webhooks, ten are asked whether they are suspended.
With -w and no terminal there is a line for each look.

Exit codes: 0, 1 the server is not ready or a gateway denies every call, 2 wrong usage, 3 the server does not
answer, 4 the key is refused, 5 something could not be read, 130 ended by a signal`;
