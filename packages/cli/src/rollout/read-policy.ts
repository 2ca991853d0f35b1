import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { nearestName } from "@svc/text/nearest-name";
import type { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** A policy in its latest version. */
export type Policy = JsonAnswerOf<typeof policyRoutes.getPolicy>["body"];

/** One version of a policy. */
export type PolicyVersion = JsonAnswerOf<typeof policyRoutes.getPolicyVersion>["body"];

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
