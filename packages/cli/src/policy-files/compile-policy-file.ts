import { decidingDocument } from "@svc/engine/document-parts";
import { jsonFaultDiagnostic } from "@svc/engine/json-fault-diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import { type PolicyReading, readPolicy } from "@svc/engine/read-policy";
import { checkDocument } from "@svc/policy-analysis/check-document";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { formatDiagnostics } from "@svc/policy-analysis/format-diagnostic";
import { CommandFailure } from "../frame/exit-code.ts";
import type { PolicyFile } from "./read-policy-file.ts";

/** A policy that a server would accept. */
export interface CompiledFile {
  readonly file: string;
  readonly source: string;
  readonly explaining: ExplainingPolicy;
  readonly reading: Extract<PolicyReading, { ok: true }>;
}

/** @throws CommandFailure `failed` with every finding, when a server would refuse the policy */
export function compilePolicyFile({ name, source, mediaType }: PolicyFile): CompiledFile {
  const readings: PolicyReading[] = [];
  const check = checkDocument({ source, mediaType }, (text) => {
    const reading = readPolicy(text, { file: name });
    readings.push(reading);
    return reading;
  });
  if (check.kind !== "valid") {
    const found =
      check.kind === "invalid" ? check.diagnostics : [jsonFaultDiagnostic(name, source, check.fault)];
    throw new CommandFailure(
      "failed",
      `the policy is refused:\n${formatDiagnostics(found.map(maskFinding))}`,
    );
  }
  const [reading] = readings;
  if (reading?.ok !== true) throw new Error("a valid document was not read");
  return { file: name, source, explaining: compileExplaining(decidingDocument(reading.document)), reading };
}
