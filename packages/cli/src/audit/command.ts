import { AUDIT_KINDS } from "@svc/contract/audit-row";
import { Command, InvalidArgumentError, Option } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput, withStream } from "../frame/output.ts";
import { parseMoment, parseStretch } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ExportOptions } from "./export-log.ts";
import type { TailOptions } from "./tail-log.ts";

/** `svc-cli audit`. */
export function auditCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("audit")
    .description("read the audit log, follow it, and export it")
    .addHelpText(
      "before",
      examples("svc-cli audit tail -f --decision deny,pause", "svc-cli audit show gw_1f0c.41"),
    )
    .addCommand(tailCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(exportCommand(terminal, exit));
}

/** `svc-cli audit export`. */
function exportCommand(terminal: Terminal, exit: Exit): Command {
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
    .addHelpText("before", EXPORT_EXAMPLES)
    .addHelpText("after", EXPORT_HELP)
    .action(async (options: ExportOptions) => {
      const { exportLog } = await import("./export-log.ts");
      exit(await exportLog(options, terminal));
    });
}

const EXPORT_EXAMPLES = examples(
  "svc-cli audit export --out export.ndjson",
  "svc-cli audit export --agent refund-bot --between 2026-01-01..2026-02-01 --out january.ndjson",
);

const EXPORT_HELP = `
The whole log proves most. With a filter the export holds the rows that fit, and for each log a signed
statement that these are all. svc-cli compliance audit-verify and svc-cli compliance report read either.

Exit codes: 0, 2 wrong usage, or the file is there, 3 no server answers, 4 the key may not export the log`;

/** `svc-cli audit show`. */
function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("show a row of the audit log, its place in the chain, and why it was decided so")
    .argument("<id>", "a decision_id, or the id of another row")
    .addHelpText("before", examples("svc-cli audit show gw_1f0c.41", "svc-cli audit show gw_1f0c.41 -o json"))
    .addHelpText("after", SHOW_HELP)
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { showRow } = await import("./show-row.ts");
      exit(await showRow(id, options, terminal));
    });
}

const SHOW_HELP = `
The hash of the row is computed again from what the server shows. Whether the log before and behind the row is
whole says svc-cli compliance audit-verify.

Exit codes: 0, 1 no such row, or its hash does not fit, 2 wrong usage, 3 no server answers, 4 the key may not
read the log`;

/** `svc-cli audit tail`. */
function tailCommand(terminal: Terminal, exit: Exit): Command {
  return withStream(withServer(new Command("tail")), ["ocsf"])
    .description("show the last rows of the audit log, the newest last, and follow it")
    .option("-f, --follow", "go on with each new row, also after the connection was cut", false)
    .option(
      "-n, --lines <count>",
      "rows before that (default: 20, or all of the time that is named)",
      parseCount,
    )
    .option("--agent <list>", "rows of these agents, separated by commas")
    .option("--session <list>", "rows of these sessions")
    .option("--tool <list>", "rows about these tools")
    .option("--decision <list>", "decisions with these outcomes: allow, deny, pause")
    .option("--kind <list>", "rows of these kinds, such as decision or kill_switch")
    .option("--since <time>", "rows from this time on: a time, or how long ago, such as 30m", parseMoment)
    .option("--between <from..to>", "rows of this time, such as 2h..1h", parseStretch)
    .addHelpText("before", TAIL_EXAMPLES)
    .addHelpText("after", TAIL_HELP)
    .action(async (options: TailOptions) => {
      const { tailLog } = await import("./tail-log.ts");
      exit(await tailLog(options, terminal));
    });
}

function parseCount(text: string): number {
  if (/^(?:0|[1-9][0-9]{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a number of rows.");
}

const TAIL_EXAMPLES = examples(
  "svc-cli audit tail",
  "svc-cli audit tail -f --decision deny,pause",
  "svc-cli audit tail --agent refund-bot --since 30m",
  "svc-cli audit tail --between 2026-11-22T09:00:00Z..2026-11-22T10:00:00Z -o ndjson",
  "svc-cli audit tail -f -o ocsf",
);

const TAIL_HELP = `
-f goes on behind the last row when the connection was cut, without a loss or a repeat, and says on stderr
that it was. With --decision it also shows how these decisions ended. Ctrl-C ends it.
-o ocsf writes events of the Open Cybersecurity Schema Framework 1.5.0, one a line.

Exit codes: 0, 2 wrong usage, 3 no server answers, 4 the key may not read the log, 130 ended by a signal`;
