import { setTimeout as delay } from "node:timers/promises";
import { approvalRoutes } from "@svc/api/approval-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { type ControlClient, everyPage } from "../connection/control-client.ts";
import type { Question } from "../connection/prepare-request.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { findPolicy, type Policy } from "./read-policy.ts";

/** A version to store. It is refused when another version follows `base` meanwhile. */
export interface VersionDraft {
  readonly id: string;
  /** The version that it follows; null for a policy that does not exist yet. */
  readonly base: number | null;
  /** What the version says, as JSON. */
  readonly value: JsonObject;
  readonly from:
    | { readonly kind: "document"; readonly document: NonNullable<Question["document"]> }
    | { readonly kind: "version"; readonly version: number };
  readonly why: string;
}

type Answer = JsonAnswerOf<typeof policyRoutes.updatePolicy>["body"];

/** A version that is stored, and what is known of it at the gateways. */
export type StoredVersion = Extract<Answer, { readonly kind: "changed" }>;

type Client = Pick<ControlClient, "ask" | "askText">;

/** Asks the server to check a draft, which stores nothing. @throws CommandFailure when it would be refused */
export async function tryVersion(client: Client, draft: VersionDraft): Promise<void> {
  try {
    await send(client, draft, true);
  } catch (error) {
    throw unchanged(draft, error);
  }
}

/**
 * Stores a version. When no answer came, the policy is read to find out what became of the request.
 * @throws CommandFailure that says what is known: `failed` for a version that came between, `unreachable`
 * when it is not known whether the version is stored
 */
export async function storeVersion(client: Client, draft: VersionDraft): Promise<StoredVersion> {
  try {
    const answer = await send(client, draft, false);
    if (answer.kind === "dry_run") throw new Error("the server tried a version that it should have stored");
    return answer;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const mayBeStored = !(error instanceof RequestFailure) || error.mayBeDone;
    if (error.outcome === "unreachable" && mayBeStored) return lookUp(client, draft, error);
    throw unchanged(draft, error);
  }
}

function unchanged({ id }: VersionDraft, error: unknown): unknown {
  if (!(error instanceof CommandFailure)) return error;
  return new CommandFailure(error.outcome, `${error.message}\nPolicy ${id} was not changed.`, error);
}

async function send(
  client: Client,
  { id, base, from, why }: VersionDraft,
  isTrial: boolean,
): Promise<Answer> {
  const query = { why, ...(isTrial ? { dry_run: "true" } : {}) };
  const params = { policy_id: id };
  const ifMatch = base === null ? {} : { ifMatch: base };
  if (from.kind === "version") {
    const body = { target_version: from.version };
    return (await client.ask(policyRoutes.rollbackPolicy, { params, query, body, ...ifMatch })).body;
  }
  const { document } = from;
  if (base === null) return (await client.ask(policyRoutes.createPolicy, { query, document })).body;
  return (await client.ask(policyRoutes.updatePolicy, { params, query, document, ...ifMatch })).body;
}

/** Milliseconds in which a server that ended can be back. */
const LOOK_MS = 10_000;

/** Milliseconds between two looks. */
const PAUSE_MS = 500;

async function lookUp(client: Client, draft: VersionDraft, fault: CommandFailure): Promise<StoredVersion> {
  const { id, base, value } = draft;
  const version = (base ?? 0) + 1;
  const latest = await latestWithin(client, id, fault, version);
  if (latest?.version === version && canonicalJson(latest.document) === canonicalJson(value))
    return {
      kind: "changed",
      ...latest,
      warnings: [],
      propagation_ms: null,
      gateways: [],
      note: ANSWER_LOST,
    };
  if ((latest?.version ?? null) === base)
    throw new CommandFailure(
      "unreachable",
      `Version ${String(version)} of policy ${id} is not stored so far: ${fault.message}. ${AGAIN}`,
      fault,
    );
  throw new CommandFailure(
    "failed",
    `Policy ${id} has version ${String(latest?.version ?? 0)} of another author now, and no answer came to ` +
      `this change: ${fault.message}. Compare before you try again: svc-cli policies versions ${id}`,
    fault,
  );
}

const ANSWER_LOST = "The answer to the change was lost. The server has the version.";
const AGAIN = "Run the command again: it changes nothing where the version is stored.";

async function latestWithin(
  client: Client,
  id: string,
  fault: CommandFailure,
  version: number,
): Promise<Policy | null> {
  const endMs = performance.now() + LOOK_MS;
  for (;;) {
    try {
      return await findPolicy(client, id);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      if (error.outcome !== "unreachable" || performance.now() >= endMs)
        throw new CommandFailure(
          "unreachable",
          `It is not known whether version ${String(version)} of policy ${id} is stored: ` +
            `${fault.message}. ${AGAIN}`,
          error,
        );
      await delay(PAUSE_MS);
    }
  }
}

/**
 * How many open approvals a new version of a policy made void: those of the version before. Null: this key
 * may not read them. The change stands, whatever becomes of this question.
 */
export async function countEndedApprovals(
  client: Pick<ControlClient, "ask">,
  { id, base }: { readonly id: string; readonly base: number | null },
): Promise<number | null> {
  if (base === null) return 0;
  const query = { status: "pending", limit: String(MAX_PAGE_SIZE) };
  let count = 0;
  try {
    for await (const { approvals } of everyPage((cursor) =>
      client.ask(approvalRoutes.listApprovals, { query: { ...query, cursor } }),
    ))
      count += approvals.filter((one) => one.policy_id === id && one.policy_version === base).length;
    return count;
  } catch (fault) {
    if (fault instanceof CommandFailure) return null;
    throw fault;
  }
}
