import type { AuditIndex } from "@svc/audit-index/audit-index";
import { signCertificate } from "@svc/audit-log/certificate";
import { signExcerpt } from "@svc/audit-log/excerpt";
import type { NoteSigner } from "@svc/audit-log/note-key";
import { ApprovalWaits } from "@svc/control-plane/approval-waits";
import {
  type ComposedSupervision,
  composeSupervision,
  type SupervisionParts,
} from "@svc/control-plane/compose-supervision";
import { countCalls } from "@svc/control-plane/count-calls";
import { KnownNames } from "@svc/control-plane/known-names";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { ReplayRunner } from "@svc/control-plane/replay-runner";
import { systemClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import { nodeTimers } from "@svc/process/timers";
import type { Store } from "@svc/store/ports/store";
import { KeyedDigest } from "@svc/text/keyed-digest";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { ApiParts } from "./control-app.ts";
import { AnswerOnce } from "./idempotency/answer-once.ts";
import { EventStreams } from "./live-events/event-streams.ts";
import { storesWithinDeadline, withinDeadline } from "./within-deadline.ts";

/** How operations reach the processes that enforce what they change. */
export type ProcessPorts = Pick<
  ControlPlanePorts,
  "propagation" | "gateways" | "processes" | "acknowledgements" | "leads"
>;

/** What differs between deployments, and between them and tests. */
export interface ControlParts
  extends ProcessPorts,
    Pick<ControlPlanePorts, "documents" | "guardrailChecks" | "simulations" | "rowThread" | "digestKey">,
    Pick<
      ControlPlanePorts,
      | "noteExplanation"
      | "publicUrl"
      | "identityTokens"
      | "sealedSecrets"
      | "destinations"
      | "webhookSending"
      | "channelTester"
      | "integrationTester"
    >,
    Pick<SupervisionParts, "noteHeartbeat" | "countTransition">,
    Pick<ApiParts, "authenticate" | "noteRefusal" | "rateLimits" | "corsOrigins" | "answerGraphql">,
    Pick<ApiParts, "verifierKeys" | "checkpoint"> {
  readonly store: Store;
  readonly auditIndex: AuditIndex;
  readonly signer: NoteSigner;
  readonly registry: Registry;
  readonly log: Logger;
}

/** The control API and what stands behind it. None of its background jobs runs yet. */
export interface ComposedControl {
  readonly controlPlane: ControlPlanePorts;
  readonly api: ApiParts & { readonly eventStreams: EventStreams };
  readonly supervision: ComposedSupervision;
  readonly replayRunner: ReplayRunner;
  readonly knownNames: KnownNames;
  /** Answers the requests that wait for an approval, and ends event streams. */
  readonly closeStreams: () => Promise<void>;
}

/** Each call of the store and of the index that a request waits for ends within a deadline. */
export function composeControl(parts: ControlParts): ComposedControl {
  // Nobody else gets the key that signs.
  const { store, registry, signer, ...shared } = parts;
  const { log } = shared;
  const auditIndex = withinDeadline(parts.auditIndex);
  const stores = storesWithinDeadline(store);
  const process = { clock: systemClock, timers: nodeTimers, log };
  const approvalWaits = new ApprovalWaits({ approvals: store.approvals, timers: nodeTimers, log });
  const supervision = composeSupervision({
    ...process,
    ...stores,
    index: auditIndex,
    noteHeartbeat: parts.noteHeartbeat,
    countTransition: parts.countTransition,
  });
  const { replays, recordedCalls, logId: owner } = store;
  const { rowThread: thread, digestKey } = parts;
  const running = { replays, recordedCalls, thread, clock: systemClock, log, owner, digestKey };
  const replayRunner = new ReplayRunner(running);
  const knownNames = new KnownNames();
  const digest = new KeyedDigest(digestKey);
  const controlPlane = {
    ...shared,
    ...stores,
    ...process,
    ...supervision,
    // Replays and explanations may read for longer.
    recordedCalls,
    rows: stores.audit,
    newId: randomId,
    digest: (text: string) => digest.of(text),
    callCounter: countCalls(auditIndex),
    approvalWaits,
    replayRunner,
    knownNames,
  };
  const { audit } = store;
  const eventStreams = new EventStreams({ ...process, audit, registry, random: () => Math.random() });
  const api = {
    ...shared,
    controlPlane,
    answerOnce: new AnswerOnce({ keys: stores.requestKeys, clock: systemClock, log }),
    audit,
    auditIndex,
    keys: store.keys,
    ledger: stores.ledger,
    signExcerpt: signExcerpt.bind(null, signer),
    signCertificate: signCertificate.bind(null, signer),
    eventStreams,
  };
  const closeStreams = async (): Promise<void> => {
    approvalWaits.stop();
    await eventStreams.close();
  };
  return { controlPlane, api, supervision, replayRunner, knownNames, closeStreams };
}
