import { approvalRoutes } from "@svc/api/approval-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { CommandFailure } from "../frame/exit-code.ts";

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
