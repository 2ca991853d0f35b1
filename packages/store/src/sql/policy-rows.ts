import type { PolicyState, PolicyVersionItem, PolicyVersionRecord } from "@svc/contract/policy";
import type { Labels } from "@svc/contract/policy-labels";
import { parseJson } from "@svc/text/parse-json";
import type { Kysely } from "kysely";
import type { StoredPolicy, StoredVersion } from "../ports/policy-store.ts";
import { itemOf } from "./policy-columns.ts";
import type { PoliciesTable } from "./policy-tables.ts";
import type { Tables } from "./tables.ts";

/** Reads policies and versions from rows. */

export function latestVersions(db: Kysely<Tables>) {
  return db
    .selectFrom("policies as p")
    .innerJoin("policy_versions as v", (join) =>
      join
        .onRef("v.org", "=", "p.org")
        .onRef("v.id", "=", "p.id")
        .onRef("v.version", "=", "p.latest_version"),
    );
}

export async function readPolicy(db: Kysely<Tables>, org: string, id: string): Promise<StoredPolicy | null> {
  const row = await latestVersions(db)
    .select(COLUMNS)
    .where("p.org", "=", org)
    .where("p.id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : policyOf(row);
}

/** Policies that are not archived and whose latest version names a guardrail, by id. */
export async function guardedPolicies(
  db: Kysely<Tables>,
  org: string,
  guardrailId: string,
): Promise<readonly StoredPolicy[]> {
  const rows = await latestVersions(db)
    .innerJoin("guardrail_uses as u", (join) =>
      join.onRef("u.org", "=", "p.org").onRef("u.policy_id", "=", "p.id"),
    )
    .select(COLUMNS)
    .where("u.org", "=", org)
    .where("u.guardrail_id", "=", guardrailId)
    .where("p.archived", "=", 0)
    .orderBy("p.id")
    .execute();
  return rows.map(policyOf);
}

const COLUMNS = [
  "v.record",
  "v.source",
  "v.media_type",
  "v.sealed",
  "p.enabled",
  "p.archived",
  "p.labels",
] as const;

interface VersionRow {
  readonly record: string;
  readonly source: string;
  readonly media_type: StoredVersion["mediaType"];
  readonly sealed: string | null;
}

export function versionOf({ record, source, media_type: mediaType, sealed }: VersionRow): StoredVersion {
  return { record: recordOf(record), source, mediaType, ...(sealed === null ? {} : { sealed }) };
}

type StateRow = Pick<PoliciesTable, "enabled" | "archived" | "labels">;

function policyOf(row: VersionRow & StateRow): StoredPolicy {
  const { record, ...version } = versionOf(row);
  const { id, version: number, ...rest } = record;
  return { ...version, record: { id, version: number, ...stateOf(row), ...rest } };
}

export function stateOf({ enabled, archived, labels }: StateRow): PolicyState {
  return { enabled: enabled === 1, archived: archived === 1, labels: parseJson(labels) as Labels };
}

/** A row of an earlier build has no item of its own. */
export function versionItem({
  item,
  record,
}: {
  item: string | null;
  record: string | null;
}): PolicyVersionItem {
  return item === null ? itemOf(recordOf(record ?? "")) : (parseJson(item) as PolicyVersionItem);
}

/** Records of earlier builds hold a state, which never changed, and no reason. */
function recordOf(text: string): PolicyVersionRecord {
  const { enabled: _enabled, ...record } = parseJson(text) as PolicyVersionRecord & { enabled?: boolean };
  return { ...record, why: record.why ?? null };
}
