import { decidingDocument } from "@svc/engine/document-parts";
import type { Evaluator } from "@svc/engine/evaluation";
import { type EvaluatorFactory, evaluatorsOf, ModuleUnusable } from "@svc/engine/evaluator-factory";
import type { PolicyReading } from "@svc/engine/read-policy";
import { checkDocument, type DocumentText } from "@svc/policy-analysis/check-document";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { countSteps } from "@svc/policy-analysis/count-steps";
import { readExamined } from "@svc/policy-analysis/read-examined";
import type { SimulationReply } from "@svc/policy-analysis/simulation-exchange";

/** `steps`: how many rules and conditions the explanation of one call lists at most. */
export type CompiledText =
  | {
      readonly kind: "compiled";
      readonly explaining: ExplainingPolicy;
      readonly evaluators: readonly Evaluator[];
      readonly steps: number;
    }
  | (SimulationReply & { readonly kind: "document_refused" })
  /** Its module never runs. */
  | { readonly kind: "module_refused"; readonly reason: string };

/** @param evaluators of modules; null: nothing here runs them, and a document with one is refused by name */
export async function compileText(
  document: DocumentText,
  evaluators: EvaluatorFactory | null,
): Promise<CompiledText> {
  const readings: PolicyReading[] = [];
  const check = checkDocument(document, (source) => {
    const modules = evaluators === null ? "refused" : "read";
    const reading = readExamined(source, { modules, guardrails: document.guardrails });
    readings.push(reading);
    return reading;
  });
  if (check.kind !== "valid") return { kind: "document_refused", document, check };
  const [reading] = readings;
  if (reading?.ok !== true) throw new Error("a valid document was not read");
  const deciding = decidingDocument(reading.document);
  let made: readonly Evaluator[] = [];
  try {
    if (evaluators !== null) made = await evaluatorsOf(evaluators, deciding, ownerOf(deciding.head.id));
  } catch (error) {
    if (error instanceof ModuleUnusable) return { kind: "module_refused", reason: error.message };
    throw error;
  }
  const explaining = compileExplaining(deciding, made);
  return { kind: "compiled", explaining, evaluators: made, steps: countSteps(deciding.rules) };
}

/** Why a text was refused, in a few words. */
export function whyRefused(refused: Exclude<CompiledText, { kind: "compiled" }>): string {
  if (refused.kind === "module_refused") return refused.reason;
  const { check } = refused;
  if (check.kind === "not_json") return "it is not JSON";
  const found = check.diagnostics.find(({ severity }) => severity === "error");
  return found === undefined ? "it was refused" : `${found.message} [${found.code}]`;
}

let lastVersion = 0;

/**
 * Each text that is tried belongs to itself: neither another organization's policy of this name nor the text
 * before it may suspend it or take its turns.
 */
function ownerOf(policyId: string) {
  lastVersion += 1;
  return { organization: `text ${String(lastVersion)}`, policyId, version: lastVersion };
}
