import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { RowMembers } from "@svc/contract/audit-answer";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { PROBE_TOOLS } from "../doctor/probe.ts";

/** The last decisions of all gateways, counted. */
export interface LastDecisions {
  readonly count: number;
  /** Denied probes of svc-cli doctor among the rows that were read. They are counted nowhere else. */
  readonly probes: number;
  readonly allow: number;
  readonly deny: number;
  readonly pause: number;
  /** Decisions that are rows, and whose callers were denied afterwards. They are counted above, too. */
  readonly withdrawn: number;
  /** Denies that stand for a fault, by their reason codes. */
  readonly fail_closed: Readonly<Record<string, number>>;
  /** The time of the oldest one. Null: there is none. */
  readonly since: string | null;
  readonly until: string | null;
  /** False: newer ones are not indexed yet. */
  readonly is_complete: boolean;
}

export async function readDecisions(client: ControlClient): Promise<LastDecisions> {
  const query = { kind: "decision", limit: String(MAX_PAGE_SIZE) };
  const { body } = await client.ask(auditQueryRoutes.listAuditRows, { query });
  const counts = { allow: 0, deny: 0, pause: 0 };
  const causes = new Map<string, number>();
  const rows = body.rows.filter(({ row }) => !isDeniedProbe(row));
  for (const { row } of rows) {
    const decision = row["decision"];
    if (decision === "allow" || decision === "deny" || decision === "pause") counts[decision] += 1;
    const cause = row["reason_code"];
    if (row["fail_closed"] === true && typeof cause === "string")
      causes.set(cause, (causes.get(cause) ?? 0) + 1);
  }
  return {
    count: rows.length,
    probes: body.rows.length - rows.length,
    ...counts,
    withdrawn: rows.filter(({ outcome }) => outcome?.withdrawn === true).length,
    fail_closed: Object.fromEntries(causes),
    since: rows.at(-1)?.time ?? null,
    until: rows[0]?.time ?? null,
    is_complete: body.indexed.complete,
  };
}

/** A probe is denied by the kill switch that was made for it, and says nothing about agents. */
function isDeniedProbe({ tool, reason_code: code }: RowMembers): boolean {
  return typeof tool === "string" && tool.startsWith(PROBE_TOOLS) && code === "kill_switch";
}
