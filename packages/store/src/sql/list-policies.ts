import type { PolicyItem } from "@svc/contract/policy";
import type { PolicyFilter } from "@svc/contract/policy-list";
import { sql } from "kysely";
import type { Page, PageRequest } from "../ports/page.ts";
import { listPage } from "./page-start.ts";
import { foldCase } from "./policy-columns.ts";
import { latestVersions, stateOf, versionItem } from "./policy-rows.ts";
import type { StoreContext } from "./store-context.ts";

/** A page of the policies of an organization that a filter lets pass, by id. */
export async function listPolicies(
  { db, dialect }: Pick<StoreContext, "db" | "dialect">,
  { org, filter, page }: { readonly org: string; readonly filter: PolicyFilter; readonly page: PageRequest },
): Promise<Page<PolicyItem> | "bad_cursor"> {
  const { ids, namespace, agent, mode, enabled, archived, text } = filter;
  let query = latestVersions(db)
    .select(["p.id", "p.enabled", "p.archived", "p.labels", "p.mode", "v.item"])
    .select((eb) =>
      eb.case().when("v.item", "is", null).then(eb.ref("v.record")).else(null).end().as("record"),
    )
    .where("p.org", "=", org);
  if (ids !== null) query = query.where("p.id", "in", ids);
  if (mode !== null) query = query.where("p.mode", "=", mode);
  if (enabled !== null) query = query.where("p.enabled", "=", enabled ? 1 : 0);
  if (archived !== null) query = query.where("p.archived", "=", archived ? 1 : 0);
  if (text !== null) {
    // Not LIKE, in which some characters of the text would be patterns.
    const position = sql<number>`${sql.raw(POSITION[dialect])}(p.search_text, ${foldCase(text)})`;
    query = query.where(position, ">", 0);
  }
  for (const [column, target] of [["namespace_id", namespace] as const, ["agent_id", agent] as const]) {
    if (target === null) continue;
    query = query.where("p.id", "in", (eb) =>
      eb
        .selectFrom("policy_assignments as a")
        .select("a.policy_id")
        .where("a.org", "=", org)
        .where(`a.${column}`, "=", target),
    );
  }
  return listPage(query, page, {
    kind: "policy",
    column: "p.id",
    order: "by_id",
    key: ({ id }) => id,
    item: (row): PolicyItem => {
      const { id, version, ...rest } = versionItem(row);
      return { id, version, ...stateOf(row), mode: row.mode, ...rest };
    },
  });
}

/** The function that finds a text in another one; 0 when it is not there. */
const POSITION = { sqlite: "instr", postgres: "strpos" } as const;
