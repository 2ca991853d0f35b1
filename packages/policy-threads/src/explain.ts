import type { DecisionRow } from "@svc/contract/audit-row";
import type { Evaluation } from "@svc/engine/evaluation";
import type { EvaluatorFactory } from "@svc/engine/evaluator-factory";
import { askModules } from "@svc/policy-analysis/ask-modules";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import type { ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { explainDecision } from "@svc/policy-analysis/explain-decision";
import { isUsageKnown, recordedCall } from "@svc/policy-analysis/recorded-call";
import type { ExplanationOrder, ExplanationReply } from "@svc/policy-analysis/simulation-exchange";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { parseJson } from "@svc/text/parse-json";
import { compileText, whyRefused } from "./compile-text.ts";

/**
 * Makes a recorded decision again. Rejects when the row or the version was damaged in the store, and for a
 * version whose module nothing here runs.
 * @param evaluators as `compileText` takes them
 */
export async function explain(
  order: ExplanationOrder,
  evaluators: EvaluatorFactory | null,
): Promise<ExplanationReply> {
  const { decisionId, switches, withdrawn, repeated, digestKey, policy } = order;
  const row = parseJson(order.row) as DecisionRow;
  const digest = new KeyedDigest(digestKey);
  const recorded = { decisionId, row, switches, withdrawn, repeated, digest };
  const explaining = policy === null ? null : await compileStored(policy, evaluators);
  const answer = explainDecision(recorded, explaining, await saidOf(row, explaining));
  return { kind: "explained", text: JSON.stringify(answer), agrees: answer.agrees, doubts: answer.doubts };
}

/** Null also where the row does not hold what the module was given: then nothing is decided again. */
async function saidOf(row: DecisionRow, explaining: ExplainingPolicy | null): Promise<Evaluation | null> {
  const call = recordedCall(row);
  return explaining === null || !isUsageKnown(call) ? null : askModules(explaining.policy, call);
}

async function compileStored(
  policy: DocumentText,
  evaluators: EvaluatorFactory | null,
): Promise<ExplainingPolicy> {
  const compiled = await compileText(policy, evaluators);
  if (compiled.kind === "compiled") return compiled.explaining;
  throw new Error(`the stored version of a policy is not valid: ${whyRefused(compiled)}`);
}
