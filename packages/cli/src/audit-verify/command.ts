import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { AuditVerifyOptions } from "./audit-verify.ts";
import { withEvidence } from "./evidence-options.ts";

/** `svc-cli compliance audit-verify`. Ends with the exit code of its finding. */
export function auditVerifyCommand(terminal: Terminal, exit: Exit): Command {
  return withEvidence(new Command("audit-verify"))
    .description("verify that the audit log is whole: rows, links, hashes and signed checkpoints")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: AuditVerifyOptions) => {
      const { auditVerify } = await import("./audit-verify.ts");
      exit(await auditVerify(options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli compliance audit-verify --public-key keys.txt",
  "svc-cli compliance audit-verify --file export.ndjson --public-key keys.txt",
  "svc-cli compliance audit-verify --data-dir ./.svc",
);

const HELP = `
Exit codes: 0 intact, 1 broken, 2 wrong usage, 3 the log could not be read as a whole, 4 the key is refused,
5 linked, but some or all rows are not covered by a signature, or there are none, or no given key signed any`;
