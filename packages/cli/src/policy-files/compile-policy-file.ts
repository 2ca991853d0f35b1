import { decidingDocument } from "@svc/engine/document-parts";
import { evaluatorsOf } from "@svc/engine/evaluator-factory";
import { jsonFaultDiagnostic } from "@svc/engine/json-fault-diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import { type PolicyReading, readPolicy } from "@svc/engine/read-policy";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { formatDiagnostics } from "@svc/policy-analysis/format-diagnostic";
import { CommandFailure } from "../frame/exit-code.ts";
import { checkWithModule } from "./check-with-module.ts";
import { localEvaluators } from "./local-modules.ts";
import type { PolicyFile } from "./read-policy-file.ts";

/** A policy that a server would accept. */
export interface CompiledFile {
  readonly file: string;
  readonly source: string;
  readonly explaining: ExplainingPolicy;
  readonly reading: Extract<PolicyReading, { ok: true }>;
}

/**
 * Rejects as `checkWithModule` does, and with a `CommandFailure` `failed` of every finding when a server
 * would refuse the policy.
 */
export async function compilePolicyFile(file: PolicyFile): Promise<CompiledFile> {
  const { name, source } = file;
  const { check, reading } = await checkWithModule(file, (text) =>
    readPolicy(text, { file: name, modules: "read" }),
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
  const evaluators = await evaluatorsOf(localEvaluators, document, ownerOf(document.head.id));
  return { file: name, source, explaining: compileExplaining(document, evaluators), reading };
}

/** No organization shares the threads of this process. */
function ownerOf(policyId: string) {
  return { organization: "", policyId, version: 0 };
}
