import { approvalRoutes } from "@svc/api/approval-routes";
import { type ReasonedOptions, reasonOf } from "../connection/change-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { resolveApproval } from "./resolve-approval.ts";

/** Denies a paused call. @throws CommandFailure */
export async function denyCall(id: string, options: ReasonedOptions, terminal: Terminal): Promise<Outcome> {
  const question = { params: { approval_id: id }, body: { reason: reasonOf(options) } };
  return resolveApproval(
    id,
    {
      what: "deny",
      args: null,
      ask: async (client) => (await client.ask(approvalRoutes.denyApproval, question)).body,
    },
    { options, terminal },
  );
}
