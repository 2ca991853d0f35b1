import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atLeast, figure } from "../figure.ts";
import type { LoadResult } from "../load/load-generator.ts";
import { createPolicy } from "../peers/api.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const CONNECTIONS = 64;
const BODIES = 4_000;
const SESSIONS = 1_000;
const RULES = 20;
const WARM_UP_SECONDS = 4;

export const auditIndexCost: Scenario = {
  name: "audit-index-cost",
  title: "Execute with the audit index being filled beside it, to execute without, embedded store",
  run: async (bench) => {
    const dataDir = await temporaryFolder(bench.dataFolder, bench.cleanup);
    const { ready: url } = await startProduct(bench, { SVC_DATA_DIR: dataDir });
    await createPolicy(url, benchmarkPolicy({ walkedRules: RULES, ceilings: false }));
    const bodies = executeBodies(BODIES, SESSIONS);
    const load = (seconds: number): Promise<LoadResult> =>
      bench.generator.run(
        { url: `${url}/api/v1/gateway/execute`, bodies, seconds, connections: CONNECTIONS },
        bench.cleanup,
      );
    await load(WARM_UP_SECONDS);
    bench.say(`warm, ${bench.rounds} rounds of 2 x ${bench.seconds} s`);
    const turns = [() => withoutIndex(dataDir, () => load(bench.seconds)), () => load(bench.seconds)];
    const [without = [], indexed = []] = await takeTurns(bench.rounds, turns);
    const rate = ({ requestsPerSecond }: LoadResult): number => requestsPerSecond;
    const p99 = ({ p99Ms }: LoadResult): number => p99Ms;
    const figures = [
      figure(
        "requests/s, with the index to without",
        "ratio",
        ratios(indexed.map(rate), without.map(rate)),
        atLeast(0.95),
      ),
      figure("p99, with the index to without", "ratio", ratios(indexed.map(p99), without.map(p99))),
      figure("requests/s without", "1/s", without.map(rate)),
      figure("requests/s with", "1/s", indexed.map(rate)),
    ];
    return {
      kind: "measured",
      figures,
      notes: ["the index also catches up with the rows of the turn before"],
    };
  },
};

/** The index cannot be written while another program holds its lock. Its thread sleeps until then. */
async function withoutIndex<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const holder = new DatabaseSync(join(dataDir, "audit-index.db"), { timeout: 30_000 });
  try {
    holder.exec("BEGIN IMMEDIATE");
    return await work();
  } finally {
    holder.close();
  }
}
