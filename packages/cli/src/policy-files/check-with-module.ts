import type { PolicyReading } from "@svc/engine/read-policy";
import { checkDocument, type DocumentCheck } from "@svc/policy-analysis/check-document";
import { checkModule, ModuleUnchecked, moduleOf } from "@svc/policy-analysis/check-module";
import { CommandFailure } from "../frame/exit-code.ts";
import { localChecker } from "./local-modules.ts";
import type { PolicyFile } from "./read-policy-file.ts";

/** What is said about a file, and what was read of it; null: it was not read as YAML. */
export interface CheckedPolicy {
  readonly check: DocumentCheck;
  readonly reading: PolicyReading | null;
}

/**
 * Judges a policy file and its module as a server does. Rejects with a `CommandFailure` `unreachable`
 * when the module could not be checked, which says nothing about it.
 */
export async function checkWithModule(
  { name: file, source, mediaType }: PolicyFile,
  read: (source: string) => PolicyReading,
): Promise<CheckedPolicy> {
  const readings: PolicyReading[] = [];
  const check = checkDocument({ source, mediaType }, (text) => {
    const reading = read(text);
    readings.push(reading);
    return reading;
  });
  const reading = readings[0] ?? null;
  const module = reading === null ? null : moduleOf(reading);
  if (module === null) return { check, reading };
  try {
    return { check: await checkModule(check, { module, source, file }, localChecker), reading };
  } catch (error) {
    if (!(error instanceof ModuleUnchecked)) throw error;
    throw new CommandFailure("unreachable", `${file}: ${error.message}`, error);
  }
}
