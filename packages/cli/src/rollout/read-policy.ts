import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import type { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";

/** A policy in its latest version. */
export type Policy = JsonAnswerOf<typeof policyRoutes.getPolicy>["body"];

/** One version of a policy. */
export type PolicyVersion = JsonAnswerOf<typeof policyRoutes.getPolicyVersion>["body"];

type Client = Pick<ControlClient, "ask" | "askText">;

/** @throws CommandFailure `failed` when there is no such policy */
export async function readPolicy(client: Client, id: string): Promise<Policy> {
  return (await client.ask(policyRoutes.getPolicy, { params: { policy_id: id } })).body;
}

/** Null: the server has no policy of this id. */
export async function findPolicy(client: Client, id: string): Promise<Policy | null> {
  try {
    return await readPolicy(client, id);
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
