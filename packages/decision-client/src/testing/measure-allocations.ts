// Prints how many bytes a question allocates in the decision client, without the exchange that carries it.
import { decideOverExchange } from "../decide-over-exchange.ts";
import type { GatewayExchange } from "../gateway-exchange.ts";

/** Questions in one measurement, as count. The process has room for their garbage. */
const QUESTIONS = 10_000;

/** Measurements, as count. The smallest counts: what a compiler allocates beside them only adds. */
const MEASUREMENTS = 5;

const body = Buffer.from(
  '{"decision":"allow","decision_id":"gw_1.0","policy_id":"demo","policy_version":1,"mode":"enforcement",' +
    '"args_constrained":false}',
);
const answer = { status: 200, headers: { "content-type": "application/json" }, body };

const sent = { giveUp: () => undefined };

const exchange: GatewayExchange = {
  send: (_, listener) => {
    queueMicrotask(() => listener.onAnswer(answer));
    return sent;
  },
  close: () => Promise.resolve(),
};

const client = decideOverExchange(
  exchange,
  { gatewayUrl: new URL("http://127.0.0.1:1"), timeoutMs: 60_000, apiKey: null, orgId: null },
  { monotonicMs: () => performance.now(), onFault: () => undefined },
);

const call = {
  agent_id: "agent-1",
  session_id: "session-1",
  tool: "payments.refund",
  args: { amount: 20, currency: "USD" },
  namespace: null,
  cost_micro_usd: null,
};

async function bytesPerTurn(turn: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (let at = 0; at <= MEASUREMENTS; at += 1) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let turns = 0; turns < QUESTIONS; turns += 1) await turn();
    found.push((process.memoryUsage().heapUsed - before) / QUESTIONS);
  }
  // The first one warms up.
  return Math.min(...found.slice(1));
}

const empty = await bytesPerTurn(() => Promise.resolve());
const asked = await bytesPerTurn(() => client.decide(call));
const { decision } = await client.decide(call);
process.stdout.write(JSON.stringify({ decision, empty, asked }));
