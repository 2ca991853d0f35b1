import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { GOVERNANCE_MODES, type GovernanceMode } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { nearestName } from "@svc/text/nearest-name";
import { findChangeRow } from "../connection/change-row.ts";
import { type ControlClient, everyPage } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** A policy in its latest version. */
export type Policy = JsonAnswerOf<typeof policyRoutes.getPolicy>["body"];

/** One version of a policy. */
type PolicyVersion = JsonAnswerOf<typeof policyRoutes.getPolicyVersion>["body"];

type Client = Pick<ControlClient, "ask" | "askText">;

/** @throws CommandFailure `failed` when there is no such policy, with one of a similar name */
export async function readPolicy(client: Client, id: string): Promise<Policy> {
  const policy = await findPolicy(client, id);
  if (policy !== null) return policy;
  const { policies } = (await client.ask(policyRoutes.listPolicies, { query: NAMES })).body;
  const nearest = nearestName(
    id,
    policies.map((one) => one.id),
  );
  const hint = nearest === null ? "svc-cli policies list shows them" : `did you mean ${nearest}?`;
  throw new CommandFailure("failed", `the server has no policy ${id}: ${hint}`);
}

/** Policies among which a similar name is looked for. */
const NAMES = { limit: String(MAX_PAGE_SIZE), archived: "all" };

/** Null: the server has no policy of this id. */
export async function findPolicy(client: Client, id: string): Promise<Policy | null> {
  try {
    return (await client.ask(policyRoutes.getPolicy, { params: { policy_id: id } })).body;
  } catch (error) {
    if (error instanceof RequestFailure && error.code === "not_found") return null;
    throw error;
  }
}

export async function readVersion(client: Client, id: string, version: number): Promise<PolicyVersion> {
  const params = { policy_id: id, version: String(version) };
  return (await client.ask(policyRoutes.getPolicyVersion, { params })).body;
}

/** The text of a version as it was sent, with its comments. */
export async function readVersionText(client: Client, id: string, version: number): Promise<string> {
  const params = { policy_id: id, version: String(version) };
  return client.askText(policyRoutes.getPolicyVersion, { params }, "application/yaml");
}

/** One version in the history of a policy. */
export type HistoryEntry = JsonAnswerOf<typeof policyRoutes.listPolicyVersions>["body"]["versions"][number];

/** The versions of a policy, newest first, page by page. @throws CommandFailure */
export async function* readHistory(
  client: Pick<ControlClient, "ask">,
  id: string,
): AsyncGenerator<HistoryEntry> {
  const params = { policy_id: id };
  const pages = everyPage((cursor) =>
    client.ask(policyRoutes.listPolicyVersions, { params, query: { limit: String(MAX_PAGE_SIZE), cursor } }),
  );
  for await (const { versions } of pages) yield* versions;
}

/** The mode that a valid policy has. */
export function modeOf(document: JsonObject): GovernanceMode {
  const found = document["governance_mode"];
  return GOVERNANCE_MODES.find((mode) => mode === found) ?? "enforcement";
}

/** Where the audit log records a change. */
type AuditRowFound =
  | { readonly id: string; readonly missing_because: null }
  | { readonly id: null; readonly missing_because: string };

/** Finds the row of a version. Never rejects: the change stands, whether or not its row is found. */
export async function findAuditRow(
  client: Pick<ControlClient, "ask">,
  { id, version, since }: { readonly id: string; readonly version: number; readonly since: string },
): Promise<AuditRowFound> {
  const query = { kind: "policy", policy_id: id, since };
  const row = await findChangeRow(client, query, ({ policy_version: found }) => found === version);
  return row.id === null ? { id: null, missing_because: row.why } : { id: row.id, missing_because: null };
}
