import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { type AuditRowAnswer, auditRowSchema, type RowMembers } from "@svc/contract/audit-answer";
import { listValues } from "@svc/contract/list-values";
import { parseJson } from "@svc/text/parse-json";
import { z } from "zod";
import type { ControlClient } from "../connection/control-client.ts";
import { followEvents, type ServerEvent } from "../connection/follow-events.ts";
import type { Question } from "../connection/prepare-request.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Output } from "../frame/output.ts";
import type { SelectionOptions } from "./audit-selection.ts";

interface RowSource {
  readonly connection: Connection;
  readonly client: ControlClient;
  readonly signal: AbortSignal;
  readonly query: NonNullable<Question["query"]>;
  readonly selection: SelectionOptions;
}

interface RowSink {
  /** Reads the rows that come first. Called once the stream stands, so that none is missing in between. */
  readonly before: () => Promise<readonly AuditRowAnswer[]>;
  readonly write: (row: AuditRowAnswer) => void;
  readonly output: Output;
}

/** Writes the rows before, and each new row once, until the signal ends it. @throws CommandFailure */
export async function followRows(source: RowSource, sink: RowSink): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([source.signal, over.signal]);
  const opened = Promise.withResolvers<void>();
  const follower = new RowFollower({ ...source, signal }, sink);
  const shown = opened.promise.then(() => follower.showBefore());
  try {
    await Promise.all([follower.follow(opened.resolve, shown), shown]);
  } finally {
    // What is still open would keep the process alive.
    over.abort();
  }
}

class RowFollower {
  readonly #source: RowSource;
  readonly #sink: RowSink;
  readonly #choice: RowChoice;
  /** Rows from before the stream stood that it may send, too. */
  readonly #shown = new Set<string>();
  /** The next row of each log that the stream may send. */
  readonly #next = new Map<string, number>();

  constructor(source: RowSource, sink: RowSink) {
    this.#source = source;
    this.#sink = sink;
    this.#choice = new RowChoice(source.selection, async (id) => {
      const { body } = await source.client.ask(auditQueryRoutes.getAuditRow, { params: { row_id: id } });
      return body.row;
    });
  }

  async showBefore(): Promise<void> {
    for (const row of await this.#sink.before()) {
      this.#shown.add(row.id);
      this.#sink.write(row);
    }
  }

  /** @param shown what the first event waits for */
  async follow(onFirst: () => void, shown: Promise<void>): Promise<void> {
    const { output } = this.#sink;
    let isCut = false;
    const onOpen = (): void => {
      onFirst();
      if (isCut) output.note("connected again\n");
      isCut = false;
    };
    const onCut = (why: string): void => {
      if (!isCut) output.warn(`the connection was cut (${why}); trying again`);
      isCut = true;
    };
    const { connection, query, signal } = this.#source;
    for (let lastId: string | null = ""; lastId !== null; ) {
      const events = followEvents(connection, { query, signal, onOpen, onCut, lastId });
      lastId = await this.#take(events, { lastId, shown });
    }
  }

  /** @returns behind which event to go on with another stream; null when the signal ended this one */
  async #take(
    events: AsyncIterable<ServerEvent>,
    { lastId, shown }: { readonly lastId: string; readonly shown: Promise<void> },
  ): Promise<string | null> {
    for await (const event of events) {
      await shown;
      if (event.name !== "gap") await this.#show(parseEvent(event, rowSchema));
      else {
        const { reason, after } = parseEvent(event, gapSchema);
        // The log still holds what did not fit through the stream: it is read from there.
        if (reason === "overflow" && after !== lastId) return after;
        this.#sink.output.warn(`rows are missing here: the server cannot send them any more (${reason})`);
      }
    }
    return null;
  }

  async #show(sent: z.output<typeof rowSchema>): Promise<void> {
    const { id, log_id: logId, seq, row } = sent;
    const isRepeat = this.#shown.delete(id) || seq < (this.#next.get(logId) ?? 0);
    this.#next.set(logId, Math.max(seq + 1, this.#next.get(logId) ?? 0));
    if (!isRepeat && (await this.#choice.takes(id, row))) this.#sink.write({ ...sent, outcome: null });
  }
}

/** What a later server adds is left out. */
const rowSchema = auditRowSchema.omit({ outcome: true }).strip();
const gapSchema = z.object({ reason: z.string(), after: z.string() });

/** @throws CommandFailure for what is not in this form */
function parseEvent<Value>({ name, data }: ServerEvent, schema: z.ZodType<Value>): Value {
  try {
    return schema.parse(parseJson(data));
  } catch (fault) {
    throw new CommandFailure("unreachable", `the event stream sent a ${name} that cannot be read`, fault);
  }
}

/** Decisions that are remembered for the reports about them, as count. */
const MAX_REMEMBERED = 10_000;

/** Reads the members of the row of a decision. */
type ReadRow = (id: string) => Promise<RowMembers>;

/**
 * Chooses rows of the event stream by session and tool as a list of rows does: decisions, reports about them,
 * and kill switches on them.
 */
export class RowChoice {
  readonly #sessions: ReadonlySet<string> | null;
  readonly #tools: ReadonlySet<string> | null;
  readonly #readRow: ReadRow;
  readonly #decisions = new Map<string, boolean>();

  constructor({ session, tool }: Pick<SelectionOptions, "session" | "tool">, readRow: ReadRow) {
    this.#sessions = setOf(session);
    this.#tools = setOf(tool);
    this.#readRow = readRow;
  }

  async takes(id: string, row: RowMembers): Promise<boolean> {
    if (this.#sessions === null && this.#tools === null) return true;
    const { kind, decision_id: decisionId } = row;
    if (kind === "outcome") return typeof decisionId === "string" && this.#takesDecision(decisionId);
    const isTaken =
      isIn(this.#sessions, row["session_id"] ?? targetOf(row, "session")) &&
      isIn(this.#tools, row["tool"] ?? targetOf(row, "tool"));
    if (kind === "decision") this.#remember(id, isTaken);
    return isTaken;
  }

  async #takesDecision(id: string): Promise<boolean> {
    const known = this.#decisions.get(id);
    return known ?? this.takes(id, await this.#readRow(id));
  }

  #remember(id: string, isTaken: boolean): void {
    this.#decisions.set(id, isTaken);
    if (this.#decisions.size <= MAX_REMEMBERED) return;
    const [oldest = ""] = this.#decisions.keys();
    this.#decisions.delete(oldest);
  }
}

/** The target of a kill switch of this scope. */
function targetOf(row: RowMembers, scope: string): unknown {
  return row["kind"] === "kill_switch" && row["scope"] === scope ? row["target_id"] : null;
}

function setOf(list: string | undefined): ReadonlySet<string> | null {
  return list === undefined ? null : new Set(listValues(list));
}

function isIn(wanted: ReadonlySet<string> | null, value: unknown): boolean {
  return wanted === null || (typeof value === "string" && wanted.has(value));
}
