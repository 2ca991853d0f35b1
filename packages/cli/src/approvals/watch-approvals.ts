import { setTimeout as delay } from "node:timers/promises";
import { approvalRoutes } from "@svc/api/approval-routes";
import type { ApprovalItem } from "@svc/contract/approval";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { oneLine } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { timeLeft } from "../frame/time-left.ts";
import { untilEnded } from "../frame/until-ended.ts";
import { NewApprovals } from "./new-approvals.ts";

export interface WatchOptions extends ServerOptions, OutputOptions {
  readonly agent?: string;
  readonly tool?: string;
  readonly workflow?: string;
  readonly bell: boolean;
}

/** Milliseconds between two looks. */
const EVERY_MS = 2_000;

/** Approvals that a watch begins with, as count: the newest that are open. */
const SHOWN_AT_START = 20;

const BELL = "\u0007";

/** Shows open approvals, and each new one with a ring, until a signal ends it. @throws CommandFailure */
export async function watchApprovals(options: WatchOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  return untilEnded(terminal, async (signal) => {
    const client = new ControlClient(connection, signal);
    const { agent: agent_id, tool, workflow } = options;
    const approvals = new NewApprovals(client, { agent_id, tool, workflow });
    const show = async (one: ApprovalItem): Promise<void> => {
      const { body } = await client.ask(approvalRoutes.getApproval, { params: { approval_id: one.id } });
      output.result({
        text: lineOf(body, output.isTerminal),
        schema: "svc.cli.approval/v1",
        json: body,
      });
    };
    const open = await approvals.open();
    const left = open.length - SHOWN_AT_START;
    if (left > 0) output.note(`${String(left)} older ones are open, too: svc-cli approvals list\n`);
    for (const one of open.slice(-SHOWN_AT_START)) await show(one);
    let isAway = false;
    for (;;) {
      await delay(EVERY_MS, undefined, { signal });
      try {
        for (const one of await approvals.next()) {
          await show(one);
          approvals.shown(one);
          if (options.bell && terminal.errorIsTerminal) terminal.writeError(BELL);
        }
        if (isAway) output.note("connected again\n");
        isAway = false;
      } catch (fault) {
        if (signal.aborted || !isPassing(fault)) throw fault;
        if (!isAway) output.warn(`${fault.message}; trying again`);
        isAway = true;
      }
    }
  });
}

/** The server may answer later. Anything else, such as a revoked key, ends the watch. */
function isPassing(fault: unknown): fault is CommandFailure {
  return fault instanceof CommandFailure && fault.exitCode === EXIT_CODES.unreachable;
}

type Shown = ApprovalItem & { readonly args: object | null };

/** One line: id, agent, tool, arguments, rule, policy and end. */
function lineOf(one: Shown, isTerminal: boolean): Piece[] {
  const { policy_id, policy_version, rule_id, session_id } = one;
  const who = session_id === null ? one.agent_id : `${one.agent_id}/${session_id}`;
  const args = one.args === null ? "arguments were removed" : JSON.stringify(one.args);
  const policy = `${policy_id} v${String(policy_version)}`;
  if (!isTerminal) {
    const cells = [
      one.requested_at,
      one.id,
      one.status,
      who,
      one.tool,
      args,
      rule_id ?? "",
      policy,
      one.expires_at,
    ];
    return [`${cells.map(oneLine).join("\t")}\n`];
  }
  return [
    `${one.requested_at}  `,
    { text: one.status, as: "warning" },
    `  ${[who, one.tool, args, `[${rule_id ?? policy}]`].map(oneLine).join("  ")}\n`,
    `  expires ${timeLeft(one.expires_at, Date.now())}; svc-cli approvals approve ${one.id} --reason "..."\n`,
  ];
}
