import { approvalRoutes } from "@svc/api/approval-routes";
import type { ApprovalFilterName, ApprovalItem } from "@svc/contract/approval";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient, everyPage } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { timeLeft } from "../frame/time-left.ts";
import { approvalText, grantText } from "./approval-text.ts";

export interface ListOptions extends ServerOptions, OutputOptions {
  readonly status: ApprovalFilterName | "all" | "open";
  readonly agent?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly workflow?: string;
}

/** Lists every approval that is selected, page by page. @throws CommandFailure */
export async function listApprovals(options: ListOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const { status, agent: agent_id, session: session_id, tool, workflow } = options;
  const client = new ControlClient(await resolveConnection(options, terminal));
  const filter = { agent_id, session_id, tool, workflow };
  const limit = String(MAX_PAGE_SIZE);
  const approvals: ApprovalItem[] = [];
  for (const one of statusesOf(status)) {
    const pages = everyPage((cursor) =>
      client.ask(approvalRoutes.listApprovals, { query: { ...filter, status: one, limit, cursor } }),
    );
    for await (const page of pages) {
      approvals.push(...page.approvals);
      if (page.next_cursor !== null) output.progress(`${String(approvals.length)} approvals read`);
    }
  }
  const nowMs = Date.now();
  output.result({
    text:
      approvals.length === 0
        ? `no ${status === "all" ? "" : `${status} `}approvals\n`
        : renderTable(
            HEADINGS,
            approvals.map((one) => rowOf(one, nowMs)),
            output.isTerminal,
          ),
    schema: "svc.cli.approvals/v1",
    json: { approvals },
    items: approvals,
  });
  return "ok";
}

/** What is asked for, in the order in which it is shown. */
function statusesOf(status: ListOptions["status"]): readonly (ApprovalFilterName | undefined)[] {
  if (status === "all") return [undefined];
  return status === "open" ? ["pending", "suspended", "usable"] : [status];
}

const HEADINGS = ["ID", "STATUS", "AGENT", "SESSION", "TOOL", "RULE", "POLICY", "APPROVALS", "UNTIL", "PAGE"];

function rowOf(one: ApprovalItem, nowMs: number): readonly string[] {
  const { policy_id, policy_version, votes, required, resolved_at } = one;
  return [
    one.id,
    one.void_because === null ? one.status : "void",
    one.agent_id,
    sessionCell(one),
    one.tool,
    one.rule_id ?? "",
    `${policy_id} v${String(policy_version)}${one.void_because === null ? "" : ", replaced"}`,
    `${String(votes.filter(({ decision }) => decision === "approve").length)}/${String(required)}`,
    grantText(one, nowMs) ??
      (resolved_at === null ? timeLeft(one.expires_at, nowMs) : `ended ${resolved_at}`),
    one.approval_url,
  ];
}

/** For which sessions it holds. */
function sessionCell({ scope, session_id }: ApprovalItem): string {
  return scope === "agent" ? "any" : (session_id ?? "");
}

/** Shows one approval. @throws CommandFailure */
export async function showApproval(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { body } = await client.ask(approvalRoutes.getApproval, { params: { approval_id: id } });
  output.result({ text: approvalText(body, Date.now()), schema: "svc.cli.approval/v1", json: body });
  return "ok";
}
