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
    .select(["v.record", "v.source", "v.media_type", "p.enabled", "p.archived", "p.labels"])
    .where("p.org", "=", org)
    .where("p.id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : policyOf(row);
}

interface VersionRow {
  readonly record: string;
  readonly source: string;
  readonly media_type: StoredVersion["mediaType"];
}

export function versionOf({ record, source, media_type: mediaType }: VersionRow): StoredVersion {
  return { record: recordOf(record), source, mediaType };
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
