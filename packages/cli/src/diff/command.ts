import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { DiffOptions } from "./diff-files.ts";

/** `svc-cli diff`. Asks no server. */
export function diffCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("diff"))
    .description("show what differs in the meaning of two policies")
    .argument("<before>", "a policy in YAML, or in JSON if the name ends in .json; `-` reads YAML from stdin")
    .argument("<after>", "the other one")
    .option("--exit-code", "end with 1 when something differs", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { diffFiles } = await import("./diff-files.ts");
      exit(await diffFiles([before, after], options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli diff payments.yaml new-payments.yaml",
  "git show HEAD:payments.yaml | svc-cli diff - payments.yaml --exit-code",
);

const HELP = `
+ added, - removed, ~ changed, > moved in the order of evaluation. Comments, formatting, written-out defaults
and the order of tool lists are not differences.

Exit codes: 0, 1 a policy is refused, or something differs and --exit-code is given, 2 a file cannot be read`;
