import { MAX_LABELS } from "@svc/contract/limits";
import type { Labels } from "@svc/contract/policy-labels";
import type { PolicyStanding, PolicyStore, StoredPolicy } from "../ports/policy-store.ts";
import { type ControlTransaction, changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { movedGuardrail } from "./guardrail-uses.ts";
import { listColumns } from "./policy-columns.ts";
import { readPolicy } from "./policy-rows.ts";
import type { StoreContext } from "./store-context.ts";

type Moving = Parameters<PolicyStore["movePolicy"]>[0];
type Labelling = Parameters<PolicyStore["labelPolicy"]>[0];

const STANDINGS = {
  enabled: { enabled: true, archived: false },
  disabled: { enabled: false, archived: false },
  archived: { enabled: false, archived: true },
} as const satisfies Record<PolicyStanding, { readonly enabled: boolean; readonly archived: boolean }>;

/** Most assignments that a refusal names, as count. */
const NAMED_ASSIGNMENTS = 20;

export async function movePolicy(
  context: StoreContext,
  { org, auditRow, id, to }: Moving,
): ReturnType<PolicyStore["movePolicy"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const found = await readPolicy(control.trx, org, id);
    if (found === null) return { kind: "not_found" };
    const { enabled, archived } = STANDINGS[to];
    if (found.record.enabled === enabled && found.record.archived === archived)
      return { kind: "unchanged", policy: found, revision: control.revision };
    const moved = enabled ? await movedGuardrail(control.trx, org, found.record) : null;
    if (moved !== null) return { kind: "guardrail_moved", guardrailId: moved };
    if (archived) {
      const assigned = await assignmentsOf(control, org, id);
      if (assigned.length > 0) {
        const assignments = assigned.slice(0, NAMED_ASSIGNMENTS);
        return { kind: "assigned", count: assigned.length, assignments };
      }
    }
    await control.trx
      .updateTable("policies")
      .set({ enabled: enabled ? 1 : 0, archived: archived ? 1 : 0 })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
    const { version } = found.record;
    const change = {
      kind: "policy",
      policyId: id,
      version,
      enabled,
      source: found.sealed ?? found.source,
    } as const;
    const revision = await control.announce({ org, auditRows: [auditRow], changes: [change] });
    return { kind: "moved", policy: withState(found, { enabled, archived }), revision };
  });
}

export async function labelPolicy(
  context: StoreContext,
  { org, auditRow, id, labels: changes }: Labelling,
): ReturnType<PolicyStore["labelPolicy"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const found = await readPolicy(control.trx, org, id);
    if (found === null) return { kind: "not_found" };
    const known = new Map(Object.entries(found.record.labels));
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) known.delete(key);
      else known.set(key, value);
    }
    if (known.size > MAX_LABELS) return { kind: "too_many", count: known.size };
    const labels: Labels = Object.fromEntries(known);
    const { search_text } = listColumns(found.record, labels);
    await control.trx
      .updateTable("policies")
      .set({ labels: JSON.stringify(labels), search_text })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "labelled", policy: withState(found, { labels }) };
  });
}

async function assignmentsOf({ trx }: ControlTransaction, org: string, id: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("policy_assignments")
    .select("id")
    .where("org", "=", org)
    .where("policy_id", "=", id)
    .orderBy("id")
    .execute();
  return rows.map((row) => row.id);
}

function withState(policy: StoredPolicy, state: Partial<StoredPolicy["record"]>): StoredPolicy {
  return { ...policy, record: { ...policy.record, ...state } };
}
