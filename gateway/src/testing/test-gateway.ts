import type { ExecuteRequest } from "@svc/contract/execute-request";
import { KeyedDigest } from "@svc/contract/keyed-digest";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { ControlFollower, type FollowedState } from "@svc/control-feed/control-follower";
import { FakeFeed } from "@svc/control-feed/testing/fake-feed";
import { LedgerQueue } from "@svc/log-writer/ledger-queue";
import { TestLedger } from "@svc/log-writer/testing/test-ledger";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { nodeTimers } from "@svc/process/timers";
import type { IdempotencyStore } from "@svc/store/ports/idempotency-store";
import { ActivityWindow } from "../activity-window.ts";
import { ControlState } from "../control-state.ts";
import { execute } from "../execute.ts";
import type { ExecuteParts } from "../execute-parts.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import type { CallRequest, ReceivedCall } from "../pending-call.ts";
import { PolicyLoader } from "../policies/policy-loader.ts";
import { Withdrawals } from "../withdrawals.ts";
import { directCompiler } from "./direct-compiler.ts";

/** A key of the deployment. */
export const DIGEST_KEY = "5a".repeat(32);

export const PRINCIPAL = adminPrincipal({ id: "key-1" });

/** The execute pipeline over stores in memory and a clock that stands still. */
export async function testGateway() {
  const clock = new FakeClock();
  const log = recordingLogger();
  const ledger = new TestLedger();
  const feed = new FakeFeed();
  const loader = new PolicyLoader({
    compiler: directCompiler,
    clock,
    timers: nodeTimers,
    log,
    onFault: () => {},
  });
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
    audit: ledger.store.audit,
    grant: (org, approvalId) => ledger.store.approvals.grant(org, approvalId),
    withdraw: (row) => withdrawals.withdraw(row),
    activity: new ActivityWindow(clock),
    digest: new KeyedDigest(DIGEST_KEY),
    clock,
    log,
    publicUrl: "http://svc.example",
  };
  await follower.catchUp();
  return {
    clock,
    log,
    ledger,
    feed,
    follower,
    parts,
    withdrawals,
    keyHolder: ((key, atMs) =>
      ledger.store.idempotency.keyHolder(key, atMs)) satisfies IdempotencyStore["keyHolder"],
    rows: () => ledger.rows.map((row) => JSON.parse(row) as Record<string, unknown>),
    execute: (known: Partial<ExecuteRequest> = {}) => execute(parts, received(call(known))),
  };
}

/** Policies are in force when `catchUp` resolves. */
function settled(followed: FollowedState, loader: PolicyLoader): FollowedState {
  return {
    get ageMs() {
      return followed.ageMs;
    },
    catchUp: async () => {
      const revision = await followed.catchUp();
      await loader.idle();
      return revision;
    },
  };
}

/** The request of a call as the server hands it over, under a fixed id. */
export function received(request: CallRequest): ReceivedCall {
  return { principal: PRINCIPAL, request, requestId: { text: "req_1" } };
}

export type TestGateway = Awaited<ReturnType<typeof testGateway>>;

export function call(known: Partial<ExecuteRequest> = {}): ExecuteRequest {
  return {
    agent_id: "agent-1",
    session_id: "s-1",
    tool: "payments.refund",
    args: { amount: 10 },
    namespace: null,
    cost_micro_usd: null,
    ...known,
  };
}
