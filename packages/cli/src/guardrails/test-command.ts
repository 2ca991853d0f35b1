import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { TestOptions } from "./test-files.ts";

/** `svc-cli guardrails test`. */
export function testCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("test"))
    .description("show what the detectors find in a text, and where; what they find is masked")
    .argument("<file...>", "files; `-` for stdin")
    .option("--detectors <list>", "these detectors, separated by commas (default: all)")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", "\nExit codes: 0 nothing was found, 1 something was, 2 a file cannot be read")
    .action(async (files: readonly string[], options: TestOptions) => {
      const { testFiles } = await import("./test-files.ts");
      exit(await testFiles(files, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli guardrails test prompt.txt",
  "cat answer.json | svc-cli guardrails test - --detectors pii.email,pii.phone",
  "svc-cli guardrails test prompt.txt -o json",
);
