import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { SwitchTarget } from "./target-text.ts";

/** Calls of a target by the audit log. Null: that is not known. */
export interface RecentCalls {
  /** At most 200, those of the newest page. */
  readonly calls: number;
  readonly is_all: boolean;
  readonly last_at: string | null;
}

/** The decisions about calls that a switch on this target stops, in a time or in the whole log. */
export async function readRecentCalls(
  client: ControlClient,
  target: SwitchTarget,
  time: { readonly since?: string; readonly until?: string; readonly limit?: number } = {},
): Promise<RecentCalls | null> {
  const { limit = MAX_PAGE_SIZE, ...between } = time;
  const filter = filterOf(target);
  if (filter === null) return null;
  const query = { kind: "decision", limit: String(limit), ...between, ...filter };
  try {
    const { body } = await client.ask(auditQueryRoutes.listAuditRows, { query });
    const isWhole = body.next_cursor === null && body.indexed.complete;
    if (body.rows.length === 0 && !isWhole) return null;
    return { calls: body.rows.length, is_all: isWhole, last_at: body.rows[0]?.time ?? null };
  } catch (fault) {
    // A key without audit:read, or a server that does not answer in time: nothing is known.
    if (fault instanceof CommandFailure || (fault instanceof Error && fault.name === "TimeoutError"))
      return null;
    throw fault;
  }
}

/** Switches that one answer is asked about, as count: the newest. */
const MAX_ASKED = 20;

/** Those of the targets of which the whole audit log has no call: the name may be misspelt. */
export async function neverSeen<Target extends SwitchTarget>(
  client: ControlClient,
  targets: readonly Target[],
): Promise<ReadonlySet<Target>> {
  const named = targets.filter((target) => !target.account_wide).slice(0, MAX_ASKED);
  const found = await Promise.all(named.map((target) => readRecentCalls(client, target, { limit: 1 })));
  return new Set(named.filter((_, at) => found[at]?.calls === 0));
}

/** What stands behind such a target. */
export const NEVER_SEEN = "NEVER SEEN: the audit log has no call under this name, which may be misspelt";

/** Null: a list is separated by commas, so a name with one cannot be asked for. */
function filterOf({ account_wide, scope, target_id }: SwitchTarget): Readonly<Record<string, string>> | null {
  if (account_wide || target_id === null) return {};
  if (target_id.includes(",")) return null;
  if (scope === "agent") return { agent_id: target_id };
  if (scope === "session") return { session_id: target_id };
  return scope === "tool" ? { tool: target_id } : { namespace: target_id };
}
