import { join } from "node:path";
import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atLeast, atMost, type Figure, figure } from "../figure.ts";
import { perRequestUs, runTimed, type TimedResult } from "../load/timed-load.ts";
import { createPolicy } from "../peers/api.ts";
import { startPeer } from "../peers/start-peer.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Connections that stay open, as count: what the target is set for. */
const CONNECTIONS = 64;

/** Streams that are open, as count: what the target is set for. */
const READERS = 1_000;

const BODIES = 4_000;
const RULES = 20;

/** Seconds of load before anything counts. */
const WARM_UP_SECONDS = 4;

const READER = join(import.meta.dirname, "..", "peers", "event-readers.ts");

export const eventStream: Scenario = {
  name: "event-stream",
  title: "Execute as fast as it goes while 1,000 readers follow every event, embedded store",
  run: async (bench) => {
    const { ready: url, pid } = await startProduct(bench);
    await createPolicy(url, benchmarkPolicy({ walkedRules: RULES, ceilings: false }));
    const bodies = executeBodies(BODIES, BODIES);
    const load = (seconds: number): Promise<TimedResult> => {
      const executeUrl = `${url}/api/v1/gateway/execute`;
      return runTimed(bench, { url: executeUrl, bodies, seconds, connections: CONNECTIONS }, pid);
    };
    await load(WARM_UP_SECONDS);
    bench.say(`warm, ${bench.rounds} rounds of 2 x ${bench.seconds} s`);
    const turns = [() => load(bench.seconds), () => whileRead(bench, url, () => load(bench.seconds))];
    const [quiet = [], read = []] = await takeTurns(bench.rounds, turns);
    const sent = await sentBytes(url);
    bench.say(`${Math.round(sent / 1_048_576)} MiB of events were sent`);
    return { kind: "measured", figures: figuresOf(quiet, read), notes: [] };
  },
};

function figuresOf(quiet: readonly TimedResult[], read: readonly TimedResult[]): Figure[] {
  const p99 = ({ p99Ms }: TimedResult): number => p99Ms;
  const rate = ({ requestsPerSecond }: TimedResult): number => requestsPerSecond;
  const main = (turn: TimedResult): number => perRequestUs(turn, turn.cpu?.mainThreadMs);
  const over = (of: (turn: TimedResult) => number): number[] => ratios(read.map(of), quiet.map(of));
  return [
    figure("requests/s, with readers to without", "ratio", over(rate), atLeast(0.8)),
    figure("serving thread's processor time, with readers to without", "ratio", over(main), atMost(1.2)),
    figure("p99 of execute, with readers to without", "ratio", over(p99)),
    figure("without readers", "1/s", quiet.map(rate)),
    figure("with readers", "1/s", read.map(rate)),
    figure("p99 of execute, without readers", "ms", quiet.map(p99)),
    figure("p99 of execute, with readers", "ms", read.map(p99)),
  ];
}

/** @throws when the readers ended meanwhile, as they do when a stream does. */
async function whileRead<Result>(
  { cleanup }: Bench,
  url: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const readers = await startPeer(READER, [url, String(READERS)], cleanup);
  const result = await work();
  process.kill(readers.pid, 0);
  await readers.stop();
  return result;
}

/** @throws unless events were sent. */
async function sentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const bytes = Number(/^svc_event_stream_sent_bytes_total (\S+)/m.exec(text)?.[1] ?? "0");
  if (!(bytes > 0)) throw new Error("no event was sent");
  return bytes;
}
