import { setTimeout } from "node:timers/promises";
import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atLeast, atMost, figure } from "../figure.ts";
import type { LoadResult } from "../load/load-generator.ts";
import { createPolicy } from "../peers/api.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Connections that stay open, as count: what the target is set for. */
const CONNECTIONS = 64;

const BODIES = 4_000;
const RULES = 20;

/** Seconds of load that fill the log before anything counts. */
const FILL_SECONDS = 10;

/** The policy of a benchmark. */
const POLICY_ID = "bench";

/** Milliseconds between two looks at a replay. */
const LOOK_MS = 20;

interface Replay {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly rows_total: number };
}

export const replayBesideExecute: Scenario = {
  name: "replay",
  title: "Replays of the whole log, alone and beside execute, embedded store",
  run: async (bench) => {
    const { ready: url } = await startProduct(bench);
    await createPolicy(url, benchmarkPolicy({ walkedRules: RULES, ceilings: false }));
    const bodies = executeBodies(BODIES, BODIES);
    const load = (seconds: number): Promise<LoadResult> => {
      const executeUrl = `${url}/api/v1/gateway/execute`;
      const run = { url: executeUrl, bodies, seconds, connections: CONNECTIONS };
      return bench.generator.run(run, bench.cleanup);
    };
    await load(FILL_SECONDS);
    await untilIndexed(url);
    const replays = `${url}/api/v1/policies/${POLICY_ID}/replay`;
    await replayOnce(url, replays);
    const rowsPerSecond: number[] = [];
    for (let round = 0; round < bench.rounds; round += 1) rowsPerSecond.push(await replayOnce(url, replays));
    bench.say(`replayed, ${bench.rounds} rounds of 2 x ${bench.seconds} s`);
    const beside = (): Promise<LoadResult> => whileReplaying(url, replays, () => load(bench.seconds));
    const [quiet = [], busy = []] = await takeTurns(bench.rounds, [() => load(bench.seconds), beside]);
    const p99 = ({ p99Ms }: LoadResult): number => p99Ms;
    const rate = ({ requestsPerSecond }: LoadResult): number => requestsPerSecond;
    const over = (of: (turn: LoadResult) => number): number[] => ratios(busy.map(of), quiet.map(of));
    const figures = [
      figure("rows of one replay, quiet", "1/s", rowsPerSecond, atLeast(50_000)),
      figure("requests/s, during replays to quiet", "ratio", over(rate), atLeast(0.9)),
      figure("p99 of execute, during replays to quiet", "ratio", over(p99), atMost(1.5)),
      figure("requests/s, quiet", "1/s", quiet.map(rate)),
      figure("requests/s, during replays", "1/s", busy.map(rate)),
    ];
    return { kind: "measured", figures, notes: [] };
  },
};

/** The index of the audit log takes a part of a core until it has every row. */
async function untilIndexed(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/audit?limit=1`);
    const { indexed } = (await answer.json()) as { readonly indexed: { readonly complete: boolean } };
    if (indexed.complete) return;
    await setTimeout(LOOK_MS);
  }
}

/** Replays the whole log. @returns rows per second, from the request to the stored result */
async function replayOnce(url: string, replays: string): Promise<number> {
  const startedMs = performance.now();
  const { id } = await startReplay(replays);
  for (;;) {
    const answer = await fetch(`${url}/api/v1/replays/${id}`);
    const { status, progress } = (await answer.json()) as Replay;
    if (status === "completed") return (1_000 * progress.rows_total) / (performance.now() - startedMs);
    if (status !== "queued" && status !== "running") throw new Error(`the replay is ${status}`);
    await setTimeout(LOOK_MS);
  }
}

/** Keeps one replay running while the work lasts, and cancels the last one. */
async function whileReplaying<Result>(
  url: string,
  replays: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const replaying = (async () => {
    for (;;) {
      const { id } = await startReplay(replays);
      let isActive = true;
      while (isActive && !isOver) {
        await setTimeout(10 * LOOK_MS);
        const { status } = (await (await fetch(`${url}/api/v1/replays/${id}`)).json()) as Replay;
        isActive = status === "queued" || status === "running";
      }
      if (!isOver) continue;
      if (isActive) await fetch(`${url}/api/v1/replays/${id}`, { method: "DELETE" });
      return;
    }
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await replaying;
  }
}

async function startReplay(replays: string): Promise<Replay> {
  const answer = await fetch(replays, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ since: "2020-01-01T00:00:00Z" }),
  });
  if (answer.status !== 202) throw new Error(`no replay: ${String(answer.status)} ${await answer.text()}`);
  return (await answer.json()) as Replay;
}
