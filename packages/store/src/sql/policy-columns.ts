import type { PolicyVersionItem, PolicyVersionRecord } from "@svc/contract/policy";
import type { Labels } from "@svc/contract/policy-labels";
import { GOVERNANCE_MODES, type GovernanceMode } from "@svc/contract/verdict";
import { parseJson } from "@svc/text/parse-json";
import type { Transaction } from "kysely";
import type { PoliciesTable } from "./policy-tables.ts";
import type { Tables } from "./tables.ts";

/** The columns of a policy that repeat its latest version and its labels, for lists. */
export function listColumns(
  { id, name, document }: PolicyVersionRecord,
  labels: Labels,
): Pick<PoliciesTable, "mode" | "search_text"> {
  return { mode: modeOf(document["governance_mode"]), search_text: searchText({ id, name, labels }) };
}

/**
 * What a list is searched in, and the form of what is searched: case is folded here, because the two
 * databases fold it differently.
 */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The record of a version without its document. */
export function itemOf({ document: _document, ...item }: PolicyVersionRecord): PolicyVersionItem {
  return item;
}

/** One line for the id, for the name and for each label. No line end can be searched for. */
function searchText({
  id,
  name,
  labels,
}: Pick<PolicyVersionRecord, "id" | "name"> & { labels: Labels }): string {
  const lines = [id, name ?? "", ...Object.entries(labels).map(([key, value]) => `${key}=${value}`)];
  return foldCase(lines.join("\n"));
}

/** A document without a mode enforces. */
function modeOf(mode: unknown): GovernanceMode {
  return GOVERNANCE_MODES.find((known) => known === mode) ?? "enforcement";
}

/** Fills the columns of policies that were stored before there were any. */
export async function fillPolicyColumns(trx: Transaction<Tables>): Promise<void> {
  const policies = await trx.selectFrom("policies").select(["org", "id", "latest_version"]).execute();
  for (const { org, id, latest_version: version } of policies) {
    const { record } = await trx
      .selectFrom("policy_versions")
      .select("record")
      .where("org", "=", org)
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirstOrThrow();
    const columns = listColumns(parseJson(record) as PolicyVersionRecord, {});
    await trx.updateTable("policies").set(columns).where("org", "=", org).where("id", "=", id).execute();
  }
}
