import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { REPORT_FORMATS, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ValidateOptions } from "./validate.ts";

/** `svc-cli validate`. Asks no server: it reads the file with the engine that decides calls. */
export function validateCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("validate"), REPORT_FORMATS)
    .description("check policy files: their form, and rules that do something else than they seem to")
    .argument(
      "<path...>",
      "policies in YAML, or in JSON if the name ends in .json; folders of them; `-` reads YAML from stdin",
    )
    .option("--strict", "fail on warnings too", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (paths: readonly string[], options: ValidateOptions) => {
      const { validate } = await import("./validate.ts");
      exit(await validate(paths, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli validate payments.yaml",
  "svc-cli validate policies --strict",
  "svc-cli validate policies -o sarif > policies.sarif",
  "cat payments.yaml | svc-cli validate -",
);

const HELP = `
Exit codes: 0 valid, 1 refused, or a warning with --strict, 2 a file cannot be read
docs/POLICY.md and docs/FINDINGS.md explain each finding.`;
