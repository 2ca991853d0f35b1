import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withStream } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { WatchOptions } from "./watch-approvals.ts";

/** `svc-cli approvals watch`. */
export function watchCommand(terminal: Terminal, exit: Exit): Command {
  return withStream(withServer(new Command("watch")))
    .description("show calls that wait for approval as they come, and ring the bell of the terminal for each")
    .option("--agent <agent>", "of calls of this agent")
    .option("--tool <tool>", "of calls of this tool")
    .option("--workflow <workflow>", "that follow this workflow")
    .option("--no-bell", "do not ring")
    .addHelpText("before", examples("svc-cli approvals watch", "svc-cli approvals watch -o ndjson"))
    .addHelpText("after", HELP)
    .action(async (options: WatchOptions) => {
      const { watchApprovals } = await import("./watch-approvals.ts");
      exit(await watchApprovals(options, terminal));
    });
}

const HELP = `
It begins with the newest approvals that are open, without a ring. It goes on when the server was away, with
those that were opened meanwhile. Ctrl-C ends it.

Exit codes: 2 wrong usage, 3 no server answers at the start, 4 the key is refused, 130 ended by a signal`;
