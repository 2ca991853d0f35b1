import type { PolicyRecord } from "@svc/contract/policy-record";
import type { ControlChange } from "../ports/control-change.ts";
import type { PolicyStore, StoredPolicy } from "../ports/policy-store.ts";
import { changeControl } from "./change-control.ts";
import { cutPage, numberStart, textStart } from "./page-start.ts";
import { findBinding, insertBinding } from "./policy-binding.ts";
import type { StoreContext, TransactionContext } from "./store-context.ts";

export function createPolicyStore(context: StoreContext): PolicyStore {
  return {
    createPolicy: async (change) => create(context, change),
    appendPolicyVersion: async (change) => append(context, change),
    latestPolicy: async (org, id) => {
      const row = await latestVersions(context)
        .where("p.org", "=", org)
        .where("p.id", "=", id)
        .executeTakeFirst();
      return row === undefined ? null : storedPolicy(row);
    },
    policyVersion: async (org, id, version) => {
      const row = await versions(context, org, id).where("version", "=", version).executeTakeFirst();
      return row === undefined ? null : storedPolicy(row);
    },
    policies: async (org, page) => listPolicies(context, org, page),
    policyVersions: async (org, id, page) => listVersions(context, { org, id, page }),
  };
}

type Creation = Parameters<PolicyStore["createPolicy"]>[0];
type Appending = Parameters<PolicyStore["appendPolicyVersion"]>[0];
type PageOf = Parameters<PolicyStore["policies"]>[1];

async function create(context: StoreContext, change: Creation): ReturnType<PolicyStore["createPolicy"]> {
  const { org, auditRow, policy, binding } = change;
  return changeControl(context, async (control) => {
    if ((await latestVersion(control, org, policy.record.id)) !== null) return { kind: "id_taken" };
    if ((await countPolicies(control, org)) >= control.limits.policies) return { kind: "too_many" };
    const existing = binding === null ? null : await findBinding(control, org, binding.record);
    if (existing !== null) return { kind: "already_bound", existing };
    const { id, version } = policy.record;
    await control.trx.insertInto("policies").values({ org, id, latest_version: version }).execute();
    const changes = [await insertVersion(control, org, policy)];
    const auditRows = [auditRow];
    if (binding !== null) {
      changes.push(await insertBinding(control, org, { record: binding.record, origin: "document" }));
      auditRows.push(binding.auditRow);
    }
    return { kind: "created", revision: await control.announce({ org, auditRows, changes }) };
  });
}

async function append(
  context: StoreContext,
  change: Appending,
): ReturnType<PolicyStore["appendPolicyVersion"]> {
  const { org, auditRow, policy, boundAgent } = change;
  const { id, version } = policy.record;
  return changeControl(context, async (control) => {
    const latest = await latestVersion(control, org, id);
    if (latest === null) return { kind: "not_found" };
    if (version !== latest + 1) return { kind: "version_moved", latest };
    if (boundAgent !== null) {
      const existing = await findBinding(control, org, { agent_id: boundAgent, namespace_id: null });
      if (existing?.policy_id !== id) return { kind: "not_bound", existing };
    }
    const written = await insertVersion(control, org, policy);
    await control.trx
      .updateTable("policies")
      .set({ latest_version: version })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
    const revision = await control.announce({ org, auditRows: [auditRow], changes: [written] });
    return { kind: "appended", revision };
  });
}

async function latestVersion({ trx }: TransactionContext, org: string, id: string): Promise<number | null> {
  const row = await trx
    .selectFrom("policies")
    .select("latest_version")
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.latest_version ?? null;
}

async function countPolicies({ trx }: TransactionContext, org: string): Promise<number> {
  const { count } = await trx
    .selectFrom("policies")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("org", "=", org)
    .executeTakeFirstOrThrow();
  return count;
}

async function insertVersion(
  { trx }: TransactionContext,
  org: string,
  { record, source, mediaType }: StoredPolicy,
): Promise<ControlChange> {
  const { id, version, enabled } = record;
  await trx
    .insertInto("policy_versions")
    .values({ org, id, version, record: JSON.stringify(record), source, media_type: mediaType })
    .execute();
  return { kind: "policy", policyId: id, version, enabled, source };
}

function latestVersions({ db }: StoreContext) {
  return db
    .selectFrom("policies as p")
    .innerJoin("policy_versions as v", (join) =>
      join
        .onRef("v.org", "=", "p.org")
        .onRef("v.id", "=", "p.id")
        .onRef("v.version", "=", "p.latest_version"),
    )
    .select(["p.id", "v.version", "v.record", "v.source", "v.media_type"]);
}

function versions({ db }: StoreContext, org: string, id: string) {
  return db
    .selectFrom("policy_versions")
    .select(["id", "version", "record", "source", "media_type"])
    .where("org", "=", org)
    .where("id", "=", id);
}

async function listPolicies(
  context: StoreContext,
  org: string,
  page: PageOf,
): ReturnType<PolicyStore["policies"]> {
  const start = textStart("policy", page);
  if (start === "bad_cursor") return "bad_cursor";
  let query = latestVersions(context)
    .where("p.org", "=", org)
    .orderBy("p.id")
    .limit(page.limit + 1);
  if (start.kind === "after") query = query.where("p.id", ">", start.key);
  return cutPage(await query.execute(), page.limit, {
    kind: "policy",
    key: ({ id }) => id,
    item: storedPolicy,
  });
}

async function listVersions(
  context: StoreContext,
  { org, id, page }: { org: string; id: string; page: PageOf },
): ReturnType<PolicyStore["policyVersions"]> {
  const start = numberStart("policy-version", page);
  if (start === "bad_cursor") return "bad_cursor";
  let query = versions(context, org, id)
    .orderBy("version", "desc")
    .limit(page.limit + 1);
  if (start.kind === "after") query = query.where("version", "<", start.key);
  return cutPage(await query.execute(), page.limit, {
    kind: "policy-version",
    key: ({ version }) => version,
    item: storedPolicy,
  });
}

function storedPolicy(row: {
  readonly record: string;
  readonly source: string;
  readonly media_type: StoredPolicy["mediaType"];
}): StoredPolicy {
  return { record: JSON.parse(row.record) as PolicyRecord, source: row.source, mediaType: row.media_type };
}
