import { setTimeout as delay } from "node:timers/promises";
import { approvalRoutes } from "@svc/api/approval-routes";
import type { ApprovalItem, ApprovalStatus } from "@svc/contract/approval";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient, everyPage } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { oneLine } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { timeLeft } from "../frame/time-left.ts";
import { untilEnded } from "../frame/until-ended.ts";

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

/**
 * Milliseconds that a look goes back behind the newest approval that it knows: servers stamp approvals by
 * their own clocks, and store them a moment later.
 */
const OVERLAP_MS = 60_000;
type Filter = Readonly<Record<string, string | undefined>>;

/** Finds each open approval once, whatever happens between two looks. */
export class NewApprovals {
  readonly #client: ControlClient;
  readonly #filter: Filter;
  /** Unix milliseconds by id, of approvals that a next look may meet again. */
  readonly #known = new Map<string, number>();
  /** Unix milliseconds of the newest approval; null: there was none. */
  #newestMs: number | null = null;

  constructor(client: ControlClient, filter: Filter) {
    this.#client = client;
    this.#filter = filter;
  }

  /** Those that are open now, the oldest first. */
  async open(): Promise<readonly ApprovalItem[]> {
    // Those that are opened between two of these questions are found by the next look.
    const newest = await this.#list(undefined, () => false);
    const found = await this.#list("suspended", () => true);
    found.push(...(await this.#list("pending", () => true)));
    for (const one of [...newest.filter(({ status }) => !isOpen(status)), ...found]) this.#note(one);
    return found.toSorted((left, right) => timeOf(left) - timeOf(right));
  }

  /** Those that were opened since, the oldest first. Each comes again until `shown` was called for it. */
  async next(): Promise<readonly ApprovalItem[]> {
    const floor = this.#newestMs === null ? null : this.#newestMs - OVERLAP_MS;
    const listed = await this.#list(undefined, (last) => floor === null || timeOf(last) >= floor);
    const open = listed.filter(({ id, status }) => isOpen(status) && !this.#known.has(id));
    // What has ended meanwhile needs nobody.
    for (const one of listed) if (!isOpen(one.status)) this.#note(one);
    for (const [id, timeMs] of this.#known) if (floor !== null && timeMs < floor) this.#known.delete(id);
    return open.filter((one) => floor === null || timeOf(one) >= floor).toReversed();
  }

  shown(one: ApprovalItem): void {
    this.#note(one);
  }

  #note(one: ApprovalItem): void {
    const timeMs = timeOf(one);
    this.#known.set(one.id, timeMs);
    this.#newestMs = Math.max(timeMs, this.#newestMs ?? timeMs);
  }

  async #list(status: ApprovalStatus | undefined, goesOn: (last: ApprovalItem) => boolean) {
    const found: ApprovalItem[] = [];
    const limit = String(MAX_PAGE_SIZE);
    const pages = everyPage((cursor) =>
      this.#client.ask(approvalRoutes.listApprovals, {
        query: { ...this.#filter, status, limit, cursor },
      }),
    );
    for await (const { approvals } of pages) {
      found.push(...approvals);
      const last = approvals.at(-1);
      if (last !== undefined && !goesOn(last)) break;
    }
    return found;
  }
}

function isOpen(status: ApprovalStatus): boolean {
  return status === "pending" || status === "suspended";
}

function timeOf({ requested_at }: ApprovalItem): number {
  return Date.parse(requested_at);
}
