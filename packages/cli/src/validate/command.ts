import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit } from "../frame/exit-code.ts";
import { REPORT_FORMATS, withOutput } from "../frame/output.ts";
import { STDIN } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ValidateOptions } from "./validate.ts";

/** `svc-cli validate`. Asks no server: it reads the file with the engine that decides calls. */
export function validateCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("validate"), REPORT_FORMATS)
    .description("check policy files: their form, their rules, and what they do other than they seem to say")
    .argument(
      "<path...>",
      "policies in YAML, or in JSON if the name ends in .json; folders of them; `-` reads YAML from stdin",
    )
    .option("--strict", "fail on warnings too", false)
    .option("--watch", "run again whenever a file changes", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (paths: readonly string[], options: ValidateOptions) => {
      const { validate } = await import("./validate.ts");
      if (!options.watch) return exit(await validate(paths, options, terminal));
      if (paths.includes(STDIN))
        throw new CommandFailure(
          "usage",
          "--watch: expected files and folders, found -, which never changes",
        );
      const { watchFiles } = await import("../frame/watch-files.ts");
      exit(await watchFiles(paths, terminal, () => validate(paths, options, terminal)));
    });
}

const EXAMPLES = examples(
  "svc-cli validate payments.yaml",
  "svc-cli validate policies --strict",
  "svc-cli validate policies -o sarif > policies.sarif",
  "svc-cli validate policies --watch",
  "cat payments.yaml | svc-cli validate -",
);

const HELP = `
Exit codes: 0 valid, 1 refused, or a warning with --strict, 2 a file cannot be read
docs/POLICY.md and docs/FINDINGS.md explain each finding.`;
