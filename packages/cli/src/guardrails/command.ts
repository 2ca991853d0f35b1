import { DETECTOR_NAMES, SECRET_DETECTORS } from "@svc/engine/detector";
import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { DETECTOR_MEANINGS } from "./find-in-text.ts";
import type { TestOptions } from "./test-files.ts";

/** `svc-cli guardrails`. Asks no server. */
export function guardrailsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("guardrails")
    .description("the detectors that policies name, and what they find")
    .addHelpText("before", examples("svc-cli guardrails list", "svc-cli guardrails test prompt.txt"))
    .addCommand(listCommand(terminal, exit))
    .addCommand(testCommand(terminal, exit));
}

/** `svc-cli guardrails list`. */
function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("list"))
    .description("list the detectors that a policy can name")
    .addHelpText("before", examples("svc-cli guardrails list", "svc-cli guardrails list -o json"))
    .addHelpText("after", "\nA policy can define detectors of its own, too: see docs/POLICY.md.")
    .action((options: OutputOptions) => {
      const output = new Output(terminal, options);
      const detectors = DETECTOR_NAMES.map((name) => ({
        name,
        finds: DETECTOR_MEANINGS[name],
        masked_in_log: SECRET_DETECTORS.includes(name),
      }));
      const rows = detectors.map(({ name, finds, masked_in_log: isMasked }) => [
        name,
        isMasked ? "always" : "where a rule says so",
        finds,
      ]);
      output.result({
        text: renderTable(["DETECTOR", "MASKED IN THE LOG", "FINDS"], rows, output.isTerminal),
        schema: "svc.cli.guardrails/v1",
        json: { detectors },
        items: detectors,
      });
      exit("ok");
    });
}

/** `svc-cli guardrails test`. */
function testCommand(terminal: Terminal, exit: Exit): Command {
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
