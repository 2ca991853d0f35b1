import type { PolicyChange } from "@svc/contract/policy-change";
import { maskSecrets } from "@svc/engine/mask-secrets";
import { diffPolicies } from "@svc/policy-analysis/policy-diff";
import { renderChanges } from "@svc/policy-analysis/render-diff";
import type { JsonObject } from "@svc/text/json-value";
import type { Emphasis, Piece } from "../frame/text.ts";

/**
 * What differs in the meaning of two policies. Secrets are masked: a policy may hold one, and what is printed
 * ends up in logs of builds.
 */
export function maskedChanges(before: JsonObject, after: JsonObject): readonly PolicyChange[] {
  return diffPolicies(before, after).map(masked);
}

function masked(change: PolicyChange): PolicyChange {
  const { before, after } = change;
  return { ...change, ...maskSecrets({ before, after }, JSON.stringify({ before, after })) };
}

const EMPHASES = {
  added: "good",
  removed: "bad",
  changed: "warning",
  moved: "warning",
} as const satisfies Record<PolicyChange["kind"], Emphasis>;

/** One line for each change. */
export function changePieces(changes: readonly PolicyChange[]): Piece[] {
  return changes.map((change) => ({ text: renderChanges([change]), as: EMPHASES[change.kind] }));
}
