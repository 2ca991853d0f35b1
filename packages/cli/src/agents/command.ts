import { HELD_CALL_STATUSES } from "@svc/contract/held-call";
import { Command, Option } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput, withStream } from "../frame/output.ts";
import { parseMoment, parseStretch } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import {
  quarantineCommand,
  registerCommand,
  releaseCommand,
  reregisterCommand,
  unregisterCommand,
} from "./change-commands.ts";
import type { ListOptions } from "./list-agents.ts";
import type { HeldOptions } from "./list-held-calls.ts";
import type { ActivityOptions } from "./show-activity.ts";
import type { WatchOptions } from "./watch-agents.ts";

/** `svc-cli agents`. */
export function agentsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("agents")
    .description("list and watch agents, show the state of one, and limit what it may call")
    .addHelpText(
      "before",
      examples(
        "svc-cli agents list --severity CRITICAL,EMERGENCY",
        "svc-cli agents show billing-bot",
        "svc-cli agents activity billing-bot --since 1h",
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(activityCommand(terminal, exit))
    .addCommand(watchCommand(terminal, exit))
    .addCommand(heldCommand(terminal, exit))
    .addCommand(registerCommand(terminal, exit))
    .addCommand(unregisterCommand(terminal, exit))
    .addCommand(reregisterCommand(terminal, exit))
    .addCommand(quarantineCommand(terminal, exit))
    .addCommand(releaseCommand(terminal, exit));
}

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
    .addHelpText("after", LIST_HELP)
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

const LIST_HELP = `
The agents are those that are registered, have called, or send heartbeats. Missed heartbeats are shown of the
first 20 that are not at INFO. STOPPED BY names kill switches and a disabled policy. CALLS/MIN and the columns
behind it are of the last five minutes, with the change against the hour before: see svc-cli top.
Exit codes: 0, 2 wrong usage, 3 the control plane does not answer, 4 the key is refused`;

/** `svc-cli agents show`. */
export function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("show an agent, its heartbeats, and what escalates next")
    .argument("<agent>", "id of the agent")
    .addHelpText("before", examples("svc-cli agents show billing-bot"))
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no agent has this id, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { showAgent } = await import("./show-agent.ts");
      exit(await showAgent(id, options, terminal));
    });
}

/** `svc-cli agents activity`. */
function activityCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("activity")))
    .description("sum up what an agent did: by tool, session and rule, with its arguments")
    .argument("<agent>", "id of the agent")
    .option(
      "--since <time>",
      "from then on: how long ago, such as 1h, or a time (default: an hour ago)",
      parseMoment,
    )
    .option("--between <from..to>", "in this time, such as 2h..1h", parseStretch)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", ACTIVITY_HELP)
    .action(async (id: string, options: ActivityOptions) => {
      const { showActivity } = await import("./show-activity.ts");
      exit(await showActivity(id, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli agents activity refund-bot --since 1h",
  "svc-cli agents activity refund-bot --between 3h..2h -o json",
);
const ACTIVITY_HELP = `
Sums of numeric arguments come from the newest 5,000 calls. An argument that the audit log masks adds nothing.
What the figures leave out is a warning. svc-cli audit tail --agent <agent> shows the calls one by one.

Exit codes: 0, 1 no agent has this id, 2 wrong usage, 3 no server answers, 4 the key may not read the log`;

/** `svc-cli agents held`. */
function heldCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("held")))
    .description("list calls that are held because their agent is suspended, newest first")
    .addOption(
      new Option("--status <status>", "which ones").choices([...HELD_CALL_STATUSES, "all"]).default("held"),
    )
    .option("--agent <agent>", "calls of this agent")
    .option("--session <session>", "calls of this session")
    .option("--tool <tool>", "calls of this tool")
    .addHelpText("before", examples("svc-cli agents held", "svc-cli agents held --agent research-agent"))
    .addHelpText("after", HELD_HELP)
    .action(async (options: HeldOptions) => {
      const { listHeldCalls } = await import("./list-held-calls.ts");
      exit(await listHeldCalls(options, terminal));
    });
}

const HELD_HELP = `
Nobody approves a held call: it is judged again when its agent has recovered. docs/ROGUE.md says how.

Exit codes: 0, 2 wrong usage, 3 no server answers, 4 the key is refused`;

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
    .addHelpText("after", WATCH_HELP)
    .action(async (options: WatchOptions) => {
      const { watchAgents } = await import("./watch-agents.ts");
      exit(await watchAgents(options, terminal));
    });
}

const WATCH_HELP = `
At a terminal it is a table that is replaced every two seconds. Elsewhere, and with -o ndjson, there is a line
for each agent at first, and then for each one that changes. At most 1,000 agents are watched: select with the
options.

Exit codes: 2 wrong usage, 3 no server answers at the start, 4 the key is refused, 130 ended by a signal`;
