import { renderReport } from "@svc/drill/render-report";
import { readSignedReport } from "@svc/drill/signed-report";
import { noKeyFits } from "../audit-verify/no-key-fits.ts";
import { readPinnedKeys } from "../audit-verify/trusted-keys.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { readFault } from "../frame/read-fault.ts";
import { readInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface VerifyReportOptions extends OutputOptions {
  readonly publicKey: string;
}

const FAULTS = {
  malformed: "expected a report that a drill wrote; it was changed, cut, or written by another version",
  bad_signature: "the signature does not fit: the report was changed after it was signed",
} as const;

/** Verifies the signature of a report, and shows the report. @throws CommandFailure */
export async function verifyReport(
  file: string,
  options: VerifyReportOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const keys = await readPinnedKeys(options.publicKey, terminal);
  const text = await readInput(file, terminal).catch((error: unknown) => {
    throw new CommandFailure("usage", `${file} cannot be read: ${readFault(error)}`, error);
  });
  const reading = readSignedReport(text, keys);
  if (reading.kind === "unknown_key") {
    const why = noKeyFits("none of the given keys signed it", keys, reading.neededKeys);
    throw new CommandFailure("unproven", `${file} cannot be judged: ${why}`);
  }
  if (reading.kind !== "valid") throw new CommandFailure("failed", `${file}: ${FAULTS[reading.kind]}`);
  new Output(terminal, options).result({
    text: `${renderReport(reading.report)}${file}: the signature is right\n`,
    schema: "svc.cli.drill-report/v1",
    json: reading.report,
  });
  return "ok";
}
