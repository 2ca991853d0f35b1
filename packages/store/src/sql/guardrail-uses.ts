import type { PolicyVersionRecord } from "@svc/contract/policy";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A guardrail in one version, as the record of a policy names it. */
interface NamedVersion {
  readonly id: string;
  readonly version: number;
}

function namedBy({ guardrails = [] }: Pick<PolicyVersionRecord, "guardrails">): readonly NamedVersion[] {
  return guardrails.map((text) => {
    const at = text.lastIndexOf("@");
    return { id: text.slice(0, at), version: Number(text.slice(at + 1)) };
  });
}

/** The first guardrail of a version of a policy that does not exist in its version any longer, or not yet. */
export async function movedGuardrail(
  trx: Kysely<Tables>,
  org: string,
  record: Pick<PolicyVersionRecord, "guardrails">,
): Promise<string | null> {
  for (const { id, version } of namedBy(record)) {
    const found = await trx
      .selectFrom("guardrails")
      .select("latest_version")
      .where("org", "=", org)
      .where("id", "=", id)
      .where("removed", "=", 0)
      .executeTakeFirst();
    if (found?.latest_version !== version) return id;
  }
  return null;
}

/** Notes which guardrails the latest version of a policy uses, in place of what was noted before. */
export async function noteUses(trx: Kysely<Tables>, org: string, record: PolicyVersionRecord): Promise<void> {
  await trx.deleteFrom("guardrail_uses").where("org", "=", org).where("policy_id", "=", record.id).execute();
  const uses = namedBy(record).map(({ id }) => ({ org, guardrail_id: id, policy_id: record.id }));
  if (uses.length > 0) await trx.insertInto("guardrail_uses").values(uses).execute();
}

/** The policies that are not archived and use a guardrail, by id. */
export async function usersOf(trx: Kysely<Tables>, org: string, id: string): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom("guardrail_uses as u")
    .innerJoin("policies as p", (join) => join.onRef("p.org", "=", "u.org").onRef("p.id", "=", "u.policy_id"))
    .select("u.policy_id as id")
    .where("u.org", "=", org)
    .where("u.guardrail_id", "=", id)
    .where("p.archived", "=", 0)
    .orderBy("u.policy_id")
    .execute();
  return rows.map((row) => row.id);
}

/** A guardrail of the record that as many policies use as can, this one left out; null: there is none. */
export async function crowdedGuardrail(
  trx: Kysely<Tables>,
  {
    org,
    record,
    most,
  }: { readonly org: string; readonly record: PolicyVersionRecord; readonly most: number },
): Promise<string | null> {
  for (const { id } of namedBy(record)) {
    const users = await usersOf(trx, org, id);
    if (users.filter((user) => user !== record.id).length >= most) return id;
  }
  return null;
}
