import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { AuditVerifyOptions } from "./audit-verify.ts";

/** `svc-cli compliance audit-verify`. Ends with the exit code of its finding. */
export function auditVerifyCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("audit-verify")))
    .description("verify that the audit log is whole: rows, links, hashes and signed checkpoints")
    .option(
      "--file <export>",
      "verify an export (`-` reads stdin) instead of asking a server; needs --public-key",
    )
    .option(
      "--data-dir <dir>",
      "verify the data directory of a server that runs, has ended or was killed; nothing in it is changed",
    )
    .option(
      "--database-url [url]",
      "verify every log of a PostgreSQL database, read-only; without an address the one in " +
        "SVC_DATABASE_URL or SVC_DATABASE_URL_FILE, which may hold a password",
    )
    .option(
      "--public-key <file|text>",
      "trust these public keys, one per line, instead of those the server names",
    )
    .option(
      "--checkpoints <file>",
      "checkpoints kept elsewhere: they reveal rows that were removed together with their checkpoints",
    )
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
5 linked, but some or all rows are not covered by a signature, or there are none`;
