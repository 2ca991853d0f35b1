import type { Evaluation, GovernedCall } from "@svc/engine/evaluation";
import type { PolicyDocument } from "@svc/engine/policy-document";
import { MAX_DIAGNOSTICS, type Reporter } from "@svc/engine/reporter";
import type { SourceNode } from "@svc/engine/source-node";
import type { Witness } from "@svc/engine/witness";
import { canonicalJson } from "@svc/text/canonical-json";
import { authoredRules } from "./authored-rule.ts";
import type { FindingContext, Suspicion } from "./finding.ts";
import { FINDINGS } from "./finding-table.ts";
import type { Trial } from "./trial.ts";
import { witnessOf } from "./witness/describe-witness.ts";
import { settleCall } from "./witness/settle-call.ts";

/**
 * Finds what loads and does something else than it seems to say. A suspicion is reported when a call shows
 * it: the policy as written and the repaired one decide the call differently. At most one finding per place.
 */
export function reportFindings(
  document: PolicyDocument,
  root: SourceNode,
  trial: Trial,
  reporter: Reporter,
): void {
  const context: FindingContext = { document, root, rules: authoredRules(root, document) };
  const reported = new Set<string>();
  for (const { code, suspect } of FINDINGS) {
    for (const suspicion of suspect(context)) {
      if (trial.isSpent || reporter.diagnostics.length >= MAX_DIAGNOSTICS) return;
      const { place, related, words } = suspicion;
      if (reported.has(place.pointer)) continue;
      const witness = witnessFor(suspicion, context, trial);
      if (witness === null) continue;
      reported.add(place.pointer);
      reporter.report(code, place, { ...words, ...(related === undefined ? {} : { related }), witness });
    }
  }
}

function witnessFor(suspicion: Suspicion, { rules }: FindingContext, trial: Trial): Witness | null {
  const { calls, keeps, repair, shows } = suspicion;
  const repaired = trial.repaired(repair);
  if (repaired === null) return null;
  if (keeps !== undefined && !keeps.some((draft) => settleCall(draft, rules, repaired) !== null)) return null;
  const asWritten = (call: GovernedCall): Evaluation => trial.evaluate(call);
  for (const draft of calls) {
    if (trial.isSpent) return null;
    const call = settleCall(draft, rules, shows === "passes" ? asWritten : repaired);
    if (call === null) continue;
    const [before, after] = [asWritten(call), repaired(call)];
    const [permissive, strict] = shows === "passes" ? [before, after] : [after, before];
    if (isStricter(strict, permissive)) return witnessOf(call, before.decision);
  }
  return null;
}

/** Whether one policy stops or rewrites what the other one lets pass as it is. */
function isStricter(strict: Evaluation, permissive: Evaluation): boolean {
  if (permissive.decision !== "allow") return false;
  if (strict.decision !== "allow") return true;
  return strict.shapedArgs !== null && !isSameShape(strict, permissive);
}

function isSameShape({ shapedArgs: one }: Evaluation, { shapedArgs: other }: Evaluation): boolean {
  return one !== null && other !== null && canonicalJson(one) === canonicalJson(other);
}
