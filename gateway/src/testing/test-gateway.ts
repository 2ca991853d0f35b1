import type { ExecuteRequest } from "@svc/contract/execute-request";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { FakeFeed } from "@svc/control-feed/testing/fake-feed";
import type { EvaluatorFactory } from "@svc/engine/evaluator-factory";
import { TestLedger } from "@svc/log-writer/testing/test-ledger";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { execute } from "../execute.ts";
import type { CallRequest, ReceivedCall } from "../pending-call.ts";
import { gatewayOver } from "./gateway-over.ts";

export const PRINCIPAL = adminPrincipal({ id: "key-1" });

/** The execute pipeline over stores in memory and a clock that stands still. */
export async function testGateway(evaluators?: EvaluatorFactory) {
  const clock = new FakeClock();
  const ledger = new TestLedger();
  const feed = new FakeFeed();
  const { audit, approvals } = ledger.store;
  const gateway = await gatewayOver({
    clock,
    ledger,
    audit,
    approvals,
    feed,
    ...(evaluators === undefined ? {} : { evaluators }),
  });
  return {
    ...gateway,
    clock,
    ledger,
    feed,
    rows: () => ledger.rows.map((row) => JSON.parse(row) as Record<string, unknown>),
    execute: (known: Partial<ExecuteRequest> = {}) => execute(gateway.parts, received(call(known))),
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
