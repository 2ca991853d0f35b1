import { BUSY_SORTS, DEFAULT_BUSY_AGENTS, MAX_BUSY_AGENTS } from "@svc/contract/agent-activity";
import { Command, InvalidArgumentError, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseMoment } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { TopOptions } from "./show-top.ts";

/** `svc-cli top`. */
export function topCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("top")))
    .description("show which agents call most, and how that differs from the hour before")
    .option(
      "--since <time>",
      "count from then on: how long ago, such as 30m, or a time (default: 5 minutes ago)",
      parseMoment,
    )
    .addOption(new Option("--sort <by>", "what is listed first").choices(BUSY_SORTS).default("calls"))
    .option("-n, --lines <count>", "agents that are shown", parseCount, DEFAULT_BUSY_AGENTS)
    .option("-w, --watch", "show it again every two seconds, until Ctrl-C", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: TopOptions) => {
      const { showTop } = await import("./show-top.ts");
      exit(await showTop(options, terminal));
    });
}

function parseCount(text: string): number {
  const count = /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_BUSY_AGENTS) return count;
  throw new InvalidArgumentError(`expected a number of agents from 1 to ${String(MAX_BUSY_AGENTS)}.`);
}

const EXAMPLES = examples(
  "svc-cli top",
  "svc-cli top --since 1m --sort deny",
  "svc-cli top -w",
  "svc-cli top -n 100 -o json",
);

const HELP = `
CALLS/MIN is the average of the time, and PEAK/MIN the calls of the busiest minute of it. DENIED, PAUSED and
COST USD are sums. Calls are counted by whole minutes: --since 1m covers up to two.
The change in brackets compares with the hour before the time: 12x, +40%, or new for what did not happen then.
SESSIONS shows those of that hour in brackets. STOPPED BY names kill switches and disabled policies, and is ?
where the key may not read them.
svc-cli agents activity <agent> says what one of them does, and svc-cli kill agent <agent> stops it.

Exit codes: 0, 2 wrong usage, 3 no server answers, 4 the key may not read the audit log`;
