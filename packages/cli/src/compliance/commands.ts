import { Command } from "commander";
import type { AuditVerifyOptions } from "../audit-verify/audit-verify.ts";
import { withEvidence } from "../audit-verify/evidence-options.ts";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { CertificateOptions } from "./fetch-certificate.ts";

/** `svc-cli compliance report`. Ends with the exit code of its finding. */
export function reportCommand(terminal: Terminal, exit: Exit): Command {
  return withEvidence(new Command("report"))
    .description("verify the audit log, and write the report that an auditor signs")
    .addHelpText("before", REPORT_EXAMPLES)
    .addHelpText("after", REPORT_HELP)
    .action(async (options: AuditVerifyOptions) => {
      const { reportLog } = await import("./report-log.ts");
      exit(await reportLog(options, terminal));
    });
}

const REPORT_EXAMPLES = examples(
  "svc-cli compliance report --file export.ndjson --public-key keys.txt > report.txt",
  "svc-cli compliance report --file export.ndjson --public-key keys.txt -o json > report.json",
);

const REPORT_HELP = `
The report names the evidence by its SHA-256, the period, the head of each log, the keys, the result, and
every gap. Its exit codes are those of audit-verify: 0 intact, 1 broken, 2 wrong usage, 3 the log could not
be read as a whole, 4 the key is refused, 5 some or all rows are not covered by a signature, or there are
none, or no given key signed any`;

/** `svc-cli compliance certificate`. */
export function certificateCommand(terminal: Terminal, exit: Exit): Command {
  return withServer(new Command("certificate"))
    .description("fetch the containment certificate of a kill switch, as it was signed")
    .argument("<kill switch>", "id of the switch: see svc-cli kill list")
    .option("--out <file>", "a new file for it; left out: stdout")
    .addHelpText("before", CERTIFICATE_EXAMPLES)
    .addHelpText("after", CERTIFICATE_HELP)
    .action(async (id: string, options: CertificateOptions) => {
      const { fetchCertificate } = await import("./fetch-certificate.ts");
      exit(await fetchCertificate(id, options, terminal));
    });
}

const CERTIFICATE_EXAMPLES = examples(
  "svc-cli compliance certificate ks_4c2a --out certificate.txt",
  "svc-cli compliance certificate ks_4c2a | svc-cli compliance verify-certificate - --public-key keys.txt",
);
const CERTIFICATE_HELP = `
It describes the moment at which it is fetched. svc-cli compliance verify-certificate says what it proves.

Exit codes: 0, 1 no such switch, 2 wrong usage, or the file is there, 3 no server answers, 4 the key may not
read kill switches`;
