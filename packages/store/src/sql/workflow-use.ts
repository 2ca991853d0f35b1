import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { isJsonObject } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import type { Kysely } from "kysely";
import type { WorkflowUse } from "../ports/approval-workflow-store.ts";
import type { Tables } from "./tables.ts";

/** Most ids of each kind that a refusal names, as count. */
const MAX_NAMED = 5;

interface Question {
  readonly org: string;
  readonly id: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Policies whose latest version names the workflow, and open approvals that follow it. */
export async function workflowUse(db: Kysely<Tables>, question: Question): Promise<WorkflowUse> {
  return { policies: await policiesOf(db, question), approvals: await approvalsOf(db, question) };
}

async function policiesOf(db: Kysely<Tables>, { org, id }: Question): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("policies")
    .innerJoin("policy_versions", (join) =>
      join
        .onRef("policy_versions.org", "=", "policies.org")
        .onRef("policy_versions.id", "=", "policies.id")
        .onRef("policy_versions.version", "=", "policies.latest_version"),
    )
    .select(["policies.id", "policy_versions.record"])
    .where("policies.org", "=", org)
    .where("policies.archived", "=", 0)
    // An id is ASCII, so its JSON text is itself; `_` and `%` may match more, which is then compared.
    .where("policy_versions.record", "like", `%"workflow":%${id}%`)
    .orderBy("policies.id")
    .execute();
  const naming = rows.filter(({ record }) => namesWorkflow(parseJson(record) as JsonObject, id));
  return naming.slice(0, MAX_NAMED).map((row) => row.id);
}

function namesWorkflow({ document }: JsonObject, id: string): boolean {
  const rules: JsonValue | undefined = isJsonObject(document) ? document["rules"] : undefined;
  if (!Array.isArray(rules)) return false;
  return rules.some((rule: JsonValue) => {
    const approval = isJsonObject(rule) ? rule["approval"] : undefined;
    return isJsonObject(approval) && approval["workflow"] === id;
  });
}

async function approvalsOf(db: Kysely<Tables>, { org, id, atMs }: Question): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("approvals")
    .select("id")
    .where("org", "=", org)
    .where("status", "in", ["pending", "suspended"])
    .where("expires_at_ms", ">", atMs)
    .where("workflow_id", "=", id)
    .limit(MAX_NAMED)
    .execute();
  return rows.map((row) => row.id);
}
