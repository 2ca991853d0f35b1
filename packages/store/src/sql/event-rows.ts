import { parseRowText, type ReadableRow } from "@svc/audit-log/parse-row-text";
import { formatDecisionId, parseDecisionId } from "@svc/contract/decision-id";
import type { AuditStore, StoredRow } from "../ports/audit-store.ts";
import type { EventPage, EventQuery, EventRow, WantedRows } from "../ports/event-rows.ts";
import type { RowPosition } from "../ports/row-position.ts";
import { type RowSpan, type RowsOfSpan, readRowPage, readSpans } from "../row-page.ts";
import { rowLine } from "./row-line.ts";

interface Reads extends Pick<AuditStore, "rows" | "row" | "heads"> {
  readonly wantedRows: (span: RowSpan, wanted: WantedRows) => Promise<RowsOfSpan>;
}

/** What a filter compares. */
type Subject = Pick<EventRow, "agentId" | "namespace" | "decision">;

const KIND = /^[a-z_]{1,32}$/;

const LINE_BREAK = /[\r\n]/;

const NOBODY: Subject = { agentId: null, namespace: null, decision: null };

/** Reads and renders rows where they are read, so that the serving thread only passes them on. */
export async function eventRows(read: Reads, query: EventQuery): Promise<EventPage> {
  const { wanted } = query;
  const { rows, next, sizes, missing } =
    wanted === undefined
      ? await readRowPage(read, query)
      : await readSpans(await read.heads(), query, async (span) => read.wantedRows(span, wanted));
  const { events, unreadable } = await rendered(read, rows, wanted);
  return { events, next, sizes, unreadable: missing + unreadable };
}

async function rendered(
  read: Reads,
  rows: readonly StoredRow[],
  wanted: WantedRows | undefined,
): Promise<Pick<EventPage, "events" | "unreadable">> {
  const kinds = wanted?.kinds ?? null;
  const decisions = new Map<string, Subject>();
  const events: EventRow[] = [];
  let unreadable = 0;
  for (const stored of rows) {
    const { logId, seq, bytes } = stored;
    const text = Buffer.from(bytes).toString("utf8");
    const reading = parseRowText(text);
    // A row of ours has neither: the line breaks of a tampered one would end the event early.
    if (reading.kind !== "row" || !KIND.test(reading.row.kind) || LINE_BREAK.test(text)) {
      unreadable += 1;
      continue;
    }
    const { row } = reading;
    if (kinds !== null && !kinds.includes(row.kind)) continue;
    const id = formatDecisionId({ logId, seq });
    const subject = row.kind === "outcome" ? await decisionOf(read, decisions, row) : subjectOf(row);
    if (row.kind === "decision") decisions.set(keyOf(row.org, id), subject);
    const data = rowLine(stored, row, text);
    events.push({ logId, seq, org: row.org, kind: row.kind, ...subject, data });
  }
  return { events, unreadable };
}

/** Whom an outcome is about stands in the row of its decision. */
async function decisionOf(
  read: Reads,
  known: Map<string, Subject>,
  { org, decision_id: id }: ReadableRow,
): Promise<Subject> {
  if (typeof id !== "string") return NOBODY;
  const position = parseDecisionId(id);
  const key = keyOf(org, id);
  const subject = known.get(key) ?? (position === null ? NOBODY : await readSubject(read, position, org));
  known.set(key, subject);
  return subject;
}

/** A row of another organization says nothing about this one's. */
function keyOf(org: string, id: string): string {
  return JSON.stringify([org, id]);
}

async function readSubject(read: Reads, position: RowPosition, org: string): Promise<Subject> {
  const stored = await read.row(position);
  const reading = stored === null ? null : parseRowText(Buffer.from(stored.bytes).toString("utf8"));
  return reading?.kind === "row" && reading.row.org === org ? subjectOf(reading.row) : NOBODY;
}

/** A switch is about its target. */
function subjectOf(row: ReadableRow): Subject {
  if (row.kind === "kill_switch") {
    const target = textOf(row["target_id"]);
    const { scope } = row;
    return {
      agentId: scope === "agent" ? target : null,
      namespace: scope === "namespace" ? target : null,
      decision: null,
    };
  }
  return {
    agentId: textOf(row["agent_id"]),
    namespace: textOf(row["namespace"]),
    decision: row.kind === "decision" ? textOf(row["decision"]) : null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
