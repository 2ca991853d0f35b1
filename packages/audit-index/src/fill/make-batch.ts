import type { AuditStore, StoredRow } from "@svc/store/ports/audit-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import { type ObservedCall, observedCall } from "../behaviour/observed-call.ts";
import { ToolTally } from "../behaviour/tool-tally.ts";
import type { Value } from "../database/index-database.ts";
import type { LogProgress } from "../database/log-progress.ts";
import { placeOf } from "../database/place.ts";
import { type DecisionFacts, type RowFacts, readFacts, withDecision } from "../read-facts.ts";
import { AgentTally } from "./agent-tally.ts";
import { CallTally } from "./call-tally.ts";
import { entryOf, reasonOf } from "./entry-of.ts";
import type { RecentDecisions } from "./recent-decisions.ts";
import { ReportTally } from "./report-tally.ts";

/** What a page of rows adds to the index. */
export interface IndexBatch {
  readonly progress: LogProgress;
  readonly entries: readonly (readonly Value[])[];
  readonly outcomes: readonly (readonly Value[])[];
  readonly reasons: readonly (readonly Value[])[];
  readonly counts: readonly (readonly Value[])[];
  readonly patterns: readonly (readonly Value[])[];
  readonly actors: readonly (readonly Value[])[];
  readonly agents: readonly (readonly Value[])[];
  readonly tools: readonly (readonly Value[])[];
  readonly minutes: readonly (readonly Value[])[];
  readonly sessions: readonly (readonly Value[])[];
  /** The decisions among the rows, in their order. */
  readonly calls: readonly IndexedCall[];
}

/** A decision and its number in the log. */
export interface IndexedCall {
  readonly seq: number;
  readonly call: ObservedCall;
}

export interface BatchParts {
  readonly audit: Pick<AuditStore, "row">;
  readonly recent: RecentDecisions;
  /** The numbers of the logs that are known. */
  readonly logNumbers: ReadonlyMap<string, number>;
}

/**
 * Reads a page of rows of one log. A row that nobody can read, or that names no organization, adds nothing:
 * no organization could ask for it. `audit-verify` names it.
 */
export async function makeBatch(
  parts: BatchParts,
  log: LogProgress,
  rows: readonly StoredRow[],
): Promise<IndexBatch> {
  const entries: (readonly Value[])[] = [];
  const outcomes = new Map<number, readonly Value[]>();
  const reasons = new Map<number, readonly Value[]>();
  const tally = new ReportTally();
  const callTally = new CallTally();
  const agents = new AgentTally();
  const tools = new ToolTally();
  const calls: IndexedCall[] = [];
  let { nextSeq, lastAt } = log;
  for (const row of rows) {
    nextSeq = row.seq + 1;
    const facts = readFacts(row.bytes);
    if (facts === null) continue;
    // The order of rows is their number. A row without a readable time stands beside the one before it.
    lastAt = facts.at ?? lastAt;
    const place = placeOf(log.logNumber, row.seq);
    const whole =
      facts.about === null ? facts : await noteOutcome(parts, facts, place, { outcomes, tally, callTally });
    if (facts.kind === "decision") {
      parts.recent.note({ logId: log.logId, seq: row.seq }, facts, lastAt);
      tally.addDecision(facts, lastAt, place);
      callTally.addDecision(facts, lastAt);
      agents.add(facts, lastAt);
      const call = observedCall(facts, { logId: log.logId, seq: row.seq });
      if (call !== null) {
        tools.add(call);
        calls.push({ seq: row.seq, call });
      }
    }
    entries.push(entryOf(place, lastAt, whole));
    const reason = reasonOf(facts);
    if (reason !== null) reasons.set(reason[0], reason);
  }
  const last = rows.at(-1);
  const lastHash = last === undefined ? log.lastHash : Buffer.from(last.hash).toString("hex");
  const progress = { ...log, nextSeq, lastHash, lastAt };
  return {
    progress,
    entries,
    outcomes: [...outcomes.values()],
    reasons: [...reasons.values()],
    tools: tools.rows(),
    calls,
    ...tally.rows(),
    ...callTally.rows(),
    agents: agents.rows(),
  };
}

interface OutcomeNotes {
  readonly outcomes: Map<number, readonly Value[]>;
  readonly tally: ReportTally;
  readonly callTally: CallTally;
}

/** Notes what a report says of its decision. @returns the report with what the decision says of the call */
async function noteOutcome(
  { audit, recent, logNumbers }: BatchParts,
  facts: RowFacts,
  place: number,
  { outcomes, tally, callTally }: OutcomeNotes,
): Promise<RowFacts> {
  const { about, row } = facts;
  if (about === null) return facts;
  const decision = recent.find(about) ?? (await decisionAt(audit, about));
  if (decision === null || decision.org !== facts.org) return facts;
  const logNumber = logNumbers.get(about.logId);
  const status = row["status"];
  if (logNumber !== undefined && typeof status === "string") {
    const key = placeOf(logNumber, about.seq);
    const withdrawn = row["withdrawn"] === true ? 1 : 0;
    if (!outcomes.has(key)) outcomes.set(key, [key, place, status, withdrawn]);
    if (withdrawn === 1) tally.addWithdrawal(decision, key);
    callTally.addReport(decision, withdrawn === 1 ? "withdrawn" : facts.costMicroUsd);
  }
  return withDecision(facts, decision);
}

/** The decision in a row; null when the row is missing or is not a decision. */
async function decisionAt(
  audit: Pick<AuditStore, "row">,
  position: RowPosition,
): Promise<DecisionFacts | null> {
  const stored = await audit.row(position);
  const facts = stored === null ? null : readFacts(stored.bytes);
  return facts?.kind === "decision" ? facts : null;
}
