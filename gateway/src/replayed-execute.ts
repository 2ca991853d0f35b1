import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Principal } from "@svc/contract/principal";
import type { Verdict } from "@svc/contract/verdict";
import { type ExecuteParts, execute, repeatVerdict } from "./execute.ts";
import type { ReplayCache } from "./replay-cache.ts";

/** The caller's own name for one call, and the digest of the body that came with it. */
export interface IdempotentCall {
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
}

/**
 * `execute`, counted once however often it is repeated with the same key. What may still run is checked
 * against the live kill state again: an old allow is no way around a new kill switch.
 * @returns null when the key came with another body before.
 */
export async function executeOnce(
  parts: ExecuteParts & { readonly replays: ReplayCache },
  principal: Principal,
  request: ExecuteRequest,
  { idempotencyKey, bodyDigest }: IdempotentCall,
): Promise<Verdict | null> {
  const key = JSON.stringify([principal.org, principal.id, idempotencyKey]);
  const replay = parts.replays.run({ key, bodyDigest }, () => execute(parts, principal, request));
  switch (replay.kind) {
    case "conflict":
      return null;
    case "first":
      return replay.verdict;
    case "repeated":
      return repeatVerdict(parts, { principal, request, verdict: await replay.verdict });
  }
}
