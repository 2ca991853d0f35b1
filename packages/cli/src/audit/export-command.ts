import { AUDIT_KINDS } from "@svc/contract/audit-row";
import { Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { parseMoment, parseStretch } from "../frame/parse-moment.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ExportOptions } from "./export-log.ts";

/** `svc-cli audit export`. */
export function exportCommand(terminal: Terminal, exit: Exit): Command {
  return withServer(new Command("export"))
    .description("export the audit log with its checkpoints, for a verifier")
    .option("--out <file>", "the file, which is there only when it is whole; left out: stdout")
    .addOption(
      new Option("--format <format>", "ndjson for verifiers, ocsf for a SIEM")
        .choices(["ndjson", "ocsf"])
        .default("ndjson"),
    )
    .option("--agent <agent>", "rows of this agent alone")
    .addOption(new Option("--kind <kind>", "rows of this kind alone").choices(AUDIT_KINDS))
    .option("--log <log>", "one log alone, by its id")
    .option("--since <time>", "rows from this time on: a time, or how long ago, such as 30d", parseMoment)
    .option("--between <from..to>", "rows of this time, such as 2026-01-01..2026-02-01", parseStretch)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: ExportOptions) => {
      const { exportLog } = await import("./export-log.ts");
      exit(await exportLog(options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli audit export --out export.ndjson",
  "svc-cli audit export --agent refund-bot --between 2026-01-01..2026-02-01 --out january.ndjson",
);

const HELP = `
The whole log proves most. With a filter the export holds the rows that fit, and for each log a signed
statement that these are all. svc-cli compliance audit-verify and svc-cli compliance report read either.

Exit codes: 0, 2 wrong usage, or the file is there, 3 no server answers, 4 the key may not export the log`;
