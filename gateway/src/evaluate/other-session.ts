import { rowOf } from "../append/append-row.ts";
import { beforeDeadline } from "../before-deadline.ts";
import type { ReadyPolicy } from "../check/governing-policy.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import type { PendingCall } from "../pending-call.ts";
import { anywhereOf } from "./approvals.ts";
import type { Ruling } from "./ruling.ts";

/**
 * The ruling, whose reason says when an approval of the same call is unused in another session. Clients that
 * change their session for each call would otherwise be approved for ever. The reason does not name that
 * session: one key can serve several users, and the id of a session opens what the session may do.
 * @throws when the store does not answer in time
 */
export async function noteOtherSession(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  governing: ReadyPolicy,
): Promise<Ruling> {
  const { approval, policy, ruleId, reason } = ruled;
  if (approval?.kind !== "opens" || approval.terms.scope === "agent" || policy === null) return ruled;
  const { clock, digest, usableElsewhere } = parts;
  const { org, sessionId, principal, deadlineMs } = call;
  const name = { facts: call, row: await rowOf(parts, call, ruled, governing) };
  const anywhere = anywhereOf(digest, name, policy, { ruleId, terms: approval.terms });
  const question = { anywhere, sessionId, requestedBy: principal, atMs: clock.now().getTime() };
  const found = await beforeDeadline({ clock, deadlineMs }, async () => ({
    isUsable: await usableElsewhere(org, question),
  }));
  if (found === null) throw new Error("the grants of other sessions could not be read in time");
  if (!found.isUsable) return ruled;
  const own = sessionId === null ? "calls without a session" : `session ${sessionId}`;
  const where = "repeat it in the session that asked";
  const hint = `An approval of the same call is unused, but not for ${own}: ${where}`;
  return { ...ruled, reason: reason === null ? hint : `${reason}. ${hint}` };
}
