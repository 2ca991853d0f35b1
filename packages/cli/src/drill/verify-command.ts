import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { VerifyReportOptions } from "./verify-report.ts";

/** `svc-cli drill verify`. Needs no server. */
export function verifyCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("verify"))
    .description("verify the signature of a drill's report, and show the report")
    .argument("<file>", "the report that a drill wrote")
    .requiredOption("--public-key <file|text>", "the key that must have signed it")
    .addHelpText("before", examples("svc-cli drill verify drill-kill.note --public-key drill-key.txt"))
    .addHelpText(
      "after",
      "\nExit codes: 0 the signature is right, 1 it is not, 2 wrong usage, 5 no given key signed it",
    )
    .action(async (file: string, options: VerifyReportOptions) => {
      const { verifyReport } = await import("./verify-report.ts");
      exit(await verifyReport(file, options, terminal));
    });
}
