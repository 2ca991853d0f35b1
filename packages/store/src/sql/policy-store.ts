import type { PolicyState, PolicyVersionRecord } from "@svc/contract/policy";
import type { GuardrailRefusal, PolicyStore } from "../ports/policy-store.ts";
import { appendVersion, insertVersion } from "./append-policy-version.ts";
import { changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { crowdedGuardrail, movedGuardrail } from "./guardrail-uses.ts";
import { listPolicies } from "./list-policies.ts";
import { labelPolicy, movePolicy } from "./move-policy.ts";
import { listPage } from "./page-start.ts";
import { findBinding, insertBinding } from "./policy-binding.ts";
import { listColumns } from "./policy-columns.ts";
import { readPolicy, stateOf, versionItem, versionOf } from "./policy-rows.ts";
import type { StoreContext, TransactionContext } from "./store-context.ts";

export function createPolicyStore(context: StoreContext): PolicyStore {
  return {
    createPolicy: async (change) => create(context, change),
    appendPolicyVersion: async (change) => append(context, change),
    movePolicy: async (change) => movePolicy(context, change),
    labelPolicy: async (change) => labelPolicy(context, change),
    latestPolicy: async (org, id) => readPolicy(context.db, org, id),
    policyVersion: async (org, id, version) => {
      const row = await context.db
        .selectFrom("policy_versions")
        .select(["record", "source", "media_type", "sealed"])
        .where("org", "=", org)
        .where("id", "=", id)
        .where("version", "=", version)
        .executeTakeFirst();
      return row === undefined ? null : versionOf(row);
    },
    policies: async (org, filter, page) => listPolicies(context, { org, filter, page }),
    policyVersions: async (org, id, page) => listVersions(context, { org, id, page }),
  };
}

type Creation = Parameters<PolicyStore["createPolicy"]>[0];
type Appending = Parameters<PolicyStore["appendPolicyVersion"]>[0];
type PageOf = Parameters<PolicyStore["policyVersions"]>[2];

const NEW_STATE: PolicyState = { enabled: true, archived: false, labels: {} };

async function create(context: StoreContext, change: Creation): ReturnType<PolicyStore["createPolicy"]> {
  const { org, auditRow, policy, binding } = change;
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const { id, version } = policy.record;
    const taken = await policyState(control, org, id);
    if (taken !== null) return { kind: "id_taken", archived: taken.archived };
    if ((await countPolicies(control, org)) >= control.limits.policies) return { kind: "too_many" };
    const existing = binding === null ? null : await findBinding(control, org, binding.record);
    if (existing !== null) return { kind: "already_bound", existing };
    const guardrails = await refuseGuardrails(control, org, policy.record);
    if (guardrails !== null) return guardrails;
    const columns = { enabled: 1, archived: 0, labels: "{}", ...listColumns(policy.record, {}) };
    await control.trx
      .insertInto("policies")
      .values({ org, id, latest_version: version, ...columns })
      .execute();
    const changes = [await insertVersion(control, { org, policy, enabled: true })];
    const auditRows = [auditRow];
    if (binding !== null) {
      changes.push(await insertBinding(control, org, { record: binding.record, origin: "document" }));
      auditRows.push(binding.auditRow);
    }
    const revision = await control.announce({ org, auditRows, changes });
    return { kind: "created", state: NEW_STATE, revision };
  });
}

async function append(
  context: StoreContext,
  change: Appending,
): ReturnType<PolicyStore["appendPolicyVersion"]> {
  const { org, auditRow, policy, boundAgent } = change;
  const { id, version } = policy.record;
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const found = await policyState(control, org, id);
    if (found === null) return { kind: "not_found" };
    const { latest, ...state } = found;
    if (state.archived) return { kind: "archived" };
    if (version !== latest + 1) return { kind: "version_moved", latest };
    if (boundAgent !== null) {
      const existing = await findBinding(control, org, { agent_id: boundAgent, namespace_id: null });
      if (existing?.policy_id !== id) return { kind: "not_bound", existing };
    }
    const guardrails = await refuseGuardrails(control, org, policy.record);
    if (guardrails !== null) return guardrails;
    const written = await appendVersion(control, { org, policy });
    const revision = await control.announce({ org, auditRows: [auditRow], changes: [written] });
    return { kind: "appended", state, revision };
  });
}

async function policyState(
  { trx }: TransactionContext,
  org: string,
  id: string,
): Promise<(PolicyState & { readonly latest: number }) | null> {
  const row = await trx
    .selectFrom("policies")
    .select(["latest_version", "enabled", "archived", "labels"])
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : { ...stateOf(row), latest: row.latest_version };
}

async function countPolicies({ trx }: TransactionContext, org: string): Promise<number> {
  const { count } = await trx
    .selectFrom("policies")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("org", "=", org)
    .executeTakeFirstOrThrow();
  return count;
}

/** Why the guardrails of a version keep it from being written; null: they do not. */
async function refuseGuardrails(
  { trx, limits }: TransactionContext,
  org: string,
  record: PolicyVersionRecord,
): Promise<GuardrailRefusal | null> {
  const moved = await movedGuardrail(trx, org, record);
  if (moved !== null) return { kind: "guardrail_moved", guardrailId: moved };
  const most = limits.policiesOfGuardrail;
  const crowded = await crowdedGuardrail(trx, { org, record, most });
  return crowded === null ? null : { kind: "guardrail_crowded", guardrailId: crowded };
}

async function listVersions(
  { db }: StoreContext,
  { org, id, page }: { org: string; id: string; page: PageOf },
): ReturnType<PolicyStore["policyVersions"]> {
  const query = db
    .selectFrom("policy_versions as v")
    .select(["v.version", "v.item"])
    .select((eb) =>
      eb.case().when("v.item", "is", null).then(eb.ref("v.record")).else(null).end().as("record"),
    )
    .where("v.org", "=", org)
    .where("v.id", "=", id);
  return listPage(query, page, {
    kind: "policy-version",
    column: "v.version",
    order: "newest_first",
    key: ({ version }) => version,
    item: versionItem,
  });
}
