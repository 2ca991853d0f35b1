import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withStream } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { WatchOptions } from "./watch-agents.ts";

/** `svc-cli agents watch`. */
export function watchCommand(terminal: Terminal, exit: Exit): Command {
  return withStream(withServer(new Command("watch")))
    .description("watch agents: heartbeats, severities, what escalates next, and what stops them")
    .option("--severity <list>", "agents with one of these severities, separated by commas")
    .option("--status <list>", "agents with one of these statuses")
    .option("--namespace <list>", "agents in these namespaces")
    .option("--tag <tag>", "registered agents with this tag")
    .addHelpText(
      "before",
      examples(
        "svc-cli agents watch --severity WARNING,CRITICAL,EMERGENCY",
        "svc-cli agents watch -o ndjson",
      ),
    )
    .addHelpText("after", HELP)
    .action(async (options: WatchOptions) => {
      const { watchAgents } = await import("./watch-agents.ts");
      exit(await watchAgents(options, terminal));
    });
}

const HELP = `
At a terminal it is a table that is replaced every two seconds. Elsewhere, and with -o ndjson, there is a line
for each agent at first, and then for each one that changes. At most 1,000 agents are watched: select with the
options.

Exit codes: 2 wrong usage, 3 no server answers at the start, 4 the key is refused, 130 ended by a signal`;
