import type { SessionUsage } from "@svc/store/ports/session-usage";
import type { RowText } from "../append/decision-row.ts";
import { beforeDeadline } from "../before-deadline.ts";
import type { ReadyPolicy } from "../check/governing-policy.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import type { PendingCall } from "../pending-call.ts";
import { coveredEvaluation, type FoundGrant } from "./approvals.ts";
import { rulingOf, withObservedUsage } from "./policy-ruling.ts";
import type { Ruling } from "./ruling.ts";

interface RuleOnRest {
  readonly usage: SessionUsage | null;
  readonly found: FoundGrant | null;
}

/** The ruling of the policy on a call, with the grant that its approval gave. */
export async function ruleOn(
  { digest }: ExecuteParts,
  call: PendingCall,
  governing: ReadyPolicy,
  { usage, found }: RuleOnRest,
): Promise<Ruling> {
  const evaluation = await call.content.evaluate(governing, call, { usage, edit: found?.grant.edit ?? null });
  const policy = { id: governing.policy.id, version: governing.version };
  const covered = found === null ? null : coveredEvaluation(evaluation, { digest, found, policy });
  const ruled = withObservedUsage(rulingOf(covered ?? evaluation, governing, call), usage);
  if (found === null || covered === null) return ruled;
  const { grant } = found;
  const approval = ruled.decision === "allow" ? ({ kind: "uses", grant } as const) : null;
  return { ...ruled, pauseId: grant.approvalId, approval };
}

/** The grant of an approval of this call. @throws when the store does not answer in time, or has none. */
export async function grantOf(
  { clock, grant }: ExecuteParts,
  call: PendingCall,
  { approvalId, row }: { readonly approvalId: string; readonly row: RowText },
): Promise<FoundGrant> {
  const { org, deadlineMs } = call;
  const found = await beforeDeadline({ clock, deadlineMs }, () => grant(org, approvalId));
  if (found === null) throw new Error("the grant of an approval could not be read");
  return { grant: found, call: { facts: call, row } };
}
