import { approvalRoutes } from "@svc/api/approval-routes";
import { type ReasonedOptions, reasonOf } from "../connection/change-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { resolveApproval } from "./resolve-approval.ts";

/** Ends an approval that waits, and what is left of one that was given. @throws CommandFailure */
export async function revokeGrant(
  id: string,
  options: ReasonedOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const reason = reasonOf(options);
  const ask: Parameters<typeof resolveApproval>[1]["ask"] = async (client) =>
    (await client.ask(approvalRoutes.cancelApproval, { params: { approval_id: id }, body: { reason } })).body;
  return resolveApproval(id, { what: "revoke", args: null, ask }, { options, terminal });
}
