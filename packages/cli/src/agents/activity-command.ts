import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseMoment, parseStretch } from "../frame/parse-moment.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ActivityOptions } from "./show-activity.ts";

/** `svc-cli agents activity`. */
export function activityCommand(terminal: Terminal, exit: Exit): Command {
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
    .addHelpText("after", HELP)
    .action(async (id: string, options: ActivityOptions) => {
      const { showActivity } = await import("./show-activity.ts");
      exit(await showActivity(id, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli agents activity refund-bot --since 1h",
  "svc-cli agents activity refund-bot --between 3h..2h -o json",
);

const HELP = `
Sums of numeric arguments come from the newest 5,000 calls. An argument that the audit log masks adds nothing.
What the figures leave out is a warning. svc-cli audit tail --agent <agent> shows the calls one by one.

Exit codes: 0, 1 no agent has this id, 2 wrong usage, 3 no server answers, 4 the key may not read the log`;
