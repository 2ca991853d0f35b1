import type { ControlChange } from "../ports/control-change.ts";
import type { StoredVersion } from "../ports/policy-store.ts";
import { noteUses } from "./guardrail-uses.ts";
import { itemOf, listColumns } from "./policy-columns.ts";
import { stateOf } from "./policy-rows.ts";
import type { TransactionContext } from "./store-context.ts";

export interface VersionToWrite {
  readonly org: string;
  readonly policy: StoredVersion;
  readonly enabled: boolean;
}

/** Writes a version and what it uses. @returns the change to announce */
export async function insertVersion(
  { trx }: Pick<TransactionContext, "trx">,
  { org, policy, enabled }: VersionToWrite,
): Promise<ControlChange> {
  const { record, source, mediaType, sealed = null } = policy;
  const { id, version } = record;
  await trx
    .insertInto("policy_versions")
    .values({
      org,
      id,
      version,
      record: JSON.stringify(record),
      source,
      media_type: mediaType,
      item: JSON.stringify(itemOf(record)),
      sealed,
    })
    .execute();
  await noteUses(trx, org, record);
  return { kind: "policy", policyId: id, version, enabled, source: sealed ?? source };
}

/** Writes a version and makes it the latest one. The state of the policy does not change. */
export async function appendVersion(
  { trx }: Pick<TransactionContext, "trx">,
  { org, policy }: Omit<VersionToWrite, "enabled">,
): Promise<ControlChange> {
  const { id, version } = policy.record;
  const row = await trx
    .selectFrom("policies")
    .select(["enabled", "archived", "labels"])
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { enabled, labels } = stateOf(row);
  const written = await insertVersion({ trx }, { org, policy, enabled });
  await trx
    .updateTable("policies")
    .set({ latest_version: version, ...listColumns(policy.record, labels) })
    .where("org", "=", org)
    .where("id", "=", id)
    .execute();
  return written;
}
