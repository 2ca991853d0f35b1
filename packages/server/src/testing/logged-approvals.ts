import type { AuditRow } from "@svc/contract/audit-row";
import { DIGEST_KEY } from "@svc/gateway/testing/gateway-over";
import { canonicalJson } from "@svc/text/canonical-json";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { DENIED_AMOUNT, type Logged, SHARED_AMOUNT } from "./approval-model.ts";

/** Amounts of calls. The policy asks people about each. */
export const AMOUNTS = [900, 901, SHARED_AMOUNT];

/** What people make of them; null: they leave the amount. 5 needs no approval, and the last is denied. */
export const EDITS = [null, 300, 5, DENIED_AMOUNT];

const DIGEST = new KeyedDigest(DIGEST_KEY);

/** The digest of the deployment. */
export const digestOf = (text: string): string => DIGEST.of(text);

const amounts = new Map(
  [...AMOUNTS, ...EDITS.filter((edit) => edit !== null)].map((amount) => [
    digestOf(canonicalJson({ amount })),
    amount,
  ]),
);

/** A row in the words of the model; null when it says nothing about approvals. */
export function loggedOf(row: AuditRow, decision: string): Logged | null {
  switch (row.kind) {
    case "decision": {
      const amount = Number(row.args["amount"]);
      const common = { id: row.approval_id ?? "none", amount, version: row.policy_version ?? 0 };
      if (row.decision === "pause") return { kind: "paused", ...common };
      const ranWith = amountOf(row.shaped_args_digest) ?? amount;
      return row.decision === "allow" ? { kind: "allowed", ...common, decision, ranWith } : null;
    }
    case "outcome":
      return { kind: "withdrawn", decision: row.decision_id };
    case "approval":
      return {
        kind: "moved",
        id: row.approval_id,
        to: row.action,
        by: row.principal,
        edited: amountOf(row.edited_args_digest),
      };
    case "policy":
      return row.action === "updated" ? { kind: "version", version: row.policy_version ?? 0 } : null;
    case "kill_switch":
      return { kind: "switch", isActive: row.action === "activated" };
    default:
      return null;
  }
}

function amountOf(digest: string | null): number | null {
  return digest === null ? null : (amounts.get(digest) ?? Number.NaN);
}
