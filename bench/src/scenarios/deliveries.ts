import { join } from "node:path";
import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { type CpuTime } from "../cpu-time.ts";
import { atLeast, atMost, type Figure, figure } from "../figure.ts";
import { runPaced } from "../load/paced-calls.ts";
import { perRequestUs, runTimed, type TimedResult } from "../load/timed-load.ts";
import { createPolicy, post } from "../peers/api.ts";
import { startPeer } from "../peers/start-peer.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { quantile, ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";
import { threadFigures } from "./execute-figures.ts";

/** Endpoints that answer, and those of each kind that hang, fail or are slow, as counts. */
const HEALTHY = 5;
const SICK = 5;

/** Events a second: what the target is set for. */
const EVENTS_PER_SECOND = 200;

/** No policy governs it, so its calls are denied: the load of the others makes no event that is delivered. */
const DELIVERED_AGENT = "delivered-agent";

/** Endpoints that are registered and take nothing, as count: as many as an organization has beside others. */
const IDLE = 75;

const BODIES = 4_000;
const CONNECTIONS = 64;

/** Milliseconds in which what was sent must have arrived. */
const ARRIVES_WITHIN_MS = 30_000;

const RECEIVERS = join(import.meta.dirname, "..", "peers", "webhook-receivers.ts");

export const deliveries: Scenario = {
  name: "deliveries",
  title: "Webhooks to endpoints that answer beside some that hang, fail or are slow, and execute beside them",
  run: async (bench) => {
    const [well, mixed] = [await startSide(bench, 0), await startSide(bench, SICK)];
    bench.say(`warm, ${bench.rounds} rounds of 2 x ${bench.seconds} s`);
    const turns = [well, mixed].map((side) => () => paced(bench, side));
    const [alone = [], beside = []] = await takeTurns(bench.rounds, turns);
    const [without, idle] = [await startSide(bench, null), await startIdle(bench)];
    const loads = [without, idle, mixed].map((side) => () => busy(bench, side));
    for (const load of loads) await load();
    const [plain = [], registered = [], delivering = []] = await takeTurns(bench.rounds, loads);
    return {
      kind: "measured",
      figures: [...latencyFigures(alone, beside), ...rateFigures(plain, registered, delivering)],
      notes: [
        `${HEALTHY} endpoints answer at once; beside them ${SICK} hang, ${SICK} answer 500, ${SICK} take 2 s`,
        "latency: from the time of an event to its arrival at an endpoint that answers, in milliseconds",
      ],
    };
  },
};

interface Side {
  readonly url: string;
  readonly pid: number;
  /** Null: nothing is delivered. */
  readonly receivers: string | null;
}

interface Report {
  readonly urls: Readonly<Record<string, readonly string[]>>;
  readonly latenciesMs: readonly number[];
}

/** @param sick endpoints of each kind; null: none at all, also none that answers */
async function startSide(bench: Bench, sick: number | null): Promise<Side> {
  const { ready: url, pid } = await startProduct(bench, { SVC_OUTBOUND_ALLOW: "127.0.0.1" });
  await createPolicy(url, benchmarkPolicy({ walkedRules: 20, ceilings: false }));
  if (sick === null) return { url, pid, receivers: null };
  const peer = await startPeer(RECEIVERS, [String(HEALTHY), String(sick)], bench.cleanup);
  const { urls } = await reportOf(peer.ready);
  for (const receiver of Object.values(urls).flat()) await register(url, receiver, "policy.decision");
  return { url, pid, receivers: peer.ready };
}

async function startIdle(bench: Bench): Promise<Side> {
  const side = await startSide(bench, null);
  for (let n = 0; n < IDLE; n += 1)
    await register(side.url, `http://127.0.0.1:9/${String(n)}`, "killswitch.activated");
  return side;
}

async function register(url: string, receiver: string, event: string): Promise<void> {
  const agents = event === "policy.decision" ? [DELIVERED_AGENT] : null;
  const body = JSON.stringify({ url: receiver, events: [event], agents });
  await post(`${url}/api/v1/webhooks`, body, { wanted: 201 });
}

async function reportOf(receivers: string): Promise<Report> {
  return (await (await fetch(receivers)).json()) as Report;
}

/** Milliseconds from each event to each endpoint that answers. @throws when one did not arrive */
async function paced({ seconds }: Bench, { url, receivers }: Side): Promise<readonly number[]> {
  if (receivers === null) throw new Error("a side without receivers has no latency");
  await reportOf(receivers);
  const count = await makeEvents(url, seconds);
  const arrived: number[] = [];
  const endMs = performance.now() + ARRIVES_WITHIN_MS;
  while (arrived.length < count * HEALTHY) {
    if (performance.now() > endMs)
      throw new Error(`expected ${count * HEALTHY} deliveries, found ${arrived.length}`);
    arrived.push(...(await reportOf(receivers)).latenciesMs);
  }
  return arrived;
}

/** Calls of the agent whose decisions are delivered. @returns how many */
async function makeEvents(url: string, seconds: number): Promise<number> {
  const call = {
    agent_id: DELIVERED_AGENT,
    session_id: "s-1",
    tool: "payments.refund",
    args: { amount: 10 },
  };
  const body = Buffer.from(JSON.stringify(call));
  const count = EVENTS_PER_SECOND * seconds;
  const intervalMs = 1_000 / EVENTS_PER_SECOND;
  await runPaced({ url: `${url}/api/v1/gateway/execute`, body, intervalMs, count });
  return count;
}

/** Execute as fast as it goes, beside the events that are delivered where somebody takes them. */
async function busy(bench: Bench, { url, pid }: Side): Promise<TimedResult> {
  const bodies = executeBodies(BODIES, BODIES);
  const { seconds } = bench;
  const load = { url: `${url}/api/v1/gateway/execute`, bodies, seconds, connections: CONNECTIONS };
  const [result] = await Promise.all([runTimed(bench, load, pid), makeEvents(url, seconds)]);
  return result;
}

function latencyFigures(
  alone: readonly (readonly number[])[],
  beside: readonly (readonly number[])[],
): Figure[] {
  const share = (rounds: readonly (readonly number[])[], wanted: number): number[] =>
    rounds.map((round) => quantile(round, wanted));
  const over = ratios(share(beside, 0.99), share(alone, 0.99));
  return [
    figure("p99 of healthy endpoints, beside sick ones to without", "ratio", over, atMost(1.5)),
    figure("latency without sick endpoints, p50", "ms", share(alone, 0.5)),
    figure("latency without sick endpoints, p99", "ms", share(alone, 0.99)),
    figure("latency beside sick endpoints, p50", "ms", share(beside, 0.5)),
    figure("latency beside sick endpoints, p99", "ms", share(beside, 0.99)),
  ];
}

function rateFigures(
  plain: readonly TimedResult[],
  registered: readonly TimedResult[],
  delivering: readonly TimedResult[],
): Figure[] {
  const rate = (results: readonly TimedResult[]) => results.map((each) => each.requestsPerSecond);
  const over = (results: readonly TimedResult[]) => ratios(rate(results), rate(plain));
  return [
    figure(
      `requests/s, ${IDLE} endpoints that take nothing to none`,
      "ratio",
      over(registered),
      atLeast(0.97),
    ),
    figure("requests/s, beside deliveries to without", "ratio", over(delivering), atLeast(0.97)),
    figure("requests/s without webhooks", "1/s", rate(plain)),
    ...processorFigures("without webhooks", plain),
    ...processorFigures(`${IDLE} endpoints that take nothing`, registered),
    ...processorFigures("beside deliveries", delivering),
  ];
}

/** What other programs on the machine hardly change. */
function processorFigures(name: string, turns: readonly TimedResult[]): Figure[] {
  const us = (of: (cpu: CpuTime) => number) =>
    turns.map((turn) => perRequestUs(turn, turn.cpu === null ? Number.NaN : of(turn.cpu)));
  return [
    figure(
      `${name}: serving thread per request`,
      "us",
      us(({ mainThreadMs }) => mainThreadMs),
    ),
    ...threadFigures(name, turns),
    figure(
      `${name}: all threads per request`,
      "us",
      us(({ allThreadsMs }) => allThreadsMs),
    ),
  ];
}
