import type { GatewayRecord } from "@svc/contract/gateway";
import type { Guardrail } from "@svc/engine/guardrail";
import type { GuardrailReading } from "@svc/engine/read-guardrails";
import type { GuardrailTrial } from "@svc/engine/try-guardrail";
import type { WrittenGuardrail } from "@svc/engine/validate-guardrail";
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
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { RecordStores } from "@svc/store/ports/record-store";
import type { Store } from "@svc/store/ports/store";
import type { ObservedProcess } from "./alerts/alert-facts.ts";
import type { ApprovalWaits } from "./approvals/approval-waits.ts";
import type { ChannelTester } from "./channels/opened-channel.ts";
import type { IntegrationTester } from "./integrations/opened-integration.ts";
import type { AcknowledgementReader } from "./kill-switches/containment.ts";
import type { KnownNames } from "./names/known-names.ts";
import type { ProbeTarget, Propagation, RecentCallers } from "./propagation.ts";
import type { RowThread } from "./replays/recorded-rows.ts";
import type { ReplayRunner } from "./replays/replay-runner.ts";
import type { SupervisionPorts } from "./rogue/supervision-ports.ts";
import type { IdentityTokens } from "./trust-rules/identity-tokens.ts";
import type { Destinations } from "./webhooks/destinations.ts";
import type { SealedSecrets } from "./webhooks/sealed-secrets.ts";
import type { WebhookSending } from "./webhooks/webhook-sending.ts";

/** Checks policy documents. Rejects when the check itself failed, which says nothing about the document. */
export interface DocumentChecks {
  check(text: DocumentText): Promise<DocumentCheck>;
}

/** Reads and tries guardrails. Rejects when that itself failed, which says nothing about the guardrail. */
export interface GuardrailChecks {
  /** Reads a definition, JSON or YAML, and tries its samples. */
  readGuardrail(source: string): Promise<GuardrailReading<WrittenGuardrail>>;
  tryGuardrail(guardrail: Guardrail, text: string): Promise<GuardrailTrial>;
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

/** Makes a unique identifier that nobody can guess, such as `hold_5c2a9f3e1b7d` with the prefix `hold`. */
export type NewId = (prefix: string) => string;

/** How an explanation of a recorded decision ended. `differs` is a defect. */
export type ExplanationResult = "agrees" | "differs" | "undecided";

/** The stores that operations read and change. */
type OperationStores = RecordStores &
  Pick<Store, "killSwitches" | "policies" | "guardrails" | "assignments" | "namespaces" | "agents" | "keys"> &
  Pick<Store, "approvals" | "heldCalls" | "approvalWorkflows" | "recordedCalls" | "replays"> &
  Pick<Store, "deliveries" | "alerts" | "integrationCourses">;

/** Every port of the operations. Each operation names the few that it needs. */
export interface ControlPlanePorts extends SupervisionPorts, OperationStores {
  /** Records hold wall time, for people. Deadlines use the monotonic clock. */
  readonly clock: MonotonicClock & WallClock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly newId: NewId;
  readonly documents: DocumentChecks;
  readonly guardrailChecks: GuardrailChecks;
  readonly simulations: Simulations;
  /** Requests that wait until an approval is resolved. */
  readonly approvalWaits: Pick<ApprovalWaits, "wait" | "announce">;
  /** Rows of the audit log, which hold the arguments of paused calls. */
  readonly rows: Pick<AuditStore, "row" | "checkpoints" | "eventRows" | "forwardedRows">;
  /** The keyed digest of the deployment, as in audit rows. */
  readonly digest: (text: string) => string;
  /** Prefix of approval URLs, without a slash at its end. */
  readonly publicUrl: string;
  readonly propagation: Propagation;
  /** Names that look like these are not registered. */
  readonly knownNames: Pick<KnownNames, "lookedLike">;
  readonly gateways: GatewayDirectory;
  /** The processes that share the store, and their health. Rejects when the store does not answer. */
  readonly processes: () => Promise<readonly ObservedProcess[]>;
  readonly callCounter: CallCounter;
  /** Which gateways a kill switch has reached. */
  readonly acknowledgements: AcknowledgementReader;
  /** Whether this process does the work that one process of a store does at a time. */
  readonly leads: () => boolean;
  readonly replayRunner: Pick<ReplayRunner, "activeOf" | "stored" | "enqueue" | "cancel">;
  readonly rowThread: RowThread;
  /** The key that the digests of rows are made with. */
  readonly digestKey: string;
  /** Proves tokens of identity providers. */
  readonly identityTokens: IdentityTokens;
  /** Secrets that must be readable to be used. */
  readonly sealedSecrets: SealedSecrets;
  readonly webhookSending: WebhookSending;
  /** Judges the addresses that people name. */
  readonly destinations: Destinations;
  /** Sends messages that say that they are tests. */
  readonly channelTester: ChannelTester;
  /** Tries connections to other systems. */
  readonly integrationTester: IntegrationTester;
  /** Counts explanations. */
  readonly noteExplanation: (result: ExplanationResult) => void;
}
