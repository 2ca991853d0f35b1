import { Command } from "commander";
import type { AuditVerifyOptions } from "../audit-verify/audit-verify.ts";
import { withEvidence } from "../audit-verify/evidence-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli compliance report`. Ends with the exit code of its finding. */
export function reportCommand(terminal: Terminal, exit: Exit): Command {
  return withEvidence(new Command("report"))
    .description("verify the audit log, and write the report that an auditor signs")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: AuditVerifyOptions) => {
      const { reportLog } = await import("./report-log.ts");
      exit(await reportLog(options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli compliance report --file export.ndjson --public-key keys.txt > report.txt",
  "svc-cli compliance report --file export.ndjson --public-key keys.txt -o json > report.json",
);

const HELP = `
The report names the evidence by its SHA-256, the period, the head of each log, the keys, the result, and
every gap. Its exit codes are those of audit-verify: 0 intact, 1 broken, 2 wrong usage, 3 the log could not
be read as a whole, 4 the key is refused, 5 some or all rows are not covered by a signature, or there are
none, or no given key signed any`;
