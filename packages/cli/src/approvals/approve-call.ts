import { approvalRoutes } from "@svc/api/approval-routes";
import type { ApprovalRecord } from "@svc/contract/approval";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { type ReasonedOptions, reasonOf } from "../connection/change-options.ts";
import { type ChangeRow, changeRowMember, findChangeRow } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { Output } from "../frame/output.ts";
import { parseJsonInput } from "../frame/parse-options.ts";
import { readInput } from "../frame/read-input.ts";
import { type Member, renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { approvalText, holdsFor, statusText } from "./approval-text.ts";

/** How an approval is resolved. */
interface Resolution {
  readonly what: "approve" | "deny" | "revoke";
  /** Other arguments for the call; null: as the agent asked. */
  readonly args: JsonObject | null;
  readonly ask: (client: ControlClient) => Promise<ApprovalRecord>;
}

const SCHEMA = "svc.cli.approval-change/v1";

/** Resolves an approval, or says what it is now when it cannot be resolved. @throws CommandFailure */
async function resolveApproval(
  id: string,
  resolution: Resolution,
  { options, terminal }: { readonly options: ReasonedOptions; readonly terminal: Terminal },
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  if (options.dryRun) {
    const approval = await readApproval(client, id);
    const would_change = canChange(approval, resolution);
    output.result({
      text: dryRunText(approval, resolution),
      schema: SCHEMA,
      json: { dry_run: true, would_change, edited_args: resolution.args, approval },
    });
    return would_change ? "ok" : "failed";
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

/** Whether the approval, as it is now, can be resolved in this way. */
function canChange({ status, grant }: ApprovalRecord, { what }: Resolution): boolean {
  if (what !== "revoke") return status === "pending";
  if (status === "pending" || status === "suspended") return true;
  return grant !== null && grant.revoked === null && Date.parse(grant.expires_at) > Date.now();
}

/** The audit row of the last step. */
function stepRow(
  client: ControlClient,
  { id, grant, resolved_by, status, votes }: ApprovalRecord,
): Promise<ChangeRow> {
  const by = grant?.revoked?.by ?? (status === "cancelled" ? resolved_by : votes.at(-1)?.by);
  return findChangeRow(client, { approval_id: id, kind: "approval" }, ({ principal }) => principal === by);
}

function resolvedText(approval: ApprovalRecord, row: ChangeRow): Piece[] {
  const { status, id, agent_id, tool, votes, required, grant, edited_args: edited } = approval;
  const given = votes.filter(({ decision }) => decision === "approve").length;
  const isRevoked = grant !== null && grant.revoked !== null;
  const isGiven = grant !== null && grant.revoked === null;
  const end = isRevoked ? "revoked" : status;
  const what: Member =
    status === "pending"
      ? ["counted", `${String(given)} of ${String(required)} approvals; others are missing`, "warning"]
      : [end, `${id}: ${tool} of agent ${agent_id}`, end === "approved" ? "good" : "bad"];
  const holds = isGiven ? `${holdsFor(approval)}, until ${grant.expires_at}` : null;
  return renderMembers([
    what,
    ...(edited === null || isRevoked ? [] : [["runs with", JSON.stringify(edited)] as const]),
    ...(holds === null ? [] : [["holds for", holds] as const, ["next", NEXT] as const]),
    ["undo", holds === null ? UNDO[status === "pending" ? "vote" : "end"] : undoText(id)],
    ...changeRowMember(row),
  ]);
}

const NEXT = "the agent makes the call again";

function undoText(id: string): string {
  return `svc-cli approvals revoke ${id} --reason "...", while it holds`;
}

const UNDO = {
  vote: "a vote cannot be taken back; svc-cli approvals deny ends the approval",
  end: "this cannot be taken back; the agent asks again with the same call",
} as const;

function dryRunText(approval: ApprovalRecord, resolution: Resolution): Piece[] {
  const { what, args } = resolution;
  const would = canChange(approval, resolution)
    ? `this would ${what} the ${what === "revoke" ? "approval" : "call"}`
    : `it cannot be resolved: ${statusText(approval)}`;
  return [
    { text: "dry run", as: "warning" },
    `  nothing was changed; ${would}\n`,
    ...(args === null ? [] : [`with arguments ${JSON.stringify(args)}\n`]),
    "\n",
    ...approvalText(approval, Date.now()),
  ];
}

const DONE = { approve: "approved", deny: "denied", revoke: "revoked" } as const satisfies Record<
  Resolution["what"],
  string
>;

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
    { text: `not ${DONE[what]}`, as: "bad" },
    `  ${id} is ${statusText(approval)}\n${fault.message}\n`,
  ];
  const json = { changed: false, refused: fault.message, approval };
  return { text, schema: SCHEMA, json } as const;
}

export interface ApproveOptions extends ReasonedOptions {
  readonly editArgs?: string;
}

/** Approves a paused call, perhaps with other arguments. @throws CommandFailure */
export async function approveCall(id: string, options: ApproveOptions, terminal: Terminal): Promise<Outcome> {
  const reason = reasonOf(options);
  const args = options.editArgs === undefined ? null : await readArgs(options.editArgs, terminal);
  const resolution: Resolution = {
    what: "approve",
    args,
    ask: async (client) => {
      const question = { params: { approval_id: id }, body: { reason, args } };
      return (await client.ask(approvalRoutes.approveCall, question)).body;
    },
  };
  return resolveApproval(id, resolution, { options, terminal });
}

/** @throws CommandFailure `usage` */
async function readArgs(text: string, terminal: Terminal): Promise<JsonObject> {
  const isFile = text.startsWith("@");
  const name = isFile ? text.slice(1) : "--edit-args";
  const value = parseJsonInput(name, isFile ? await readText(name, terminal) : text);
  if (isJsonObject(value)) return value;
  throw new CommandFailure("usage", `${name}: expected all arguments of the call as a JSON object`);
}

async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    return await readInput(file, terminal);
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected arguments in JSON: ${readFault(error)}`, error);
  }
}

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
