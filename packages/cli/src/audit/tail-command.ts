import { Command, InvalidArgumentError } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withStream } from "../frame/output.ts";
import { parseMoment, parseStretch } from "../frame/parse-moment.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { TailOptions } from "./tail-log.ts";

/** `svc-cli audit tail`. */
export function tailCommand(terminal: Terminal, exit: Exit): Command {
  return withStream(withServer(new Command("tail")), ["ocsf"])
    .description("show the last rows of the audit log, the newest last, and follow it")
    .option("-f, --follow", "go on with each new row, also after the connection was cut", false)
    .option(
      "-n, --lines <count>",
      "rows before that (default: 20, or all of the time that is named)",
      parseCount,
    )
    .option("--agent <list>", "rows of these agents, separated by commas")
    .option("--session <list>", "rows of these sessions")
    .option("--tool <list>", "rows about these tools")
    .option("--decision <list>", "decisions with these outcomes: allow, deny, pause")
    .option("--kind <list>", "rows of these kinds, such as decision or kill_switch")
    .option("--since <time>", "rows from this time on: a time, or how long ago, such as 30m", parseMoment)
    .option("--between <from..to>", "rows of this time, such as 2h..1h", parseStretch)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: TailOptions) => {
      const { tailLog } = await import("./tail-log.ts");
      exit(await tailLog(options, terminal));
    });
}

function parseCount(text: string): number {
  if (/^(?:0|[1-9][0-9]{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a number of rows.");
}

const EXAMPLES = examples(
  "svc-cli audit tail",
  "svc-cli audit tail -f --decision deny,pause",
  "svc-cli audit tail --agent refund-bot --since 30m",
  "svc-cli audit tail --between 2026-11-22T09:00:00Z..2026-11-22T10:00:00Z -o ndjson",
  "svc-cli audit tail -f -o ocsf",
);

const HELP = `
-f goes on behind the last row when the connection was cut, without a loss or a repeat, and says on stderr
that it was. With --decision it also shows how these decisions ended. Ctrl-C ends it.
-o ocsf writes events of the Open Cybersecurity Schema Framework 1.5.0, one a line.

Exit codes: 0, 2 wrong usage, 3 no server answers, 4 the key may not read the log, 130 ended by a signal`;
