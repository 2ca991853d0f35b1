import { benchmarkArgs, executeBodies } from "../benchmark-calls.ts";
import { BENCH_TOOL, benchmarkPolicy } from "../benchmark-policy.ts";
import type { RunningChild } from "../child-process.ts";
import { createPolicy } from "../peers/api.ts";
import { EXECUTE_PATH, startAllowingGateway, startCannedServer } from "../peers/start-canned-server.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench } from "../scenario.ts";
import type { Side } from "./sides.ts";

/** Different requests, as count. */
const BODIES = 400;

/** Rules of the policy behind the whole, as count: for other tools, since each seam has its own arguments. */
const RULES = 20;

/** The agent that every shipped configuration names. */
export const SHIPPED_AGENT = "refund-agent";

/** Where verdicts come from: at once from a peer that looks at nothing, and from the real server. */
export interface Gateways {
  readonly allowing: RunningChild;
  readonly real: RunningChild;
}

export async function startGateways(bench: Bench): Promise<Gateways> {
  const allowing = await startAllowingGateway(bench.cleanup);
  const real = await startProduct(bench);
  await createPolicy(
    real.ready,
    benchmarkPolicy({ walkedRules: 0, foreignRules: RULES, agentId: SHIPPED_AGENT }),
  );
  return { allowing, real };
}

/** A backend that answers every request with the same small document. */
export function startBackend(bench: Bench): Promise<RunningChild> {
  return startCannedServer(
    { "*": { body: JSON.stringify({ refunded: true, id: "re_1234567890" }) } },
    bench.cleanup,
  );
}

/** Arguments of calls as bodies of plain HTTP. */
export function refundBodies(): readonly string[] {
  return Array.from({ length: BODIES }, (_, at) => JSON.stringify(benchmarkArgs(at)));
}

/** The id of every MCP request here, so that one canned answer fits them all. */
export const MCP_ID = 7;

/** MCP requests of one method that carry a call's arguments, whether the method looks at them or not. */
export function mcpBodies(method: string): readonly string[] {
  return Array.from({ length: BODIES }, (_, at) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: MCP_ID,
      method,
      params: { name: BENCH_TOOL, arguments: benchmarkArgs(at) },
    }),
  );
}

/** The question alone, without any adapter: what a decision costs by itself. */
export function askingSide({ allowing }: Gateways): Side {
  return { url: `${allowing.ready}${EXECUTE_PATH}`, bodies: executeBodies(BODIES, BODIES), pid: null };
}
