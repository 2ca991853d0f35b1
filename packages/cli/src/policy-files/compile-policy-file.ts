import { decidingDocument } from "@svc/engine/document-parts";
import { evaluatorsOf } from "@svc/engine/evaluator-factory";
import { jsonFaultDiagnostic } from "@svc/engine/json-fault-diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import { type PolicyReading, readPolicy } from "@svc/engine/read-policy";
import { checkDocument, type DocumentCheck } from "@svc/policy-analysis/check-document";
import { checkModule, ModuleUnchecked, moduleOf } from "@svc/policy-analysis/check-module";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { formatDiagnostics } from "@svc/policy-analysis/format-diagnostic";
import { CommandFailure } from "../frame/exit-code.ts";
import { localChecker, localEvaluators, ModuleTimes } from "./local-modules.ts";
import type { PolicyFile } from "./read-policy-file.ts";

/** A policy that a server would accept. */
export interface CompiledFile {
  readonly file: string;
  readonly source: string;
  readonly explaining: ExplainingPolicy;
  readonly reading: Extract<PolicyReading, { ok: true }>;
  /** Of the evaluations of its module. */
  readonly moduleTimes: ModuleTimes;
}

/**
 * Rejects as `checkWithModule` does, and with a `CommandFailure` `failed` of every finding when a server
 * would refuse the policy.
 */
export async function compilePolicyFile(file: PolicyFile): Promise<CompiledFile> {
  const { name, source } = file;
  const { check, reading } = await checkWithModule(file, (text) =>
    readPolicy(text, { file: name, modules: "read", guardrails: file.guardrails }),
  );
  if (check.kind !== "valid") {
    const found =
      check.kind === "invalid" ? check.diagnostics : [jsonFaultDiagnostic(name, source, check.fault)];
    throw new CommandFailure(
      "failed",
      `the policy is refused:\n${formatDiagnostics(found.map(maskFinding))}`,
    );
  }
  if (reading?.ok !== true) throw new Error("a valid document was not read");
  const document = decidingDocument(reading.document);
  const moduleTimes = new ModuleTimes();
  const evaluators = await evaluatorsOf(localEvaluators(moduleTimes), document, ownerOf(document.head.id));
  return { file: name, source, explaining: compileExplaining(document, evaluators), reading, moduleTimes };
}

/** No organization shares the threads of this process. */
function ownerOf(policyId: string) {
  return { organization: "", policyId, version: 0 };
}

/** What is said about a file, and what was read of it; null: it was not read as YAML. */
interface CheckedPolicy {
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
