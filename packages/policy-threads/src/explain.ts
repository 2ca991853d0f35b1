import type { DecisionRow } from "@svc/contract/audit-row";
import { KeyedDigest } from "@svc/contract/keyed-digest";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import type { ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { explainDecision } from "@svc/policy-analysis/explain-decision";
import type { ExplanationOrder, ExplanationReply } from "@svc/policy-analysis/simulation-exchange";
import { compileText } from "./compile-text.ts";

/** Makes a recorded decision again. @throws when the row or the version was damaged in the store. */
export function explain(order: ExplanationOrder): ExplanationReply {
  const { decisionId, switches, withdrawn, repeated, digestKey, policy } = order;
  const row = JSON.parse(order.row) as DecisionRow;
  const digest = new KeyedDigest(digestKey);
  const recorded = { decisionId, row, switches, withdrawn, repeated, digest };
  const answer = explainDecision(recorded, policy === null ? null : compileStored(policy));
  return { kind: "explained", text: JSON.stringify(answer), agrees: answer.agrees, doubts: answer.doubts };
}

function compileStored(policy: DocumentText): ExplainingPolicy {
  const compiled = compileText(policy);
  if (compiled.kind !== "compiled") throw new Error("the stored version of a policy is not valid");
  return compiled.explaining;
}
