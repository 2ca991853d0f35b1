import { approvalRoutes } from "@svc/api/approval-routes";
import type { ApprovalRecord } from "@svc/contract/approval";
import type { JsonObject } from "@svc/contract/json-value";
import type { ReasonedOptions } from "../connection/change-options.ts";
import { type ChangeRow, changeRowText, findChangeRow } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { approvalText, statusText } from "./approval-text.ts";

/** How an approval is resolved. */
export interface Resolution {
  readonly what: "approve" | "deny";
  /** Other arguments for the call; null: as the agent asked. */
  readonly args: JsonObject | null;
  readonly ask: (client: ControlClient) => Promise<ApprovalRecord>;
}

const SCHEMA = "svc.cli.approval-change/v1";

/** Resolves an approval, or says what it is now when it cannot be resolved. @throws CommandFailure */
export async function resolveApproval(
  id: string,
  resolution: Resolution,
  { options, terminal }: { readonly options: ReasonedOptions; readonly terminal: Terminal },
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  if (options.dryRun) {
    const approval = await readApproval(client, id);
    const isPending = approval.status === "pending";
    output.result({
      text: dryRunText(approval, resolution),
      schema: SCHEMA,
      json: { dry_run: true, would_change: isPending, edited_args: resolution.args, approval },
    });
    return isPending ? "ok" : "failed";
  }
  try {
    const approval = await sayWhatIsKnown(
      resolution.ask(client),
      changeWords(`svc-cli approvals show ${id}`),
    );
    const row = await stepRow(client, approval);
    output.result({
      text: resolvedText(approval, row),
      schema: SCHEMA,
      json: { changed: true, approval, audit_row: row.id },
    });
    return "ok";
  } catch (fault) {
    const refusal = await refusedText(fault, { client, id, what: resolution.what });
    output.result(refusal);
    return "failed";
  }
}

async function readApproval(client: ControlClient, id: string): Promise<ApprovalRecord> {
  return (await client.ask(approvalRoutes.getApproval, { params: { approval_id: id } })).body;
}

/** The audit row of the last vote. */
function stepRow(client: ControlClient, { id, votes }: ApprovalRecord): Promise<ChangeRow> {
  const by = votes.at(-1)?.by;
  return findChangeRow(client, { approval_id: id, kind: "approval" }, ({ principal }) => principal === by);
}

function resolvedText(approval: ApprovalRecord, row: ChangeRow): Piece[] {
  const { status, id, agent_id, tool, votes, required, grant } = approval;
  const given = votes.filter(({ decision }) => decision === "approve").length;
  const what: Member =
    status === "pending"
      ? ["counted", `${String(given)} of ${String(required)} approvals; others are missing`, "warning"]
      : [status, `${id}: ${tool} of agent ${agent_id}`, status === "approved" ? "good" : "bad"];
  const next =
    grant === null ? [] : [["next", `the agent repeats the call once, until ${grant.expires_at}`] as const];
  const edited = approval.edited_args;
  return renderMembers([
    what,
    ...(edited === null ? [] : [["runs with", JSON.stringify(edited)] as const]),
    ...next,
    ["undo", UNDO[status === "denied" ? "deny" : "approve"]],
    ["audit row", changeRowText(row)],
  ]);
}

const UNDO = {
  approve: "an approval cannot be taken back; svc-cli kill stops the agent, the session or the tool",
  deny: "a denial cannot be taken back; the agent asks again with the same call",
} as const;

function dryRunText(approval: ApprovalRecord, { what, args }: Resolution): Piece[] {
  const would =
    approval.status === "pending"
      ? `this would ${what} the call`
      : `it cannot be resolved: ${statusText(approval)}`;
  return [
    { text: "dry run", as: "warning" },
    `  nothing was changed; ${would}\n`,
    ...(args === null ? [] : [`with arguments ${JSON.stringify(args)}\n`]),
    "\n",
    ...approvalText(approval, Date.now()),
  ];
}

interface Refused {
  readonly client: ControlClient;
  readonly id: string;
  readonly what: Resolution["what"];
}

/** What the approval is now, after the server refused to resolve it. @throws any other fault */
async function refusedText(fault: unknown, { client, id, what }: Refused) {
  if (!(fault instanceof CommandFailure) || fault.exitCode !== EXIT_CODES.failed) throw fault;
  const approval = await readApproval(client, id);
  const text: Piece[] = [
    { text: `not ${what === "deny" ? "denied" : "approved"}`, as: "bad" },
    `  ${id} is ${statusText(approval)}\n${fault.message}\n`,
  ];
  const json = { changed: false, refused: fault.message, approval };
  return { text, schema: SCHEMA, json } as const;
}
