import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atMost, type Figure, figure } from "../figure.ts";
import type { LoadResult } from "../load/load-generator.ts";
import { createPolicy, put } from "../peers/api.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { quantile, ratios } from "../statistics.ts";
import { activateOne } from "./activation.ts";

const RULES = 1_000;

/** Switches that are activated in one round, each while a policy loads, as count. */
const ACTIVATIONS = 20;

const CONNECTIONS = 64;
const BODIES = 200;
const WARM_UP_SECONDS = 2;

/** Milliseconds between two updates under load: two a second are more than any operator makes. */
const UPDATE_PAUSE_MS = 500;

/** A policy of 1,000 rules for another agent: the calls that are measured stay the same. */
const largePolicy = (change: number): string =>
  benchmarkPolicy({
    id: "large",
    agentId: "large-agent",
    walkedRules: change % 2,
    foreignRules: RULES - (change % 2),
  });

export const policyLoad: Scenario = {
  name: "policy-load",
  title: "A policy of 1,000 rules is updated beside kill switches and calls, one process",
  run: async (bench) => {
    const { ready: url } = await startProduct(bench);
    await createPolicy(url, benchmarkPolicy({ walkedRules: 20 }));
    await createPolicy(url, largePolicy(0));
    return {
      kind: "measured",
      figures: [...(await killFigures(bench, url)), ...(await updateFigures(bench, url))],
      notes: [
        "a switch is sent at a random moment of the update; a probe calls without pause until its first deny",
        "under load, the policy is updated twice a second, and the quiet turns alternate with these",
      ],
    };
  },
};

async function killFigures(bench: Bench, url: string): Promise<Figure[]> {
  const quiet: number[] = [];
  const enforced: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const quietMs: number[] = [];
    const enforcedMs: number[] = [];
    for (let at = 0; at < ACTIVATIONS; at += 1) {
      quietMs.push((await activateOne(url, `quiet-${round}-${at}`)).enforcedMs);
      const startedMs = performance.now();
      const updated = update(url, at).then(() => performance.now() - startedMs);
      await pause(Math.random() * 100);
      enforcedMs.push((await activateOne(url, `load-${round}-${at}`)).enforcedMs);
      answered.push(await updated);
    }
    quiet.push(quantile(quietMs, 0.99));
    enforced.push(quantile(enforcedMs, 0.99));
  }
  return [
    figure("kill switch while nothing loads: enforced, p99", "ms", quiet),
    figure("kill switch while 1,000 rules load: enforced, p99", "ms", enforced, atMost(25)),
    figure("update of 1,000 rules: answered, with the new version in force", "ms", answered),
  ];
}

async function updateFigures(bench: Bench, url: string): Promise<Figure[]> {
  const bodies = executeBodies(BODIES, BODIES);
  const load = (seconds: number): Promise<LoadResult> =>
    bench.generator.run(
      { url: `${url}/api/v1/gateway/execute`, connections: CONNECTIONS, seconds, bodies },
      bench.cleanup,
    );
  await load(WARM_UP_SECONDS);
  const quiet: number[] = [];
  const updating: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    quiet.push((await load(bench.seconds)).p99Ms);
    const stop = updateUntilStopped(url);
    updating.push((await load(bench.seconds)).p99Ms);
    await stop();
  }
  return [
    figure(
      `p99 of execute beside updates to quiet, ${CONNECTIONS} connections`,
      "ratio",
      ratios(updating, quiet),
      atMost(2),
    ),
    figure("p99 of execute, quiet", "ms", quiet),
    figure("p99 of execute, beside updates", "ms", updating),
  ];
}

/** @returns ends the updates, and fails when one of them did. */
function updateUntilStopped(url: string): () => Promise<void> {
  let isStopped = false;
  const updates = async (): Promise<void> => {
    for (let at = 0; !isStopped; at += 1) {
      await update(url, at);
      await pause(UPDATE_PAUSE_MS);
    }
  };
  const running = updates();
  return async () => {
    isStopped = true;
    await running;
  };
}

async function update(url: string, change: number): Promise<void> {
  await put(`${url}/api/v1/policies/large`, largePolicy(change + 1), { type: "application/yaml" });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
