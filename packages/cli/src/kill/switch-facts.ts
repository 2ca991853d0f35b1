import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { type ChangeRow, findChangeRow } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { CommandFailure } from "../frame/exit-code.ts";

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

/** Milliseconds that the row of a switch is looked for: nobody waits longer for what has been done. */
const LOOK_MS = 1_000;

/** The switch as the server has changed it. */
interface ChangedSwitch {
  readonly kill_switch_id: string;
  readonly expires_at: string | null;
}

const ACTIVE: ReadonlySet<unknown> = new Set(["activated", "extended"]);

/** The audit row that records the change of a switch. */
export async function findSwitchRow(
  connection: Connection,
  { kill_switch_id: id, expires_at }: ChangedSwitch,
  to: "active" | "ended",
): Promise<ChangeRow> {
  const client = new ControlClient(connection, AbortSignal.timeout(LOOK_MS));
  try {
    return await findChangeRow(client, { kind: "kill_switch" }, (row) => {
      if (row["kill_switch_id"] !== id) return false;
      if (to === "ended") return row["action"] === "deactivated" || row["action"] === "expired";
      return ACTIVE.has(row["action"]) && row["expires_at"] === expires_at;
    });
  } catch (fault) {
    // The signal of the client ended the question.
    if (fault instanceof Error && fault.name === "TimeoutError")
      return { id: null, why: "the audit log does not answer in time" };
    throw fault;
  }
}

/** What a switch names. */
export interface SwitchTarget {
  readonly account_wide: boolean;
  readonly scope: string;
  readonly target_id: string | null;
}

/** What a switch stops, in the words of `svc-cli kill`. */
export function targetText({ account_wide, scope, target_id }: SwitchTarget): string {
  return account_wide ? "global" : `${scope} ${target_id ?? ""}`;
}
