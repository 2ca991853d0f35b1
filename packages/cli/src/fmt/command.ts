import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { FormatOptions } from "./format-files.ts";

/** `svc-cli fmt`. Asks no server. */
export function fmtCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("fmt"))
    .description("write policies in their canonical form; comments and meaning stay")
    .argument("<path...>", "policies in YAML, or in JSON if the name ends in .json; folders; `-` for stdin")
    .option("--check", "change nothing, and fail when a file has another form", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (paths: readonly string[], options: FormatOptions) => {
      const { formatFiles } = await import("./format-files.ts");
      exit(await formatFiles(paths, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli fmt payments.yaml",
  "svc-cli fmt policies --check",
  "cat payments.yaml | svc-cli fmt -",
);

const HELP = `
Keys stand in the order of docs/POLICY.md, two blanks indent, and short lists and mappings stay on their line.
The order of rules and of list entries stays. A policy from stdin goes to stdout.

Exit codes: 0, 1 a file is not YAML, or has another form and --check is given, 2 a file cannot be read or
written`;
