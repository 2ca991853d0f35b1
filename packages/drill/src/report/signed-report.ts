import type { NoteSigner, VerifierKey } from "@svc/audit-log/note-key";
import { parseJsonObject } from "@svc/audit-log/parse-json-object";
import { parseNote, signersOf, signNote, verifyNote } from "@svc/audit-log/signed-note";
import { CHECK_VERDICTS } from "../judge/check.ts";
import { type DrillReport, REPORT_SCHEMA } from "./drill-report.ts";

/** Longest file of a report that is read, in UTF-16 units: a drill with nine gateways makes a tenth of it. */
export const MAX_REPORT_LENGTH = 1024 * 1024;

/** Never treat anything but `valid` as evidence. */
export type ReportReading =
  | { readonly kind: "valid"; readonly report: DrillReport }
  | { readonly kind: "unknown_key"; readonly neededKeys: readonly string[] }
  | { readonly kind: "malformed" | "bad_signature" };

/** The report as JSON, an empty line, and the signature of its very bytes: a C2SP signed note. */
export function signReport(signer: NoteSigner, report: DrillReport): string {
  return signNote(signer, `${JSON.stringify(report, null, 2)}\n`);
}

/** Whether one of the keys has signed the report. */
export function readSignedReport(text: string, keys: readonly VerifierKey[]): ReportReading {
  const note = parseNote(text, MAX_REPORT_LENGTH);
  if (note === null) return { kind: "malformed" };
  const trust = verifyNote(note, keys);
  if (trust === "unknown_key") return { kind: trust, neededKeys: signersOf(note) };
  if (trust !== "trusted") return { kind: trust };
  const report = parseJsonObject(note.text);
  return isReport(report) ? { kind: "valid", report } : { kind: "malformed" };
}

/** What the signature covers is what this program wrote, so only its form has to be recognised. */
function isReport(value: unknown): value is DrillReport {
  if (typeof value !== "object" || value === null) return false;
  const { schema, verdict, checks } = value as Partial<Record<keyof DrillReport, unknown>>;
  return (
    schema === REPORT_SCHEMA &&
    (CHECK_VERDICTS as readonly unknown[]).includes(verdict) &&
    Array.isArray(checks)
  );
}
