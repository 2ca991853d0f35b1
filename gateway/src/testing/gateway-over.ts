import { ControlFollower, type FollowedState } from "@svc/control-feed/control-follower";
import { type EvaluatorFactory } from "@svc/engine/evaluator-factory";
import { noEvaluators } from "@svc/engine/testing/no-evaluators";
import { LedgerQueue } from "@svc/log-writer/ledger-queue";
import type { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { nodeTimers } from "@svc/process/timers";
import type { ApprovalStore } from "@svc/store/ports/approval-store";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { ControlFeedStore } from "@svc/store/ports/control-feed-store";
import type { Ledger } from "@svc/store/ports/ledger";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { ActivityWindow } from "../activity-window.ts";
import { Withdrawals } from "../append/withdrawals.ts";
import { ControlState } from "../check/control-state.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { PolicyLoader } from "../policies/policy-loader.ts";
import { directReader } from "./direct-reader.ts";

/** A key of the deployment. */
export const DIGEST_KEY = "5a".repeat(32);

export interface GatewayOverParts {
  readonly clock: FakeClock;
  readonly ledger: Ledger;
  readonly audit: Pick<AuditStore, "row">;
  readonly approvals: Pick<ApprovalStore, "grant" | "usableElsewhere">;
  readonly feed: ControlFeedStore;
  readonly evaluators?: EvaluatorFactory;
}

/** The execute pipeline over these stores, and a clock that stands still. It has caught up with the feed. */
export async function gatewayOver({
  clock,
  ledger,
  audit,
  approvals,
  feed,
  evaluators = noEvaluators,
}: GatewayOverParts) {
  const log = recordingLogger();
  const compiling = { reader: directReader, evaluators, timers: nodeTimers, onFault: () => {} };
  const loader = new PolicyLoader({ ...compiling, clock, log });
  const state = new ControlState(loader);
  const outage = { failed: () => undefined, recovered: () => undefined };
  const following = new ControlFollower({ feed, clock, log, outage });
  const followed = following.subscribe(state, { name: "gateway", consequence: "every call is denied" });
  const follower = settled(followed, loader);
  const withdrawals = new Withdrawals({ ledger, clock, log });
  const parts: ExecuteParts = {
    control: { state, follower },
    queue: new LedgerQueue({ ledger, clock, log, outage }),
    onLateRow: (late) => withdrawals.withdrawLate(late),
    usage: (key) => ledger.usage(key),
    sessionMutex: new KeyedMutex(),
    audit,
    grant: (org, approvalId) => approvals.grant(org, approvalId),
    usableElsewhere: (org, question) => approvals.usableElsewhere(org, question),
    withdraw: (row) => withdrawals.withdraw(row),
    activity: new ActivityWindow(clock),
    digest: new KeyedDigest(DIGEST_KEY),
    clock,
    log,
    publicUrl: "http://svc.example",
  };
  await follower.catchUp();
  return { log, follower, withdrawals, parts };
}

/** Policies are in force when `catchUp` resolves. */
function settled(followed: FollowedState, loader: PolicyLoader): FollowedState {
  const catchUp = async (): Promise<number> => {
    const revision = await followed.catchUp();
    await loader.idle();
    return revision;
  };
  return {
    get ageMs() {
      return followed.ageMs;
    },
    get appliedRevision() {
      return followed.appliedRevision;
    },
    catchUp,
    catchUpTo: catchUp,
  };
}
