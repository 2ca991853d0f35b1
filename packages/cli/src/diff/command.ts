import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withReplay } from "../rollout/with-replay.ts";
import type { DiffOptions } from "./diff-running.ts";

/** `svc-cli diff`. Two files are compared without a server, one file with the version that runs. */
export function diffCommand(terminal: Terminal, exit: Exit): Command {
  return withReplay(withOutput(withServer(new Command("diff"))))
    .description("show what differs in the meaning of two policies, and in what they decide")
    .argument("<before>", "a policy in YAML, or in JSON if the name ends in .json; `-` reads YAML from stdin")
    .argument("[after]", "the other one; without it, the first is compared with the version that runs")
    .option("--exit-code", "end with 1 when something differs", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (before: string, after: string | undefined, options: DiffOptions) => {
      if (after === undefined) {
        const { diffRunning } = await import("./diff-running.ts");
        return exit(await diffRunning(before, options, terminal));
      }
      const { diffFiles } = await import("./diff-files.ts");
      exit(await diffFiles([before, after], options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli diff payments.yaml new-payments.yaml",
  "svc-cli diff payments.yaml --env prod",
  "git show HEAD:payments.yaml | svc-cli diff - payments.yaml --exit-code",
);

const HELP = `
+ added, - removed, ~ changed, > moved in the order of evaluation. Comments, formatting, written-out defaults
and the order of tool lists are not differences. With one policy, the calls of the last
recorded decisions are decided again by it and by the version that runs. Where the two differ, they are
counted by rule, each with an example.

Exit codes: 0, 1 a policy is refused, no such policy runs, or something differs and --exit-code is given, 2 a
file cannot be read, 3 no server answers, 4 the key is refused`;
