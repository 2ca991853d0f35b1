import type {
  ActivityFound,
  AgentsFound,
  AllowedCalls,
  AuditSearch,
  BusyAgentsFound,
  Callers,
  Coverage,
  OpenCallers,
  OpenTools,
  PolicyReport,
  PolicyReportQuery,
  RowFound,
  RowLookup,
  RowRange,
  SearchResult,
  SessionQuery,
  SessionSummary,
  SessionsFound,
} from "./audit-index.ts";
import type { BehaviourBook } from "./behaviour/behaviour-desk.ts";
import type { AllowedCallsQuery } from "./count-allowed.ts";
import type { ActivityQuery } from "./read-activity.ts";
import type { AgentSessionsQuery, AgentsQuery } from "./read-agents.ts";
import type { BusyAgentsQuery } from "./read-busy-agents.ts";
import type { CallersQuery } from "./read-callers.ts";
import type { CoverageQuery } from "./read-coverage.ts";
import type { OpenCallersQuery, OpenToolsQuery } from "./read-open-calls.ts";

/** Where the logs and the index are. */
export type IndexPlace =
  | { readonly kind: "sqlite"; readonly dataDir: string }
  | { readonly kind: "postgres"; readonly url: string };

/** Orders for the thread that writes the index. */
export type ProjectorJob =
  /** Answers the message of the next fault. */
  | { readonly kind: "next_fault" }
  /** A question waits for rows. */
  | { readonly kind: "wake" }
  /** A question found the index damaged. */
  | { readonly kind: "rebuild" }
  | { readonly kind: "forget"; readonly range: RowRange }
  /** Answers `TakenAnomalies`. `book`: thresholds from now on; null: as before. */
  | { readonly kind: "take_anomalies"; readonly book: BehaviourBook | null }
  /** Answers whether the index has every row and nothing waits to be taken, so that the thread may end. */
  | { readonly kind: "settle" }
  | { readonly kind: "close" };

/** Questions for the thread that reads the index. */
export type QuestionJob =
  | { readonly kind: "search"; readonly search: AuditSearch }
  | { readonly kind: "row"; readonly lookup: RowLookup }
  | { readonly kind: "report"; readonly query: PolicyReportQuery }
  | { readonly kind: "coverage"; readonly query: CoverageQuery }
  | { readonly kind: "active_orgs"; readonly sinceMs: number }
  | { readonly kind: "open_tools"; readonly query: OpenToolsQuery }
  | { readonly kind: "open_callers"; readonly query: OpenCallersQuery }
  | { readonly kind: "session"; readonly query: SessionQuery }
  | { readonly kind: "allowed"; readonly query: AllowedCallsQuery }
  | { readonly kind: "callers"; readonly query: CallersQuery }
  | { readonly kind: "agents"; readonly query: AgentsQuery }
  | { readonly kind: "agent_sessions"; readonly query: AgentSessionsQuery }
  | { readonly kind: "busy_agents"; readonly query: BusyAgentsQuery }
  | { readonly kind: "activity"; readonly query: ActivityQuery };

export type QuestionReply =
  | {
      readonly kind: "answer";
      readonly value:
        | SearchResult
        | RowFound
        | PolicyReport
        | SessionSummary
        | Coverage
        | OpenTools
        | readonly string[]
        | OpenCallers
        | AllowedCalls
        | Callers
        | AgentsFound
        | SessionsFound
        | BusyAgentsFound
        | ActivityFound;
    }
  /** The index must be built again. */
  | { readonly kind: "damaged"; readonly message: string };
