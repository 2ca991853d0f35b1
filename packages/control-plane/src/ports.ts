import type { GatewayRecord } from "@svc/contract/gateway";
import type { DocumentCheck, DocumentText } from "@svc/policy-analysis/check-document";
import type {
  DiffReply,
  ExplanationOrder,
  ExplanationReply,
  SimulationNeeds,
  SimulationOrder,
  SimulationReply,
} from "@svc/policy-analysis/simulation-exchange";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { AgentStore } from "@svc/store/ports/agent-store";
import type { ApprovalStore } from "@svc/store/ports/approval-store";
import type { ApprovalWorkflowStore } from "@svc/store/ports/approval-workflow-store";
import type { AssignmentStore } from "@svc/store/ports/assignment-store";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { HeldCallStore } from "@svc/store/ports/held-call-store";
import type { KeyStore } from "@svc/store/ports/key-store";
import type { KillSwitchStore } from "@svc/store/ports/kill-switch-store";
import type { LegalHoldStore } from "@svc/store/ports/legal-hold-store";
import type { NamespaceStore } from "@svc/store/ports/namespace-store";
import type { PolicyStore } from "@svc/store/ports/policy-store";
import type { RecordedCallStore } from "@svc/store/ports/recorded-call-store";
import type { ReplayStore } from "@svc/store/ports/replay-store";
import type { ApprovalWaits } from "./approvals/approval-waits.ts";
import type { ReachReader } from "./kill-switches/containment.ts";
import type { ProbeTarget, Propagation, RecentCallers } from "./propagation.ts";
import type { RowThread } from "./replays/recorded-rows.ts";
import type { ReplayRunner } from "./replays/replay-runner.ts";
import type { SupervisionPorts } from "./rogue/supervision-ports.ts";

/** Checks policy documents. Rejects when the check itself failed, which says nothing about the document. */
export interface DocumentChecks {
  check(text: DocumentText): Promise<DocumentCheck>;
}

/** Tries calls and compares versions. Rejects when that failed, which says nothing about the request. */
export interface Simulations {
  /** Reads the body of a request. */
  read(body: Uint8Array): Promise<SimulationNeeds | SimulationReply>;
  simulate(simulation: SimulationOrder): Promise<SimulationReply>;
  /** Makes a recorded decision again. */
  explain(decision: ExplanationOrder): Promise<ExplanationReply>;
  /** Compares two documents, which are JSON. */
  diff(before: string, after: string): Promise<DiffReply>;
}

/** The processes that share the store. Rejects when the store does not answer. */
export interface GatewayDirectory {
  list(): Promise<readonly GatewayRecord[]>;
}

/** Counts calls by the rows of the audit log. Null: not every row can be counted now. */
export interface CallCounter {
  allowed(
    query: ProbeTarget & { readonly sinceMs: number },
  ): Promise<{ readonly allowed: number; readonly withoutOutcome: number } | null>;
  /** Who called the target since then, by id. No number of calls of `exceptAgent` hides another agent. */
  callers(
    query: ProbeTarget & { readonly sinceMs: number; readonly exceptAgent?: string },
  ): Promise<RecentCallers>;
}

/** Makes a unique identifier that nobody can guess. */
export type NewId = (prefix: "ks" | "asg" | "hold" | "rpl") => string;

/** How an explanation of a recorded decision ended. `differs` is a defect. */
export type ExplanationResult = "agrees" | "differs" | "undecided";

/** Every port of the operations. Each operation names the few that it needs. */
export interface ControlPlanePorts extends SupervisionPorts {
  /** Records hold wall time, for people. Deadlines use the monotonic clock. */
  readonly clock: MonotonicClock & WallClock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly newId: NewId;
  readonly documents: DocumentChecks;
  readonly simulations: Simulations;
  readonly killSwitches: KillSwitchStore;
  readonly policies: PolicyStore;
  readonly assignments: AssignmentStore;
  readonly namespaces: NamespaceStore;
  readonly agents: AgentStore;
  readonly legalHolds: LegalHoldStore;
  readonly keys: KeyStore;
  readonly approvals: ApprovalStore;
  /** Calls of suspended agents. */
  readonly heldCalls: HeldCallStore;
  readonly approvalWorkflows: ApprovalWorkflowStore;
  /** Requests that wait until an approval is resolved. */
  readonly approvalWaits: Pick<ApprovalWaits, "wait" | "announce">;
  /** Rows of the audit log, which hold the arguments of paused calls. */
  readonly rows: Pick<AuditStore, "row" | "checkpoints">;
  /** The keyed digest of the deployment, as in audit rows. */
  readonly digest: (text: string) => string;
  /** Prefix of approval URLs, without a slash at its end. */
  readonly publicUrl: string;
  readonly propagation: Propagation;
  readonly gateways: GatewayDirectory;
  readonly callCounter: CallCounter;
  /** Which gateways a kill switch has reached. */
  readonly reaches: ReachReader;
  /** Whether this process does the work that one process of a store does at a time. */
  readonly leads: () => boolean;
  readonly recordedCalls: RecordedCallStore;
  readonly replays: ReplayStore;
  readonly replayRunner: Pick<ReplayRunner, "activeOf" | "stored" | "enqueue" | "cancel">;
  readonly rowThread: RowThread;
  /** The key that the digests of rows are made with. */
  readonly digestKey: string;
  /** Counts explanations. */
  readonly noteExplanation: (result: ExplanationResult) => void;
}
