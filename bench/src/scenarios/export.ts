import { join } from "node:path";
import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atMost, figure } from "../figure.ts";
import type { LoadResult } from "../load/load-generator.ts";
import { createPolicy } from "../peers/api.ts";
import { startPeer } from "../peers/start-peer.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Connections that stay open, as count: what the target is set for. */
const CONNECTIONS = 64;

const BODIES = 4_000;
const RULES = 20;

/**
 * Seconds of load before anything counts: the log grows to what an export reads, and the compilers settle.
 */
const FILL_SECONDS = 6;

const READER = join(import.meta.dirname, "..", "peers", "export-reader.ts");

export const exportBesideExecute: Scenario = {
  name: "export",
  title: "Execute while another client exports the whole audit log again and again, embedded store",
  run: async (bench) => {
    const { ready: url } = await startProduct(bench);
    await createPolicy(url, benchmarkPolicy({ walkedRules: RULES, ceilings: false }));
    const bodies = executeBodies(BODIES, BODIES);
    const load = (seconds: number): Promise<LoadResult> => {
      const executeUrl = `${url}/api/v1/gateway/execute`;
      return bench.generator.run(
        { url: executeUrl, bodies, seconds, connections: CONNECTIONS },
        bench.cleanup,
      );
    };
    await load(FILL_SECONDS);
    bench.say(`warm, ${bench.rounds} rounds of 2 x ${bench.seconds} s`);
    const turns = [() => load(bench.seconds), () => whileExporting(bench, url, () => load(bench.seconds))];
    const [quiet = [], exporting = []] = await takeTurns(bench.rounds, turns);
    const p99 = ({ p99Ms }: LoadResult): number => p99Ms;
    const rate = ({ requestsPerSecond }: LoadResult): number => requestsPerSecond;
    const over = (of: (turn: LoadResult) => number): number[] => ratios(exporting.map(of), quiet.map(of));
    const figures = [
      figure("p99 of execute, during an export to quiet", "ratio", over(p99), atMost(1.3)),
      figure("requests/s, during an export to quiet", "ratio", over(rate)),
      figure("p99 of execute, quiet", "ms", quiet.map(p99)),
      figure("p99 of execute, during an export", "ms", exporting.map(p99)),
    ];
    return { kind: "measured", figures, notes: [] };
  },
};

/** @throws when the client of the exports ended meanwhile, as it does when an export fails. */
async function whileExporting<Result>(
  { cleanup }: Bench,
  url: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const reader = await startPeer(READER, [url], cleanup);
  const result = await work();
  process.kill(reader.pid, 0);
  await reader.stop();
  return result;
}
