import type { AuditFilter } from "@svc/contract/audit-query";
import type { OutcomeStatus } from "@svc/contract/outcome-status";
import type { Decision } from "@svc/contract/verdict";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { Activity } from "./ask/activity.ts";
import type { DecisionPattern } from "./ask/decision-pattern.ts";
import type { SeenAgent } from "./ask/read-agents.ts";
import type { BusyAgentsRead } from "./ask/read-busy-agents.ts";

/** Where an entry stands in a list: newest time first, then the larger place. */
export interface EntryOrder {
  /** Unix milliseconds of the row's time. */
  readonly at: number;
  /** Log and sequence number as one integer; see `place.ts`. */
  readonly place: number;
}

export interface AuditSearch {
  readonly org: string;
  readonly filter: AuditFilter;
  readonly limit: number;
  /** The list goes on behind this entry; null: it starts with the newest. */
  readonly before: EntryOrder | null;
}

/** How a decision ended, as the first report about it says. */
export interface FoundOutcome {
  readonly position: RowPosition;
  readonly status: OutcomeStatus;
  /** The verdict was not given: its caller was denied. */
  readonly withdrawn: boolean;
}

/** A row as it stands in the store. The index says only where it is. */
export interface FoundRow {
  readonly position: RowPosition;
  readonly prevHash: Uint8Array;
  readonly hash: Uint8Array;
  /** The stored text: a JSON object of the organization that asked. */
  readonly text: string;
  /** Of a decision; null while there is none, and for other rows. */
  readonly outcome: FoundOutcome | null;
}

/** A log that has rows which the answer does not take into account. */
export interface LogBehind {
  readonly logId: string;
  /** The first row that is not indexed. */
  readonly indexed: number;
  /** How many rows the log had when the question arrived. */
  readonly size: number;
}

/** What an answer leaves out; empty when the index had every row that was committed before the question. */
export type Behind = readonly LogBehind[];

export interface SearchResult {
  readonly rows: readonly FoundRow[];
  /** Where to go on; null at the end of the list. */
  readonly next: EntryOrder | null;
  /**
   * Set when the search stopped after its budget and not because the page was full: every match that is not
   * older than this is on this page or an earlier one.
   */
  readonly searchedBackTo: number | null;
  readonly behind: Behind;
}

export interface RowLookup {
  readonly org: string;
  readonly position: RowPosition;
}

export interface RowFound {
  readonly row: FoundRow | null;
  readonly behind: Behind;
}

export interface PolicyReportQuery {
  readonly org: string;
  readonly policyId: string;
  /** Unix milliseconds, both at a whole minute. The second one is left out. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** How often a policy decided in one way. */
export interface ReportedPattern extends DecisionPattern {
  readonly count: number;
  /** How many of them nobody got: the gateway denied the call after the row was written. */
  readonly withdrawn: number;
  /** Up to nine of these decisions. */
  readonly examples: readonly RowPosition[];
}

/** How many agents and sessions a version decided for. Null: too many to count. */
export interface ReportedVersion {
  readonly version: number;
  readonly agents: number | null;
  readonly sessions: number | null;
}

/** Every decision of a policy in a time, counted. The counts are exact, apart from what `behind` names. */
export interface PolicyReport {
  readonly patterns: readonly ReportedPattern[];
  readonly versions: readonly ReportedVersion[];
  readonly agents: number | null;
  readonly sessions: number | null;
  readonly behind: Behind;
}

export interface SessionQuery {
  readonly org: string;
  readonly agentId: string;
  readonly sessionId: string;
}

/** Decisions of a session under one policy version, or stopped by one kill switch. */
export interface SessionPart {
  readonly decisions: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The stored text of the newest of them. */
  readonly text: string;
}

/** What the rows of one session of one agent hold together. */
export interface SessionSummary {
  /** Rows that are counted: the newest 10,000 at most. */
  readonly entries: number;
  /** Whether these are all rows of the session. */
  readonly complete: boolean;
  /** Unix milliseconds; null when the log has no row. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly decisions: Readonly<Record<Decision, number>>;
  readonly withdrawn: number;
  /** Allowed calls that nobody has reported about. */
  readonly withoutOutcome: number;
  readonly policies: readonly SessionPart[];
  readonly killSwitches: readonly SessionPart[];
  readonly behind: Behind;
}

/** A call that shows what the counts of its key in its session say. */
export interface CoverageExample {
  readonly position: RowPosition;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
}

/** Decisions that one key asked for in one session, beside its reports about them. */
export interface CoveredPart {
  /** Allowed calls, without those that were withdrawn. */
  readonly allows: number;
  /** Those of them about which a report came. */
  readonly reported: number;
  /** Those of them that a report says ran. A key that reports no run may be one that never reports any. */
  readonly ran: number;
  /** Calls that were not allowed, and that a report says ran. */
  readonly unallowed: number;
  /** The newest allowed call without a report; null: there is none, or too many parts have one. */
  readonly missingExample: CoverageExample | null;
  /** The newest call of `unallowed`; null as above. */
  readonly unallowedExample: CoverageExample | null;
}

/** How far reports cover decisions. Parts with the most calls in question are first. */
export interface Coverage {
  readonly parts: readonly CoveredPart[];
  /** False: only the newest decisions of the time were looked at. */
  readonly complete: boolean;
  readonly behind: Behind;
}

/** Calls that were allowed, and those of them that nobody has reported about. */
export interface AllowedCalls {
  readonly allowed: number;
  readonly withoutOutcome: number;
  /** False: there are more rows than can be counted. */
  readonly complete: boolean;
  readonly behind: Behind;
}

/** Tools, or agents with one of the tools that they called. */
export interface OpenTools {
  readonly tools: readonly string[];
  /** False: only the newest rows were looked at, or there are too many names. */
  readonly complete: boolean;
}

export interface OpenCallers {
  readonly callers: readonly { readonly agentId: string; readonly tool: string }[];
  readonly complete: boolean;
}

/** Agents that called a target, each once for each session. */
export interface Callers {
  readonly callers: readonly { readonly agentId: string; readonly sessionId: string | null }[];
  /** False: only the newest rows were looked at, or there are too many sessions. */
  readonly complete: boolean;
  readonly behind: Behind;
}

/** Agents that called. */
export interface AgentsFound {
  readonly agents: readonly SeenAgent[];
  readonly behind: Behind;
}

/** One session of an agent, by the rows that were looked at. */
export interface SeenSession {
  readonly sessionId: string;
  readonly rows: number;
  /** Unix milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Sessions of an agent, the latest first. */
export interface SessionsFound {
  readonly sessions: readonly SeenSession[];
  readonly next: EntryOrder | null;
  /** False: only the newest rows of the agent were looked at. */
  readonly complete: boolean;
  readonly behind: Behind;
}

/** Agents that called most in a time. */
export interface BusyAgentsFound extends BusyAgentsRead {
  readonly behind: Behind;
}

/** What one agent did in a time. */
export interface ActivityFound extends Activity {
  readonly behind: Behind;
}

/** Rows of one log, for a part that removes their content. */
export interface RowRange {
  readonly logId: string;
  readonly from: number;
  /** First row that is kept. */
  readonly end: number;
}
