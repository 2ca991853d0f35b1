import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ListOptions } from "./list-agents.ts";

/** `svc-cli agents list`. */
export function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list agents, with what stops them, the mode of their policy, and what escalates next")
    .option("--severity <list>", "agents with one of these severities, separated by commas")
    .option("--status <list>", "agents with one of these statuses")
    .option("--namespace <list>", "agents in these namespaces")
    .option("--tag <tag>", "registered agents with this tag")
    .option("-w, --watch", "go on, as svc-cli agents watch does", false)
    .addHelpText(
      "before",
      examples(
        "svc-cli agents list",
        "svc-cli agents list --severity WARNING,CRITICAL,EMERGENCY",
        "svc-cli agents list -o ndjson --env prod",
      ),
    )
    .addHelpText("after", HELP)
    .action(async ({ watch, ...options }: ListOptions & { readonly watch: boolean }) => {
      if (watch) {
        const { watchAgents } = await import("./watch-agents.ts");
        exit(await watchAgents(options, terminal));
        return;
      }
      const { listAgents } = await import("./list-agents.ts");
      exit(await listAgents(options, terminal));
    });
}

const HELP = `
The agents are those that are registered, have called, or send heartbeats. Missed heartbeats are shown of the
first 20 that are not at INFO. STOPPED BY names kill switches and a disabled policy. CALLS/MIN and the columns
behind it are of the last five minutes, with the change against the hour before: see svc-cli top.
Exit codes: 0, 2 wrong usage, 3 the control plane does not answer, 4 the key is refused`;
