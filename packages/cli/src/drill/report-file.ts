import { access, constants, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { generateSigningKey, type NoteSigner, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import type { DrillName, DrillReport } from "@svc/drill/drill-report";
import { renderReport } from "@svc/drill/render-report";
import { readSignedReport, signReport } from "@svc/drill/signed-report";
import { noKeyFits, readPinnedKeys } from "../audit-verify/trusted-keys.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { readInput, requireFile } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

/** The name in the keys of reports. */
const SIGNER_NAME = "svc-drill";

/** A signer, and whether somebody can know its key from elsewhere. */
interface ReportSigner {
  readonly signer: NoteSigner;
  readonly isNew: boolean;
}

/** The key of `--sign-key`, or a new one. Throws CommandFailure `usage`. */
export async function readReportSigner(
  file: string | undefined,
  { workingDirectory }: Terminal,
): Promise<ReportSigner> {
  if (file === undefined) return { signer: parseSigner(SIGNER_NAME, generateSigningKey()), isNew: true };
  try {
    const pem = await readFile(requireFile(resolve(workingDirectory, file)), "utf8");
    return { signer: parseSigner(SIGNER_NAME, pem), isNew: false };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure("usage", `--sign-key: expected an Ed25519 private key in PEM: ${why}`, error);
  }
}

/** Looked at before a drill, which may take minutes. Throws CommandFailure `usage`. */
export async function requireReportFolder(
  path: string | undefined,
  { workingDirectory }: Terminal,
): Promise<void> {
  const folder = path === undefined ? workingDirectory : dirname(resolve(workingDirectory, path));
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw new CommandFailure("usage", `--report: expected a folder to write to, found ${folder}`, error);
  });
}

const NEW_KEY = " (new, its private key is gone: keep this line to verify the report)";

interface ReportTarget {
  readonly signer: ReportSigner;
  readonly terminal: Terminal;
  readonly drill: DrillName;
  readonly path: string | undefined;
}

/** Where the report is and what verifies it, in both forms. */
interface WrittenReport {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Writes the signed report. Throws CommandFailure `usage` when the file cannot be written. */
export async function writeReport(
  report: DrillReport,
  { signer: { signer, isNew }, terminal, drill, path }: ReportTarget,
): Promise<WrittenReport> {
  const time = report.started_at.replace(/[-:]|\.[0-9]+/g, "");
  const file = path ?? `drill-${drill}-${time}.note`;
  const note = signReport(signer, report);
  const key = renderVerifierKey(signer.verifier);
  await writeFile(resolve(terminal.workingDirectory, file), note).catch((error: unknown) => {
    throw new CommandFailure("usage", `--report: ${file} cannot be written: ${String(error)}`, error);
  });
  const text = [`report: ${file}`, `public key: ${key}${isNew ? NEW_KEY : ""}`, ""].join("\n");
  return { text, json: { report_file: file, public_key: key, note } };
}

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
