import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { RequestFailure } from "../connection/request-failure.ts";

type Client = Pick<ControlClient, "ask">;

/**
 * The time since which a policy has made this many decisions; null when it has made none. A key that may not
 * read the audit log gets a time out of REPORTED_HOURS, since which there are at least as many.
 */
export async function sinceOfLast(client: Client, policyId: string, count: number): Promise<string | null> {
  try {
    return await sinceByRows(client, policyId, count);
  } catch (error) {
    if (error instanceof RequestFailure && error.code === "forbidden")
      return sinceByReports(client, policyId, count);
    throw error;
  }
}

async function sinceByRows(client: Client, policyId: string, count: number): Promise<string | null> {
  const query = { kind: "decision", policy_id: policyId, limit: String(Math.min(count, MAX_PAGE_SIZE)) };
  const pages = everyPage((cursor) =>
    client.ask(auditQueryRoutes.listAuditRows, { query: { ...query, cursor } }),
  );
  let found = 0;
  let since: string | null = null;
  for await (const { rows } of pages) {
    const wanted = rows.slice(0, count - found);
    found += wanted.length;
    since = wanted.at(-1)?.time ?? since;
    if (found >= count) break;
  }
  return since;
}

/** From a quarter of an hour to the longest report. */
const REPORTED_HOURS = [0.25, 1, 6, 24, 7 * 24, 30 * 24, 92 * 24] as const;

async function sinceByReports(client: Client, policyId: string, count: number): Promise<string | null> {
  const params = { policy_id: policyId };
  const nowMs = Date.now();
  let since: string | null = null;
  for (const hours of REPORTED_HOURS) {
    // A report covers whole minutes, so that the longest one begins a little later.
    const from = new Date(nowMs - hours * 3_600_000 + 120_000).toISOString();
    const { body } = await client.ask(auditQueryRoutes.getPolicyReport, { params, query: { since: from } });
    if (body.decisions > 0) since = body.since;
    if (body.decisions >= count) break;
  }
  return since;
}
