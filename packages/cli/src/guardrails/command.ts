import { listValues } from "@svc/contract/list-values";
import { DETECTOR_NAMES, SECRET_DETECTORS } from "@svc/engine/detector";
import { Command, InvalidArgumentError } from "commander";
import { type ReasonedOptions, withOptionalReason } from "../connection/change-options.ts";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { PutOptions } from "./change-guardrails.ts";
import { DETECTOR_MEANINGS } from "./place-findings.ts";
import type { GuardrailsOptions, ShowOptions } from "./show-guardrails.ts";
import type { TestOptions } from "./test-files.ts";

/** `svc-cli guardrails`. */
export function guardrailsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("guardrails")
    .description("the detectors that policies name, and what they find")
    .addHelpText(
      "before",
      examples("svc-cli guardrails put guardrails.yaml", "svc-cli guardrails list", TEST),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(putCommand(terminal, exit))
    .addCommand(deleteCommand(terminal, exit))
    .addCommand(detectorsCommand(terminal, exit))
    .addCommand(testCommand(terminal, exit));
}

const TEST = "svc-cli guardrails test prompt.txt";

function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list the guardrails of the organization")
    .addHelpText("before", examples("svc-cli guardrails list", "svc-cli guardrails list -o json"))
    .action(async (options: GuardrailsOptions) => {
      const { listGuardrails } = await import("./show-guardrails.ts");
      exit(await listGuardrails(options, terminal));
    });
}

function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("print a guardrail in the form that guardrails put takes")
    .argument("<id>", "the id that svc-cli guardrails list prints")
    .option("--at <version>", "an earlier version, as rows of the log name it", versionOf)
    .addHelpText("before", examples("svc-cli guardrails show pci", "svc-cli guardrails show pci --at 3"))
    .action(async (id: string, options: ShowOptions) => {
      const { showGuardrail } = await import("./show-guardrails.ts");
      exit(await showGuardrail(id, options, terminal));
    });
}

function putCommand(terminal: Terminal, exit: Exit): Command {
  return withOptionalReason(new Command("put"))
    .description("make or change the guardrails of a file, and every policy that names them")
    .argument("<file>", "guardrails by their ids, in YAML; `-` for stdin")
    .option("--only <list>", "these ids of the file, separated by commas", listValues)
    .addHelpText(
      "before",
      examples(
        "svc-cli guardrails put guardrails.yaml",
        "svc-cli guardrails put guardrails.yaml --only pci --dry-run",
      ),
    )
    .addHelpText("after", "\nExit codes: 0 every gateway decides by them, 3 not yet or not reached.")
    .action(async (file: string, options: PutOptions) => {
      const { putGuardrails } = await import("./change-guardrails.ts");
      exit(await putGuardrails(file, options, terminal));
    });
}

function deleteCommand(terminal: Terminal, exit: Exit): Command {
  return withOptionalReason(new Command("delete"))
    .description("delete a guardrail that no policy names")
    .argument("<id>", "the id that svc-cli guardrails list prints")
    .addHelpText("before", examples("svc-cli guardrails delete pci --dry-run"))
    .action(async (id: string, options: ReasonedOptions) => {
      const { deleteGuardrail } = await import("./change-guardrails.ts");
      exit(await deleteGuardrail(id, options, terminal));
    });
}

/** `svc-cli guardrails detectors`. Asks no server. */
function detectorsCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("detectors"))
    .description("list the built-in detectors that a policy or a guardrail can name")
    .addHelpText("before", examples("svc-cli guardrails detectors", "svc-cli guardrails detectors -o json"))
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
  return withOutput(withServer(new Command("test")))
    .description("show what detectors find in a text, and where; what they find is masked")
    .argument("<file...>", "files; `-` for stdin")
    .option(
      "--detectors <list>",
      "these detectors, separated by commas; guardrail.<id> is in guardrails.yaml (default: built-in ones)",
    )
    .option("--guardrail <id>", "ask the server what this guardrail finds")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", "\nExit codes: 0 nothing was found, 1 something was, 2 a file cannot be read")
    .action(async (files: readonly string[], options: TestOptions) => {
      const { testFiles } = await import("./test-files.ts");
      exit(await testFiles(files, options, terminal));
    });
}

const EXAMPLES = examples(
  TEST,
  "cat answer.json | svc-cli guardrails test - --detectors pii.email,guardrail.pci",
  "svc-cli guardrails test prompt.txt --guardrail pci",
);

function versionOf(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected the number of a version, such as 3.");
}
